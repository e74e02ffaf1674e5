// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "p_values.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// Marsaglia's birthday spacings of `days` = 2^log2_days: how many of the sorted birthdays'
/// spacings occur again is Poisson with mean n^3 / (4 days) where that is much less than n.
inline double birthday_spacings_p_value(std::vector<std::uint64_t> birthdays, int log2_days) {
  const auto n = static_cast<double>(birthdays.size());
  std::ranges::sort(birthdays);
  const std::uint64_t mask = (std::uint64_t{1} << log2_days) - 1;
  std::vector<std::uint64_t> spacings{(birthdays.front() - birthdays.back()) & mask};
  for (std::size_t i = 1; i < birthdays.size(); ++i) {
    spacings.push_back(birthdays[i] - birthdays[i - 1]);
  }
  std::ranges::sort(spacings);
  std::size_t again = 0;
  for (std::size_t i = 1; i < spacings.size(); ++i) again += spacings[i] == spacings[i - 1] ? 1 : 0;
  return poisson_p_value(again, n * n * n / std::exp2(log2_days + 2));
}

/// Bits first .. of (word `number`, the next word) of every stream as birthdays in 2^log2_days.
inline std::vector<std::uint64_t> birthdays(const WordTable& table, std::uint64_t number, int first,
                                            int log2_days) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t s = 0; s < table.streams(); ++s) {
    const std::uint64_t two = std::uint64_t{table(s, number)} << 32 | table(s, number + 1);
    all.push_back(two << first >> (64 - log2_days));
  }
  return all;
}

}  // namespace rivulet::independence

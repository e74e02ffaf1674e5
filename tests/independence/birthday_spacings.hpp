// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "p_values.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// How many of the sorted birthdays' spacings, in a year of 2^log2_days days, occur again.
inline std::size_t equal_spacings(std::vector<std::uint64_t> birthdays, int log2_days) {
  std::ranges::sort(birthdays);
  const std::uint64_t mask = (std::uint64_t{1} << log2_days) - 1;
  std::vector<std::uint64_t> spacings{(birthdays.front() - birthdays.back()) & mask};
  for (std::size_t i = 1; i < birthdays.size(); ++i) {
    spacings.push_back(birthdays[i] - birthdays[i - 1]);
  }
  std::ranges::sort(spacings);
  std::size_t again = 0;
  for (std::size_t i = 1; i < spacings.size(); ++i) again += spacings[i] == spacings[i - 1] ? 1 : 0;
  return again;
}

/// Their mean for n birthdays, where it is much less than n.
inline double expected_spacings(std::size_t birthdays, int log2_days) {
  const auto n = static_cast<double>(birthdays);
  return n * n * n / std::exp2(log2_days + 2);
}

/// Marsaglia's birthday spacings of 2^log2_days days: how many are equal is Poisson.
inline double birthday_spacings_p_value(std::vector<std::uint64_t> birthdays, int log2_days) {
  const double mean = expected_spacings(birthdays.size(), log2_days);
  return poisson_p_value(equal_spacings(std::move(birthdays), log2_days), mean);
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

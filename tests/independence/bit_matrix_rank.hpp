// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bit_rows.hpp"
#include "p_values.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// Deficiencies of rank above this have a chance below 2^-81.
inline constexpr std::size_t most_deficiency = 8;

/// The chances that a random size x size matrix over GF(2) has the rank size - d, d = 0 ..
/// most_deficiency: 2^(-d^2) product over i < size - d of (1 - 2^(i - size))^2 / (1 - 2^(i - size +
/// d)) (Kovalenko 1972; Marsaglia & Tsay, Linear Algebra Appl. 67 (1985) 147).
inline std::vector<double> deficiency_law(int size) {
  std::vector<double> law;
  for (int d = 0; d <= static_cast<int>(most_deficiency); ++d) {
    double chance = std::exp2(-d * d);
    for (int i = 0; i < size - d; ++i) {
      const double whole = 1 - std::exp2(i - size);
      chance *= whole * whole / (1 - std::exp2(i - size + d));
    }
    law.push_back(chance);
  }
  return law;
}

/// Size less rank of each matrix that the words fill: a row is made of the same bits of as many
/// words as it takes, the last one's cut short, as in TestU01's smarsa_MatrixRank.
inline std::vector<std::size_t> deficiencies(std::span<const std::uint32_t> words, int size,
                                             Bits bits) {
  const auto columns = static_cast<std::size_t>(size);
  const auto count = static_cast<std::size_t>(bits.count);
  const std::size_t row_words = (columns + count - 1) / count;
  std::vector<std::size_t> all;
  for (; words.size() >= columns * row_words; words = words.subspan(columns * row_words)) {
    BitRows matrix(columns, columns);
    for (std::size_t i = 0; i < columns * row_words; ++i) {
      const std::size_t first = i % row_words * count;
      const std::size_t kept = std::min(count, columns - first);
      matrix.put(i / row_words, first, bits.of(words[i]) >> (count - kept), kept);
    }
    all.push_back(columns - matrix.eliminate());
  }
  return all;
}

/// The exact chance, two-sided, of the sum of the deficiencies.
inline double sum_p_value(const std::vector<std::size_t>& found, const std::vector<double>& law) {
  std::vector<double> sum_law{1};
  for (std::size_t m = 0; m < found.size(); ++m) {
    std::vector<double> next(sum_law.size() + law.size() - 1);
    for (std::size_t i = 0; i < sum_law.size(); ++i) {
      for (std::size_t d = 0; d < law.size(); ++d) next[i + d] += sum_law[i] * law[d];
    }
    sum_law = std::move(next);
  }
  std::size_t sum = 0;
  for (const std::size_t d : found) sum += d;
  double at_most = 0;
  double at_least = 0;
  for (std::size_t i = 0; i < sum_law.size(); ++i) {
    if (i <= sum) at_most += sum_law[i];
    if (i >= sum) at_least += sum_law[i];
  }
  return two_sided(at_most, at_least);
}

/// Whether the deficiencies are those of random matrices: of few by their sum, of many by how often
/// each occurs.
inline double rank_p_value(const std::vector<std::size_t>& found, int size) {
  constexpr std::size_t many = 100;
  const std::vector<double> law = deficiency_law(size);
  if (found.size() < many) return sum_p_value(found, law);
  std::vector<double> counts(law.size());
  for (const std::size_t d : found) ++counts[std::min(d, most_deficiency)];
  std::vector<double> expected;
  for (const double chance : law) expected.push_back(chance * static_cast<double>(found.size()));
  return classes_p_value(counts, expected);
}

inline double rank_p_value(std::span<const std::uint32_t> words, int size, Bits bits) {
  return rank_p_value(deficiencies(words, size, bits), size);
}

}  // namespace rivulet::independence

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "p_values.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// Sums over pairs of streams, number by number, of their first `numbers` numbers.
class PairSums {
 public:
  explicit PairSums(std::uint64_t numbers) : numbers_(numbers) {}

  /// Stream s of one table beside stream t of another.
  void add(const WordTable& a, std::uint64_t s, const WordTable& b, std::uint64_t t) {
    int differing = 0;
    for (std::uint64_t i = 0; i < numbers_; ++i) {
      differing += std::popcount(a(s, i) ^ b(t, i));
      product_ += centred(a(s, i)) * centred(b(t, i));
    }
    const double off = differing - 16 * static_cast<double>(numbers_);
    off_ += off;
    squares_ += off * off;
    ++pairs_;
  }

  /// Hamming distances are binomial with mean 16 and variance 8 a word: their sum.
  double distance_p_value() const { return normal_p_value(off_ / std::sqrt(8 * words())); }
  /// And their spread: pairs that are near, and pairs that are far.
  double spread_p_value() const {
    return two_sided_chi_square(squares_ / (8 * static_cast<double>(numbers_)),
                                static_cast<double>(pairs_));
  }
  /// The words as numbers in (-1/2, 1/2), of variance 1/12: the sum of their products.
  double correlation_p_value() const { return normal_p_value(12 * product_ / std::sqrt(words())); }

  double p_value() const {
    return std::min({distance_p_value(), spread_p_value(), correlation_p_value()});
  }

 private:
  static double centred(std::uint32_t word) { return std::ldexp(word + 0.5, -32) - 0.5; }
  double words() const { return static_cast<double>(pairs_ * numbers_); }

  std::uint64_t numbers_;
  std::uint64_t pairs_ = 0;
  double off_ = 0;
  double squares_ = 0;
  double product_ = 0;
};

/// Streams s and s + distance of a table, for every s: three tests, the smallest p-value.
inline double neighbours_p_value(const WordTable& table, std::uint64_t distance,
                                 std::uint64_t numbers) {
  PairSums sums(numbers);
  for (std::uint64_t s = 0; s + distance < table.streams(); ++s) {
    sums.add(table, s, table, s + distance);
  }
  return sums.p_value();
}

/// Streams of the same place in two tables: three tests, the smallest p-value.
inline double side_by_side_p_value(const WordTable& a, const WordTable& b, std::uint64_t numbers) {
  PairSums sums(numbers);
  for (std::uint64_t s = 0; s < std::min(a.streams(), b.streams()); ++s) sums.add(a, s, b, s);
  return sums.p_value();
}

}  // namespace rivulet::independence

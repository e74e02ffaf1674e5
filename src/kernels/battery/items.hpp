// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/battery/histogram.hpp"

// Tests whose sequence is cut into items of a fixed number of words, each of which is counted on
// its own. An item is called with its words, its index, and what counts: a lane of a histogram.

namespace rivulet::detail {

/// Words that give `bits` bits, `each` of every word.
KOKKOS_FORCEINLINE_FUNCTION int words_for(int bits, int each) { return (bits + each - 1) / each; }

/// Of a hand of k numbers below d <= 64, how many are distinct.
struct PokerHand {
  int r;
  std::uint32_t d;
  int k;

  std::uint64_t words() const { return static_cast<std::uint64_t>(k); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const Histogram& histogram) const {
    std::uint64_t seen = 0;
    for (int j = 0; j < k; ++j) seen |= std::uint64_t{1} << strip_number(word[j], r, d);
    histogram.add(lane, static_cast<std::uint64_t>(ones_of(seen)));
  }
};

/// How many of k numbers are below a limit, of 2^32.
struct NumbersBelow {
  int r;
  std::uint64_t limit;
  int k;

  std::uint64_t words() const { return static_cast<std::uint64_t>(k); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const Histogram& histogram) const {
    std::uint64_t below = 0;
    for (int j = 0; j < k; ++j) below += word[j] << r < limit ? 1 : 0;
    histogram.add(lane, below);
  }
};

/// The ones in a block of `length` bits, s of each word; the last word gives its first ones.
KOKKOS_FORCEINLINE_FUNCTION int block_weight(const std::uint32_t* word, int r, int s, int length) {
  int ones = 0;
  for (; length >= s; length -= s) ones += ones_of(strip_bits(*word++, r, s));
  return length > 0 ? ones + ones_of(strip_bits(*word, r, length)) : ones;
}

/// The ones in two blocks of `length` bits that follow each other.
struct WeightPair {
  int r;
  int s;
  int length;

  std::uint64_t words() const { return 2 * static_cast<std::uint64_t>(words_for(length, s)); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const Histogram& histogram) const {
    const int one = block_weight(word, r, s, length);
    const int other = block_weight(word + words_for(length, s), r, s, length);
    histogram.add(lane, static_cast<std::uint64_t>(one * (length + 1) + other));
  }
};

/// The rank of a matrix of at most 64 columns. A row is made of whole words' s bits; the last word
/// gives its first ones.
struct MatrixRank {
  static constexpr int most = 64;

  int r;
  int s;
  int rows;
  int columns;

  std::uint64_t words() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(words_for(columns, s));
  }
  KOKKOS_FUNCTION std::uint64_t row(const std::uint32_t*& word) const {
    std::uint64_t bits = 0;
    int left = columns;
    for (; left >= s; left -= s) bits = bits << s | strip_bits(*word++, r, s);
    return left > 0 ? bits << left | strip_bits(*word++, r, left) : bits;
  }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const Histogram& histogram) const {
    std::uint64_t matrix[most];
    for (int i = 0; i < rows; ++i) matrix[i] = row(word);
    int rank = 0;
    for (int column = columns - 1; column >= 0 && rank < rows; --column) {
      int pivot = rank;
      while (pivot < rows && (matrix[pivot] >> column & 1) == 0) ++pivot;
      if (pivot == rows) continue;
      const std::uint64_t line = matrix[pivot];
      matrix[pivot] = matrix[rank];
      for (int i = pivot + 1; i < rows; ++i) {
        matrix[i] ^= line & (std::uint64_t{0} - (matrix[i] >> column & 1));
      }
      ++rank;
    }
    histogram.add(lane, static_cast<std::uint64_t>(rank));
  }
};

/// A walk of `length` steps, s of each word; the last word gives its first ones. Counts H, M, J, R
/// and C one after another: length + 1 cells each.
struct RandomWalk {
  static constexpr int statistics = 5;

  int r;
  int s;
  int length;

  std::uint64_t words() const { return static_cast<std::uint64_t>(words_for(length, s)); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const Histogram& histogram) const {
    int at = 0, most = 0, above = 0, zeros = 0, changes = 0;
    int at_odd = 0;  // after the last odd step
    for (int step = 0; step < length;) {
      const int bits = length - step < s ? length - step : s;
      const std::uint32_t steps = strip_bits(*word++, r, bits);
      for (int e = bits - 1; e >= 0; --e) {
        at += (steps >> e & 1) != 0 ? 1 : -1;
        if (at > most) most = at;
        zeros += at == 0 ? 1 : 0;
        if ((++step & 1) == 0) continue;
        above += at > 0 ? 1 : 0;
        changes += (at > 0 && at_odd < 0) || (at < 0 && at_odd > 0) ? 1 : 0;
        at_odd = at;
      }
    }
    const int found[statistics] = {(length + at) / 2, most, 2 * above, zeros, changes};
    for (int i = 0; i < statistics; ++i) {
      histogram.add(lane, static_cast<std::uint64_t>(i * (length + 1) + found[i]));
    }
  }
};

/// The class of the largest of t numbers, and that number itself, kept by item.
struct LargestNumber {
  int r;
  int t;
  const std::uint32_t* least;  ///< of each class, in order
  int classes;
  std::uint64_t* largest;  ///< of each item

  std::uint64_t words() const { return static_cast<std::uint64_t>(t); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const Histogram& histogram) const {
    std::uint32_t most = 0;
    for (int j = 0; j < t; ++j) most = most < word[j] << r ? word[j] << r : most;
    int first = 0;  // of the classes that may be it, `left` of them
    for (int left = classes; left > 1;) {
      const int half = left / 2;
      if (least[first + half] <= most) first += half;
      left -= half;
    }
    histogram.add(lane, static_cast<std::uint64_t>(first));
    largest[item] = most;
  }
};

}  // namespace rivulet::detail

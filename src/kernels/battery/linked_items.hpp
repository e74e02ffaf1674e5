// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/battery/items.hpp"

// Items that are counted together with those before them.

namespace rivulet::detail {

/// The ones in a block of `length` bits and in the one before it.
struct NeighbourWeights {
  int r;
  int s;
  int length;

  std::uint64_t words() const { return static_cast<std::uint64_t>(words_for(length, s)); }
  std::uint64_t history() const { return words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const Histogram& histogram) const {
    if (item == 0) return;
    const int before = block_weight(word - words_for(length, s), r, s, length);
    const int here = block_weight(word, r, s, length);
    histogram.add(lane, static_cast<std::uint64_t>(before * (length + 1) + here));
  }
};

/// The ones among the exclusive-ors of bits that are `lag` apart, of s bits of each word; a word's
/// bits with those after them, when all of these have come.
struct LaggedBits {
  static constexpr int sums = 1;

  int r;
  int s;
  int lag;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return static_cast<std::uint64_t>(lag / s) + 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    const int whole = lag / s;
    const int bits = lag % s;
    if (item <= static_cast<std::uint64_t>(whole)) return;
    const std::uint32_t one = strip_bits(word[-whole - 1], r, s);
    const std::uint32_t lagged =
        strip_bits(word[-1], r, s) << bits | strip_bits(*word, r, s) >> (s - bits);
    *sum += static_cast<std::uint64_t>(ones_of((one ^ lagged) & (~std::uint32_t{0} >> (32 - s))));
  }
};

/// The sum of the products of numbers, times 2^64, with those `lag` before them: that of the
/// products' lower 32 bits, and that of their upper ones.
struct LaggedProducts {
  static constexpr int sums = 2;

  int r;
  std::uint64_t lag;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return lag; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    if (item < lag) return;
    const std::uint64_t product = std::uint64_t{*word << r} * (*(word - lag) << r);
    sum[0] += product & ~std::uint32_t{0};
    sum[1] += product >> 32;
  }
};

/// Runs that go up (or down) among `count` numbers, by their length, up to 6: those that the number
/// ends which begins the next one, and the last. Equal numbers do not end a run.
struct NumberRuns {
  static constexpr int longest = 6;
  static constexpr int sums = longest + 1;

  int r;
  bool is_up;
  std::uint64_t count;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return longest; }
  /// Whether a number ends the run before it.
  KOKKOS_FORCEINLINE_FUNCTION bool ends(const std::uint32_t* word) const {
    const std::uint32_t here = *word << r;
    const std::uint32_t before = word[-1] << r;
    return is_up ? here < before : here > before;
  }
  /// Length of the run of the number before a word, which has so many before it.
  KOKKOS_FUNCTION int run_before(const std::uint32_t* word, std::uint64_t before) const {
    int length = 1;
    while (length < longest && static_cast<std::uint64_t>(length) < before &&
           !ends(word - length)) {
      ++length;
    }
    return length;
  }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    if (item > 0 && ends(word)) ++sum[run_before(word, item)];
    if (item + 1 == count) ++sum[run_before(word + 1, count)];
  }
};

/// Runs of equal bits, s of each word, that end where a bit differs from the one before: at twice
/// their length, up to `longest`, those of zeros, and one more those of ones. The first bit ends a
/// run of length 0.
struct BitRuns {
  int r;
  int s;
  int longest;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return static_cast<std::uint64_t>(words_for(longest, s)); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const Histogram& histogram) const {
    std::uint32_t last = 2;  // neither 0 nor 1
    int length = 0;
    if (item > 0) {
      last = strip_bits(word[-1], r, s) & 1;
      const std::uint32_t all = last * (~std::uint32_t{0} >> (32 - s));
      std::uint64_t back = 1;
      while (length < longest && back <= item) {
        std::uint32_t others = strip_bits(*(word - back), r, s) ^ all;
        int equal = 0;
        for (; equal < s && (others & 1) == 0; others >>= 1) ++equal;
        length += equal;
        if (equal < s) break;
        ++back;
      }
    }
    const std::uint32_t bits = strip_bits(*word, r, s);
    for (int e = s - 1; e >= 0; --e) {
      const std::uint32_t bit = bits >> e & 1;
      if (bit == last) {
        ++length;
        continue;
      }
      // A bit that is 1 ends a run of zeros.
      const int counted = length < longest ? length : longest;
      histogram.add(lane, 2 * static_cast<std::uint64_t>(counted) + (1 - bit));
      length = 1;
      last = bit;
    }
  }
};

/// The runs of ones that begin in a word.
struct RunsOfOnes {
  static constexpr int sums = 1;

  int r;
  int s;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    const std::uint32_t bits = strip_bits(*word, r, s);
    const std::uint32_t before = item > 0 ? strip_bits(word[-1], r, s) & 1 : 0;
    *sum += static_cast<std::uint64_t>(ones_of(bits & ~(bits >> 1 | before << (s - 1))));
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/counting/items.hpp"

// Items that are counted together with those before them.

namespace rivulet::detail {

/// The ones in a block of bits and in the one before it.
struct NeighbourWeights {
  WeightPair pair;

  std::uint64_t words() const { return pair.words() / 2; }
  std::uint64_t history() const { return words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const auto& histogram) const {
    if (item > 0) histogram.add(lane, pair.cell(word - words_for(pair.length, pair.s)));
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

/// Runs that go up (or down) among `count` numbers, by their length, up to 6: those that a number
/// of the item ends which begins the next one, and the last. Equal numbers do not end a run.
struct NumberRuns {
  static constexpr int longest = 6;
  static constexpr int sums = longest + 1;
  static constexpr int most_grouped = 64 - longest - 1;

  int r;
  bool is_up;
  std::uint64_t count;
  int grouped = 1;  ///< numbers of an item

  std::uint64_t words() const { return static_cast<std::uint64_t>(grouped); }
  std::uint64_t history() const { return longest + 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    const std::uint64_t first = item * static_cast<std::uint64_t>(grouped);
    const int before = first < longest ? static_cast<int>(first) : longest;
    // Of these numbers, the first one lowest, and of the item's, whether they begin a run.
    const std::uint32_t flip = is_up ? 0 : ~std::uint32_t{0};
    const std::uint32_t* const from = word - before;
    std::uint64_t begins = first <= longest ? 1 : is_begin(from, flip);
    for (int i = 1; i < before + grouped; ++i) begins |= is_begin(from + i, flip) << i;
    std::uint64_t ends = begins >> before << before;
    if (first == 0) ends &= ~std::uint64_t{1};
    int runs = ones_of(ends);
    for (int length = 1; length < longest; ++length) {
      ends &= ~(begins << length);
      const int longer = ones_of(ends);
      sum[length] += static_cast<std::uint64_t>(runs - longer);
      runs = longer;
    }
    sum[longest] += static_cast<std::uint64_t>(runs);
    if (first + static_cast<std::uint64_t>(grouped) < count) return;
    int length = 1;
    while (length < longest && (begins >> (before + grouped - length) & 1) == 0) ++length;
    ++sum[length];
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t is_begin(const std::uint32_t* number,
                                                     std::uint32_t flip) const {
    return (*number << r ^ flip) < (number[-1] << r ^ flip) ? 1 : 0;
  }
};

/// Runs of equal bits, s of each word, that end where a bit differs from the one before: at twice
/// their length, up to `longest`, those of zeros that are as long or longer, and one more those of
/// ones. Words of longest + 1 bits, and one word more, have 64 bits at most.
struct RunsOfBits {
  int r;
  int s;
  int longest;
  int grouped = 1;  ///< words of an item

  std::uint64_t words() const { return static_cast<std::uint64_t>(grouped); }
  std::uint64_t history() const { return static_cast<std::uint64_t>(words_for(longest + 1, s)); }
  /// As many words as have room beside the history.
  int most_grouped() const { return 64 / s - words_for(longest + 1, s); }

  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const auto& histogram) const {
    const std::uint64_t first = item * static_cast<std::uint64_t>(grouped);
    const int all = words_for(longest + 1, s);
    const int before = first < static_cast<std::uint64_t>(all) ? static_cast<int>(first) : all;
    const std::uint64_t bits = bits_of_block(word - before, r, s, (before + grouped) * s);
    const std::uint64_t highest = std::uint64_t{1} << ((before + grouped) * s - 1);
    // The first bit ends no run, but those after it.
    const std::uint64_t differ = ((bits ^ bits >> 1) & (highest - 1)) | highest;
    const std::uint64_t own = ~std::uint64_t{0} >> (64 - grouped * s);
    std::uint64_t ends = differ & own & ~(before == 0 ? highest : 0);
    for (int length = 1; ends != 0; ++length) {
      // A bit that is 1 ends a run of zeros.
      const int zeros = ones_of(ends & bits);
      const auto cell = 2 * static_cast<std::uint64_t>(length);
      histogram.add(lane, cell, static_cast<std::uint64_t>(zeros));
      histogram.add(lane, cell + 1, static_cast<std::uint64_t>(ones_of(ends) - zeros));
      if (length == longest) return;
      ends &= ~(differ >> length);
    }
  }
};

struct RunsOfOnes {
  static constexpr int sums = 1;

  int r;
  int s;
  std::uint64_t kept;  ///< words before it that stay in memory: itself it needs one

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return kept; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    const std::uint32_t bits = strip_bits(*word, r, s);
    const std::uint32_t before = item > 0 ? strip_bits(word[-1], r, s) & 1 : 0;
    *sum += static_cast<std::uint64_t>(ones_of(bits & ~(bits >> 1 | before << (s - 1))));
  }
};

/// Eight blocks that follow each other, by whether the ones in each are fewer than those of the
/// middle (length / 2 - spread .. length / 2 + spread), of it, or more: a number of eight ternary
/// digits, the first block's highest. The length is a power of 2; items are of `grouped` words,
/// whole blocks and a multiple of 4.
struct WeightTrits {
  static constexpr int digits = 8;
  static constexpr int cells = 6561;

  int length;
  int spread;
  int grouped;

  KOKKOS_FUNCTION int of_word() const { return length < 32 ? 32 / length : 1; }
  KOKKOS_FUNCTION int of_block() const { return length > 32 ? length / 32 : 1; }
  std::uint64_t words() const { return static_cast<std::uint64_t>(grouped); }
  /// Four words are read at once: on a device they are on their way together.
  KOKKOS_FUNCTION std::uint64_t history() const {
    return static_cast<std::uint64_t>((words_for(digits - 1, of_word()) * of_block() + 3) / 4 * 4);
  }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const auto& histogram) const {
    const int below = length / 2 - spread;
    const int above = length / 2 + spread;
    std::uint32_t code = 0;
    int digit = 0;
    int ones = 0;
    for (int i = item == 0 ? 0 : -static_cast<int>(history()); i < grouped; i += 4) {
      const auto add = [&](int weight) {
        const std::uint32_t trit = (weight >= below ? 1U : 0U) + (weight > above ? 1U : 0U);
        code = code % (cells / 3) * 3 + trit;
        if (++digit >= digits && i >= 0) histogram.add(lane, code);
      };
      const std::uint32_t four[] = {word[i], word[i + 1], word[i + 2], word[i + 3]};
      const auto end_block = [&](int next) {
        if ((next & (of_block() - 1)) != 0) return;  // a power of 2
        add(ones);
        ones = 0;
      };
      if (of_block() >= 4) {
        for (const std::uint32_t one : four) ones += ones_of(one);
        end_block(i + 4);
        continue;
      }
      for (int k = 0; k < 4; ++k) {
        if (length >= 32) {
          ones += ones_of(four[k]);
          end_block(i + k + 1);
          continue;
        }
        for (int part = 0; part < of_word(); ++part) {
          add(ones_of(strip_bits(four[k], part * length, length)));
        }
      }
    }
  }
};

}  // namespace rivulet::detail

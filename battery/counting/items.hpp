// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>

#include "battery/counting/histogram.hpp"
#include "rng/word.hpp"

// Tests whose sequence is cut into items of a fixed number of words. Of its words an item makes a
// cell(); or it is called with them, its index, and what counts: a lane of a histogram, or, if it
// has `sums`, the sums of a lane. One that has history() may read so many words before its own, as
// far as its index says that there are some.

namespace rivulet::detail {

/// Words that give `bits` bits, `each` of every word.
KOKKOS_FORCEINLINE_FUNCTION int words_for(int bits, int each) { return (bits + each - 1) / each; }

/// The index of the last of ascending values that is not above one, if the first is not.
KOKKOS_INLINE_FUNCTION int last_not_above(const std::uint32_t* values, int count,
                                          std::uint32_t one) {
  int first = 0;
  while (count > 1) {
    const int half = count / 2;
    if (values[first + half] <= one) first += half;
    count -= half;
  }
  return first;
}

/// An item of t numbers.
struct Numbers {
  int r;
  int t;

  std::uint64_t words() const { return static_cast<std::uint64_t>(t); }
};

/// Of numbers below d <= 64, how many are distinct.
struct PokerHand : Numbers {
  std::uint32_t d;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t seen = 0;
    for (int j = 0; j < t; ++j) seen |= std::uint64_t{1} << strip_number(word[j], r, d);
    return static_cast<std::uint64_t>(ones_of(seen));
  }
};

/// How many numbers are below a limit, of 2^32.
struct NumbersBelow : Numbers {
  std::uint64_t limit;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t below = 0;
    for (int j = 0; j < t; ++j) below += word[j] << r < limit ? 1 : 0;
    return below;
  }
};

/// A block of `length` <= 64 bits, s of each word, the last bit lowest; the last word gives its
/// first ones.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_of_block(const std::uint32_t* word, int r, int s,
                                                        int length) {
  std::uint64_t bits = 0;
  for (; length >= s; length -= s) bits = bits << s | strip_bits(*word++, r, s);
  return length > 0 ? bits << length | strip_bits(*word, r, length) : bits;
}

/// The ones in such a block, of any length.
KOKKOS_FORCEINLINE_FUNCTION int block_weight(const std::uint32_t* word, int r, int s, int length) {
  int ones = 0;
  for (; length >= s; length -= s) ones += ones_of(strip_bits(*word++, r, s));
  return length > 0 ? ones + ones_of(strip_bits(*word, r, length)) : ones;
}

/// The order of at most 20 numbers, below t!: where the largest of them is, then that of the others
/// after the last took its place, and so on (Knuth, 3.3.2 P). The first of equal ones is the
/// largest.
struct NumberOrder : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint32_t number[20];
    for (int j = 0; j < t; ++j) number[j] = word[j] << r;
    std::uint64_t order = 0;
    for (int left = t; left > 1; --left) {
      int largest = 0;
      for (int j = 1; j < left; ++j) largest = number[j] > number[largest] ? j : largest;
      order = order * static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(largest);
      number[largest] = number[left - 1];
    }
    return order;
  }
};

/// The cell of a point of numbers below d, the first one most significant.
struct CellOfPoint : Numbers {
  std::uint32_t d;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t place = 0;
    for (int j = 0; j < t; ++j) place = place * d + strip_number(word[j], r, d);
    return place;
  }
};

/// The cell of the rests of whole words modulo 3, the first one most significant.
struct CellOfRests : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t place = 0;
    for (int j = 0; j < t; ++j) place = place * 3 + word[j] % 3;
    return place;
  }
};

/// The values of the parts of a word, of `length` bits each.
struct WordParts {
  int length;

  std::uint64_t words() const { return 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const auto& histogram) const {
    for (int first = 0; first + length <= 32; first += length) {
      histogram.add(lane, strip_bits(*word, first, length));
    }
  }
};

/// The bits of the numbers in turn, as many as 64 bits have room for.
struct InterleavedBits : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t bits = 0;
    for (int b = 31; b > 31 - 64 / t && b >= 0; --b) {
      for (int j = 0; j < t; ++j) bits = bits << 1 | (word[j] << r >> b & 1);
    }
    return bits;
  }
};

/// For each number I = 1 + floor(U I), from I = most; cells 0 .. last.
struct SavirNumber : Numbers {
  std::uint64_t most;
  std::uint64_t last;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t number = most;
    for (int j = 0; j < t; ++j) number = 1 + (std::uint64_t{word[j] << r} * number >> 32);
    return number < last ? number : last;
  }
};

/// The greatest common divisor of two numbers of s bits; 0 if one of them is 0. Cells 0 .. last.
struct CommonDivisor {
  int r;
  int s;
  std::uint32_t last;

  std::uint64_t words() const { return 2; }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint32_t one = strip_bits(word[0], r, s);
    std::uint32_t other = strip_bits(word[1], r, s);
    if (one == 0) other = 0;
    while (other != 0) {
      const std::uint32_t rest = one % other;
      one = other;
      other = rest;
    }
    if (strip_bits(word[1], r, s) == 0) one = 0;
    return one < last ? one : last;
  }
};

/// The classes of strings of s bits by their periods: the index of the correlation, whose bit
/// s - 1 - k is set if the string without its first k bits equals that without its last k. As many
/// strings as W has lanes are an item.
template <class W>
struct StringPeriods {
  int r;
  int s;
  const std::uint32_t* correlations;  ///< of the classes, ascending
  int classes;

  std::uint64_t words() const { return static_cast<std::uint64_t>(lanes<W>); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const auto& histogram) const {
    using Traits = WordTraits<W>;
    const W strings = Traits::generate([&](int i) { return strip_bits(word[i], r, s); });
    W correlation(0U);
    for (int k = 0; k < s; ++k) {
      const W differ = (strings ^ (strings >> k)) & (~std::uint32_t{0} >> (32 - s + k));
      correlation = (correlation << 1) + 1U - ((differ | (0U - differ)) >> 31);
    }
    for (int i = 0; i < lanes<W>; ++i) {
      histogram.add(lane, static_cast<std::uint64_t>(
                              last_not_above(correlations, classes, Traits::lane(correlation, i))));
    }
  }
};

/// The ones in two blocks of `length` bits that follow each other.
struct WeightPair {
  int r;
  int s;
  int length;

  std::uint64_t words() const { return 2 * static_cast<std::uint64_t>(words_for(length, s)); }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    const int one = block_weight(word, r, s, length);
    const int other = block_weight(word + words_for(length, s), r, s, length);
    return static_cast<std::uint64_t>(one * (length + 1) + other);
  }
};

/// The rank of a matrix of at most 64 columns, whose rows are blocks of bits.
struct MatrixRank {
  static constexpr int most = 64;

  int r;
  int s;
  int rows;
  int columns;

  std::uint64_t words() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(words_for(columns, s));
  }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t matrix[most];
    for (int i = 0; i < rows; ++i) {
      matrix[i] = bits_of_block(word + i * words_for(columns, s), r, s, columns);
    }
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
    return static_cast<std::uint64_t>(rank);
  }
};

/// Walks of `length` steps, s of each word; a walk's last word gives its first ones. As many walks
/// as W has lanes are an item. Counts H, M, J, R and C one after another: length + 1 cells each.
template <class W>
struct RandomWalks {
  static constexpr int statistics = 5;

  int r;
  int s;
  int length;

  std::uint64_t words() const {
    return static_cast<std::uint64_t>(lanes<W> * words_for(length, s));
  }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, std::uint64_t lane,
                                  const auto& histogram) const {
    using Traits = WordTraits<W>;
    const int each = words_for(length, s);
    const auto word_of_walks = [&](int k) {
      return Traits::generate([&](int walk) { return word[walk * each + k] << r; });
    };
    // Places are modulo 2^32, their signs the highest bits, and so are steps, of which 1 is up.
    W at(0U), most(0U), above(0U), zeros(0U), changes(0U);
    W odd = ~word_of_walks(0);  // place at the last odd step: at first one without a change
    bool is_odd = true;
    for (int k = 0, left = length; left > 0; ++k, left -= s) {
      W steps = word_of_walks(k);
      for (int step = 0; step < s && step < left; ++step, is_odd = !is_odd) {
        at = at + ((steps >> 31) << 1) - 1U;
        steps = steps << 1;
        const W ahead = at - most;
        most = most + (ahead & ((ahead >> 31) - 1U));
        zeros = zeros + 1U - ((at | (0U - at)) >> 31);
        if (!is_odd) continue;
        above = above + 1U - (at >> 31);
        changes = changes + ((at ^ odd) >> 31);
        odd = at;
      }
    }
    for (int walk = 0; walk < lanes<W>; ++walk) {
      const auto of = [&](const W& all) { return Traits::lane(all, walk); };
      const std::uint32_t found[statistics] = {(static_cast<std::uint32_t>(length) + of(at)) / 2,
                                               of(most), 2 * of(above), of(zeros), of(changes)};
      for (int i = 0; i < statistics; ++i) {
        histogram.add(lane, static_cast<std::uint64_t>(i * (length + 1)) + found[i]);
      }
    }
  }
};

/// The class of the largest of t numbers, and that number itself, kept by item.
struct LargestNumber : Numbers {
  const std::uint32_t* least;  ///< of each class, in order
  int classes;
  std::uint64_t* largest;  ///< of each item

  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, std::uint64_t lane,
                                  const auto& histogram) const {
    std::uint32_t most = 0;
    for (int j = 0; j < t; ++j) most = most < word[j] << r ? word[j] << r : most;
    histogram.add(lane, static_cast<std::uint64_t>(last_not_above(least, classes, most)));
    largest[item] = most;
  }
};

/// The sum of the numbers, times 2^32.
struct NumberSum : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t sum = 0;
    for (int j = 0; j < t; ++j) sum += word[j] << r;
    return sum;
  }
};

/// The product of the numbers, multiplied as doubles one after another, by its bits, which are in
/// the order of positive doubles.
struct NumberProduct : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    double product = 1;
    for (int j = 0; j < t; ++j) product *= static_cast<double>(word[j] << r) * 0x1p-32;
    std::uint64_t bits = 0;
    memcpy(&bits, &product, sizeof bits);
    return bits;
  }
};

/// The cells of items, kept in their order; the sum of all modulo 2^64.
template <class Item>
struct KeptCells {
  static constexpr int sums = 1;

  Item of;
  std::uint64_t* kept;

  std::uint64_t words() const { return of.words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item,
                                  std::uint64_t* sum) const {
    kept[item] = of.cell(word);
    *sum += kept[item];
  }
};

}  // namespace rivulet::detail

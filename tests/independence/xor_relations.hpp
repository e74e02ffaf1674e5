// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// A matrix over GF(2), packed by rows.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), width_((columns + 63) / 64), bits_(rows * width_) {}

  void set(std::size_t row, std::size_t column) {
    bits_[row * width_ + column / 64] |= std::uint64_t{1} << (column % 64);
  }
  /// Puts bits 0 .. count-1 of a value into columns first .. first+count-1, which must be 0.
  void put(std::size_t row, std::size_t first, std::uint32_t value, std::size_t count) {
    std::uint64_t* to = bits_.data() + row * width_ + first / 64;
    to[0] |= std::uint64_t{value} << (first % 64);
    if (first % 64 + count > 64) to[1] |= std::uint64_t{value} >> (64 - first % 64);
  }
  bool get(std::size_t row, std::size_t column) const {
    return (bits_[row * width_ + column / 64] >> (column % 64) & 1) != 0;
  }

  /// Brings the first `columns` columns to row echelon form and returns their rank. The rows from
  /// this rank on are zero in these columns.
  std::size_t eliminate(std::size_t columns) {
    std::size_t rank = 0;
    for (std::size_t column = 0; column < columns && rank < rows_; ++column) {
      std::size_t pivot = rank;
      while (pivot < rows_ && !get(pivot, column)) ++pivot;
      if (pivot == rows_) continue;
      std::swap_ranges(row(pivot), row(pivot) + width_, row(rank));
      for (std::size_t below = std::max(pivot, rank) + 1; below < rows_; ++below) {
        if (get(below, column)) add(rank, below, column / 64);
      }
      ++rank;
    }
    return rank;
  }
  std::size_t eliminate() { return eliminate(columns_); }

 private:
  std::uint64_t* row(std::size_t r) { return bits_.data() + r * width_; }
  void add(std::size_t from, std::size_t to, std::size_t first_word) {
    const std::uint64_t* source = row(from);
    std::uint64_t* target = row(to);
    for (std::size_t w = first_word; w < width_; ++w) target[w] ^= source[w];
  }

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;
  std::vector<std::uint64_t> bits_;
};

/// A word of a window: the stream's place in a table, and the number's offset from the window's
/// start.
struct Offset {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;

  friend bool operator==(const Offset&, const Offset&) = default;
};
using Window = std::vector<Offset>;

/// Returns words of the window that XOR to zero in the chosen bits at every position of the window,
/// or no words. The bits of a word at several positions form a row, and a linear dependence of the
/// rows is a relation. Poor tempering of a twister can make the bits of a word dependent. A row
/// therefore has 64 bits more than twice the number of words, so that no relation is due to chance.
/// The positions are spread over the whole table.
inline Window xor_relation(const WordTable& table, const Window& window, Bits bits) {
  const auto count = static_cast<std::size_t>(bits.count);
  const std::size_t places = (2 * window.size() + 64 + count - 1) / count;
  std::uint64_t reach = 0;
  for (const Offset& one : window) reach = std::max(reach, one.number);
  const std::uint64_t step = (table.numbers() - reach) / places;
  BitRows rows(window.size(), places * count + window.size());
  for (std::size_t w = 0; w < window.size(); ++w) {
    for (std::size_t p = 0; p < places; ++p) {
      // Irregular positions avoid aliasing with a period of the generator.
      const std::uint64_t begin = p * step + splitmix64_mix(p) % step;
      rows.put(w, p * count, bits.of(table(window[w].stream, begin + window[w].number)), count);
    }
    rows.set(w, places * count + w);  // records the words that sum to a row
  }
  const std::size_t rank = rows.eliminate(places * count);
  Window relation;
  if (rank == window.size()) return relation;
  for (std::size_t w = 0; w < window.size(); ++w) {
    if (rows.get(rank, places * count + w)) relation.push_back(window[w]);
  }
  return relation;
}

/// Returns all pairs of table places 0 .. streams-1 and the given numbers.
inline Window product_window(std::uint64_t streams, const std::vector<std::uint64_t>& numbers) {
  Window window;
  for (std::uint64_t s = 0; s < streams; ++s) {
    for (const std::uint64_t i : numbers) window.push_back({s, i});
  }
  return window;
}

/// Returns the subset sums of distinct powers of two, which are given by their sum.
inline std::vector<std::uint64_t> subset_sums(std::uint64_t powers) {
  std::vector<std::uint64_t> sums;
  std::uint64_t subset = 0;
  do {
    sums.push_back(subset);
    subset = (subset - powers) & powers;
  } while (subset != 0);
  return sums;
}

inline std::string text_of(const Window& relation) {
  std::string text;
  for (const Offset& one : relation) {
    text += "(" + std::to_string(one.stream) + ", " + std::to_string(one.number) + ") ";
  }
  return text;
}

}  // namespace rivulet::independence

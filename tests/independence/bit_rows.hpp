// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rivulet::independence {

/// A matrix over GF(2), packed by rows.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), width_((columns + 63) / 64), bits_(rows * width_) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  void set(std::size_t row, std::size_t column) {
    bits_[row * width_ + column / 64] |= std::uint64_t{1} << (column % 64);
  }
  /// Bits 0 .. count-1 of a value to columns first .. first+count-1, which were 0.
  void put(std::size_t row, std::size_t first, std::uint32_t value, std::size_t count) {
    std::uint64_t* to = bits_.data() + row * width_ + first / 64;
    to[0] |= std::uint64_t{value} << (first % 64);
    if (first % 64 + count > 64) to[1] |= std::uint64_t{value} >> (64 - first % 64);
  }
  bool get(std::size_t row, std::size_t column) const {
    return (bits_[row * width_ + column / 64] >> (column % 64) & 1) != 0;
  }

  /// Brings the first `columns` columns to row echelon form and returns their rank: the rows from
  /// there on have nothing left in them.
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

}  // namespace rivulet::independence

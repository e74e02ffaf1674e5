// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "rng/word.hpp"

namespace rivulet::detail {

/// Numbers in a vector register as wide as Word: the side of the squares of transpose().
template <class Number>
inline constexpr int transposed_side = lanes<Word> > 1
                                           ? lanes<Word>* static_cast<int>(sizeof(std::uint32_t)) /
                                                 static_cast<int>(sizeof(Number))
                                           : 1;

#if RIVULET_HAVE_SHUFFLES
/// A square of numbers in vector registers. In memory a row may begin at any number. (Rows are
/// loaded and stored as what they are: GCC 12 copies 64 bytes as two halves, of which a register
/// cannot be loaded before both have left the store buffer.)
template <class Number>
class Square {
 public:
  static constexpr int side = transposed_side<Number>;

  KOKKOS_FORCEINLINE_FUNCTION void load(const Number* from, int stride) {
    load(from, stride, All());
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(std::byte* const* to, std::size_t offset) const {
    store(to, offset, All());
  }
  /// Columns become rows: log2(side) times the second half's numbers between the first half's.
  KOKKOS_FORCEINLINE_FUNCTION void transpose() {
    for (int done = 1; done < side; done *= 2) deal(All());
  }

 private:
  using Integer = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  using Row [[gnu::vector_size(side * sizeof(Number))]] = Integer;
  using RowInMemory [[gnu::aligned(alignof(Number)), gnu::may_alias]] = Row;
  using All = std::make_integer_sequence<int, side>;

  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Number* from, int stride,
                                        std::integer_sequence<int, i...>) {
    ((row_[i] = *reinterpret_cast<const RowInMemory*>(from + i * stride)), ...);
  }
  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION void store(std::byte* const* to, std::size_t offset,
                                         std::integer_sequence<int, i...>) const {
    ((*reinterpret_cast<RowInMemory*>(to[i] + offset) = row_[i]), ...);
  }
  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION void deal(std::integer_sequence<int, i...>) {
    Row dealt[side];
    for (int r = 0; r < side / 2; ++r) {
      const Row& a = row_[r];
      const Row& b = row_[r + side / 2];
      dealt[2 * r] = __builtin_shufflevector(a, b, (i / 2 + (i % 2) * side)...);
      dealt[2 * r + 1] = __builtin_shufflevector(a, b, ((i + side) / 2 + (i % 2) * side)...);
    }
    ((row_[i] = dealt[i]), ...);
  }

  Row row_[side];
};
#endif

/// transposed_side<Number> rows of lanes<Word> numbers, lane after lane: those of lane l one after
/// the other to bytes to[l][offset ..].
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION void transpose(const Number* rows, std::byte* const* to,
                                           std::size_t offset) {
  constexpr int width = lanes<Word>;
  constexpr int side = transposed_side<Number>;
#if RIVULET_HAVE_SHUFFLES
  if constexpr (side > 1) {
    for (int first = 0; first < width; first += side) {
      Square<Number> square;
      square.load(rows + first, width);
      square.transpose();
      square.store(to + first, offset);
    }
    return;
  }
#endif
  for (int l = 0; l < width; ++l) {
    for (int i = 0; i < side; ++i) {
      std::memcpy(to[l] + offset + static_cast<std::size_t>(i) * sizeof(Number),
                  rows + i * width + l, sizeof(Number));
    }
  }
}

}  // namespace rivulet::detail

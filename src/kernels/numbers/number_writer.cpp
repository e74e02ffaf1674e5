// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "machine/streaming_store.hpp"
#include "rng/word.hpp"

namespace rivulet::detail {

/// The side of the squares in transpose(): the numbers in a vector register of Word's width.
template <class Number>
inline constexpr int transposed_side = lanes<Word> > 1
                                           ? lanes<Word>* static_cast<int>(sizeof(std::uint32_t)) /
                                                 static_cast<int>(sizeof(Number))
                                           : 1;

#if RIVULET_HAVE_SHUFFLES
/// A square of numbers in vector registers. In memory, rows need only the alignment of a number.
/// Loads and stores use the vector type, not memcpy: GCC 12 copies 64 bytes as two halves, and a
/// later load of the whole register stalls until both halves have left the store buffer.
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
  /// Transposes with log2(side) perfect shuffles. Each shuffle interleaves the rows of the first
  /// half with those of the second half.
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

/// Transposes transposed_side<Number> rows of lanes<Word> numbers. The numbers of lane l are stored
/// contiguously, beginning at to[l] + offset.
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

namespace {

constexpr int width = lanes<Word>;

template <class Format>
struct Writer {
  using Integer = typename Format::Integer;
  using Out = decltype(Format::make(nullptr, 0));
  using Rows = typename NumberWriter<Integer>::Rows;

  static void write_lanes(const Integer* raw, int count, int live, const NumberLayout& layout,
                          void* to) {
    Out* const out = static_cast<Out*>(to);
    if (live == width && layout.stream_stride == 1) return write_rows(raw, count, layout, out);
    for (int i = 0; i < count; ++i) {
      for (int l = 0; l < live; ++l) {
        out[static_cast<std::uint64_t>(l) * layout.stream_stride +
            static_cast<std::uint64_t>(i) * layout.number_stride] =
            Format::make(raw + i * Format::raw * width + l, width);
      }
    }
  }

  /// Writes contiguous rows, with one number per lane.
  static void write_rows(const Integer* raw, int count, const NumberLayout& layout, Out* out) {
    for (int i = 0; i < count; ++i) {
      for (int l = 0; l < width; ++l) out[l] = Format::make(raw + l, width);
      raw += Format::raw * width;
      out += layout.number_stride;
    }
  }

  static void stream_rows(const Rows& rows, std::uint64_t stride, void* to) {
    Out* out = static_cast<Out*>(to);
    const Integer* raw = rows.raw;
    for (int i = 0; i < rows.count; ++i) {
      for (int g = 0; g < rows.groups; ++g) {
        alignas(cache_line) Out row[width];
        for (int l = 0; l < width; ++l)
          row[l] = Format::make(raw + g * rows.group_stride + l, width);
        copy_aligned<sizeof(row), true>(row, out + g * width);
      }
      raw += Format::raw * width;
      out += stride;
    }
  }

  /// Converts raw numbers to rows of numbers, and transposes the rows square by square.
  static void make_columns(const Integer* raw, int count, std::byte* const* to) {
    constexpr int side = transposed_side<Out>;
    for (int done = 0; done < count; done += side) {
      alignas(cache_line) Out rows[side * width];
      for (int i = 0; i < side; ++i) {
        for (int l = 0; l < width; ++l) {
          rows[i * width + l] = Format::make(raw + i * Format::raw * width + l, width);
        }
      }
      transpose(rows, to, static_cast<std::size_t>(done) * sizeof(Out));
      raw += side * Format::raw * width;
    }
  }

  static void write_stream(const Integer* raw, int count, std::uint64_t stride, void* to) {
    Out* const out = static_cast<Out*>(to);
    if (stride == 1) {
      for (int i = 0; i < count; ++i) out[i] = Format::make(raw + i * Format::raw, 1);
    } else {
      for (int i = 0; i < count; ++i) {
        out[static_cast<std::uint64_t>(i) * stride] = Format::make(raw + i * Format::raw, 1);
      }
    }
  }

  static void write_stream_non_temporal(const Integer* raw, int count, void* to) {
    constexpr int in_line = static_cast<int>(cache_line / sizeof(Out));
    Out* const out = static_cast<Out*>(to);
    const auto begin =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % cache_line / sizeof(Out));
    const int head = std::min((in_line - begin) % in_line, count);
    const int lines = (count - head) / in_line * in_line;
    const auto write_number = [&](int i) {
      stream_number(Format::make(raw + i * Format::raw, 1), out + i);
    };
    for (int i = 0; i < head; ++i) write_number(i);
    for (int i = head; i < head + lines; i += in_line) {
      alignas(cache_line) Out line[in_line];
      for (int k = 0; k < in_line; ++k) line[k] = Format::make(raw + (i + k) * Format::raw, 1);
      copy_cache_line<true>(line, out + i);
    }
    for (int i = head + lines; i < count; ++i) write_number(i);
  }
};

}  // namespace

template <int bits>
NumberWriter<RawInteger<bits>> number_writer(NumberType type, Interval interval) {
  const bool is_usual = interval == Interval::closed_open;
  return with_number_format<bits>(type, interval, [type, is_usual](auto format) {
    using Format = typename decltype(format)::type;
    return NumberWriter<RawInteger<bits>>{Format::raw,
                                          number_bytes(type),
                                          type == NumberType::uint32,
                                          type == NumberType::float32 && is_usual,
                                          Writer<Format>::write_lanes,
                                          Writer<Format>::stream_rows,
                                          Writer<Format>::make_columns,
                                          Writer<Format>::write_stream,
                                          Writer<Format>::write_stream_non_temporal};
  });
}

template NumberWriter<std::uint32_t> number_writer<24>(NumberType, Interval);
template NumberWriter<std::uint32_t> number_writer<32>(NumberType, Interval);
template NumberWriter<std::uint64_t> number_writer<48>(NumberType, Interval);
template NumberWriter<std::uint32_t> number_writer<64>(NumberType, Interval);

}  // namespace rivulet::detail

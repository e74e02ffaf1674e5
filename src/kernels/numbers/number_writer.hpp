// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/numbers/number_source.hpp"
#include "rng/word.hpp"

namespace rivulet::detail {

/// CPU functions that convert raw numbers to numbers of a type and interval, and write the results
/// to memory. Generators whose raw numbers have the same width share a writer. Otherwise, the
/// functions would be compiled for each generator, type and interval.
template <class Integer>
struct NumberWriter {
  int raw = 1;  ///< raw numbers per number
  std::size_t bytes = 8;
  /// True if the numbers are 32-bit words.
  bool is_words = false;
  /// True if the numbers are floats in [0, 1).
  bool is_floats = false;

  /// Writes `count` numbers for each of the first `live` lanes. Raw number r of number i of lane l
  /// is raw[(i * this->raw + r) * lanes<Word> + l].
  void (*write_lanes)(const Integer* raw, int count, int live, const NumberLayout& layout,
                      void* out) = nullptr;
  /// Raw numbers of adjacent groups of lanes<Word> streams. Raw number r of number i of lane l of
  /// group g is raw[g * group_stride + (i * this->raw + r) * lanes<Word> + l].
  struct Rows {
    const Integer* raw;
    int groups;
    int group_stride;
    int count;  ///< numbers per lane
  };
  /// Writes rows, which are `stride` numbers apart, with non-temporal stores. Rows must begin and
  /// end at cache line boundaries.
  void (*stream_rows)(const Rows& rows, std::uint64_t stride, void* out) = nullptr;
  /// Writes `count` numbers of every lane contiguously, beginning at out[lane]. `raw` has the
  /// layout of write_lanes(). May overwrite up to one vector of bytes after the numbers.
  void (*make_columns)(const Integer* raw, int count, std::byte* const* out) = nullptr;
  /// Writes `count` numbers of one stream with a stride of `stride` numbers.
  void (*write_stream)(const Integer* raw, int count, std::uint64_t stride, void* out) = nullptr;
  /// Writes `count` numbers of one stream contiguously, with non-temporal stores.
  void (*write_stream_non_temporal)(const Integer* raw, int count, void* out) = nullptr;
};

/// The integer type of raw numbers. `bits` is the parameter of NumberFormat.
template <int bits>
using RawInteger = std::conditional_t<bits == 48, std::uint64_t, std::uint32_t>;
template <int bits>
NumberWriter<RawInteger<bits>> number_writer(NumberType type, Interval interval);

extern template NumberWriter<std::uint32_t> number_writer<24>(NumberType, Interval);
extern template NumberWriter<std::uint32_t> number_writer<32>(NumberType, Interval);
extern template NumberWriter<std::uint64_t> number_writer<48>(NumberType, Interval);
extern template NumberWriter<std::uint32_t> number_writer<64>(NumberType, Interval);

/// Calls use(zero) with a zero of the type.
template <class Use>
auto with_number_type(NumberType type, const Use& use) {
  switch (type) {
    case NumberType::uint32:
      return use(std::uint32_t{});
    case NumberType::uint64:
      return use(std::uint64_t{});
    case NumberType::float32:
      return use(float{});
    case NumberType::float64:
      break;
  }
  return use(double{});
}

/// Calls use(std::type_identity<Format>{}) with the NumberFormat of a type and interval.
template <int bits, class Use>
auto with_number_format(NumberType type, Interval interval, const Use& use) {
  return with_number_type(type, [&](auto zero) {
    using Number = decltype(zero);
    if constexpr (std::is_floating_point_v<Number>) {
      switch (interval) {
        case Interval::open:
          return use(std::type_identity<NumberFormat<bits, Number, Interval::open>>{});
        case Interval::open_closed:
          return use(std::type_identity<NumberFormat<bits, Number, Interval::open_closed>>{});
        case Interval::closed:
          return use(std::type_identity<NumberFormat<bits, Number, Interval::closed>>{});
        case Interval::zero_replaced:
          return use(std::type_identity<NumberFormat<bits, Number, Interval::zero_replaced>>{});
        case Interval::closed_open:
          break;
      }
    }
    return use(std::type_identity<NumberFormat<bits, Number, Interval::closed_open>>{});
  });
}

/// Calls use(std::integral_constant<int, bits>{}) for `bits` from
/// StreamPlan::generator().format_bits.
template <class Use>
auto with_format_bits(int bits, const Use& use) {
  switch (bits) {
    case 24:
      return use(std::integral_constant<int, 24>{});
    case 48:
      return use(std::integral_constant<int, 48>{});
    case 64:
      return use(std::integral_constant<int, 64>{});
    default:
      return use(std::integral_constant<int, 32>{});
  }
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/distributions/log_normal.hpp"
#include "sampling/law.hpp"

// This file defines number formats for a GPU, and a consumer that writes numbers from registers to
// memory.

namespace rivulet {

/// Converts raw numbers to the same floating-point numbers as NumberFormat, bit for bit. The
/// interval is chosen at run time, so rarely used intervals share a kernel.
template <int bits, class Real>
class AnyIntervalFormat {
  using Usual = NumberFormat<bits, Real, Interval::closed_open>;

 public:
  using Integer = typename Usual::Integer;

 private:
  /// `k`: bits per number. `lowest`: index of the raw number with the lowest bits. `unused_bits`:
  /// unused low bits of that raw number.
  static constexpr bool is_float = std::is_same_v<Real, float>;
  static constexpr int k = is_float ? 24 : Usual::raw_bits == 32 ? 53 : bits;
  static constexpr int lowest = bits == 64 ? 0 : Usual::raw - 1;
  static constexpr int unused_bits = is_float     ? Usual::raw_bits - 24
                                     : bits == 64 ? 11
                                     : bits == 32 ? 6
                                                  : 0;
  static constexpr auto size = static_cast<Real>(std::uint64_t{1} << k);

 public:
  static constexpr int raw = Usual::raw;

  explicit AnyIntervalFormat(Interval interval) {
    constexpr Real unit = 1 / size;
    constexpr bool half_fits = !is_float && k < 53;
    if (interval == Interval::open && half_fits) {
      offset_ = unit / 2;
    } else if (interval == Interval::open) {
      odd_ = Integer{1} << unused_bits;
    } else if (interval == Interval::open_closed) {
      offset_ = unit;
    } else if (interval == Interval::closed) {
      // n / (2^k - 1) is n 2^-k (1 + relative_). The rounding error of relative_ does not change
      // the result: no quotient is close enough to a rounding boundary.
      relative_ = 1 / (size - 1);
    } else if (interval == Interval::zero_replaced) {
      min_ = unit;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Real make(const Integer* from, int stride) const {
    Integer raws[raw];
    for (int r = 0; r < raw; ++r) raws[r] = from[r * stride];
    raws[lowest] |= odd_;
    const Real exact = Usual::make(raws, 1) + offset_;
    const Real number = std::fma(exact, relative_, exact);
    return number < min_ ? min_ : number;
  }

 private:
  Integer odd_ = 0;
  Real offset_ = 0;
  Real relative_ = 0;
  Real min_ = 0;
};

/// Converts raw numbers to numbers of a law, in registers. The results equal those of apply(), bit
/// for bit.
template <int bits, class Real>
class LawFormat {
  using Open = NumberFormat<bits, Real, Interval::open>;
  using OpenClosed = NumberFormat<bits, Real, Interval::open_closed>;

 public:
  using Integer = typename Open::Integer;
  static constexpr int raw = Open::raw;

  explicit LawFormat(const Law& law)
      : kind_(law.kind), a_(static_cast<Real>(law.a)), b_(static_cast<Real>(law.b)) {}

  KOKKOS_FORCEINLINE_FUNCTION Real make(const Integer* from, int stride) const {
    if (kind_ == Law::Kind::exponential) {
      return detail::product(a_, detail::MinusLog{}(OpenClosed::make(from, stride)));
    }
    const Real unit = Open::make(from, stride);
    if (kind_ == Law::Kind::log_normal) return detail::LogNormalOf{}(unit, a_, b_);
    return detail::sum(a_, detail::product(b_, detail::StandardNormal{}(unit)));
  }

 private:
  Law::Kind kind_;  ///< must not be uniform
  Real a_;
  Real b_;
};

/// A consumer that converts raw numbers to a format and stores the results.
template <class Format>
class StoreFormat {
 public:
  using Integer = typename Format::Integer;
  using Out = decltype(std::declval<const Format&>().make(nullptr, 1));
  static constexpr const char* label = "rivulet::draw_numbers";
  static constexpr ItemShape shape{Format::raw, true};
  static constexpr int item_bytes = static_cast<int>(sizeof(Out));

  StoreFormat(const Format& format, const NumberPlaces& places, Out* to)
      : format_(format), places_(places), to_(to) {}

  using Local = Out*;
  KOKKOS_FORCEINLINE_FUNCTION Local begin(std::uint64_t i) const { return to_ + places_.offset(i); }
  KOKKOS_FORCEINLINE_FUNCTION void item(const Local& out, std::uint64_t k,
                                        const Integer* raw) const {
    out[k * places_.layout.number_stride] = make(raw);
  }
  KOKKOS_FORCEINLINE_FUNCTION void end(const Local&, std::uint64_t) const {}

  KOKKOS_FUNCTION std::uint64_t number_stride() const { return places_.layout.number_stride; }
  KOKKOS_FORCEINLINE_FUNCTION Out make(const Integer* raw) const { return format_.make(raw, 1); }

  // The next functions store rows: one number from each of a thread's adjacent streams
  // (by_thread.hpp).

  using RowLocal = Out*;
  /// True if every row of `width` streams is contiguous, and aligned to its size.
  bool takes_rows(int width) const {
    const auto row_streams = static_cast<std::uint64_t>(width);
    const bool in_rows = places_.segment_stride == 0 || places_.streams % row_streams == 0;
    return in_rows && places_.layout.stream_stride == 1 &&
           places_.layout.number_stride % row_streams == 0 &&
           places_.segment_stride % row_streams == 0 &&
           reinterpret_cast<std::uintptr_t>(to_) % (row_streams * sizeof(Out)) == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION RowLocal rows_from(const Local& out, std::uint64_t k) const {
    return out + k * places_.layout.number_stride;
  }
  template <class Wide>
  KOKKOS_FORCEINLINE_FUNCTION void row(RowLocal& out, const Wide* raw) const {
    Pack<lanes<Wide>> numbers;
    for (int l = 0; l < lanes<Wide>; ++l) {
      Integer raws[Format::raw];
      for (int r = 0; r < Format::raw; ++r) raws[r] = WordTraits<Wide>::lane(raw[r], l);
      numbers.number[l] = make(raws);
    }
    *reinterpret_cast<Pack<lanes<Wide>>*>(out) = numbers;
    out += places_.layout.number_stride;
  }

  // The next functions store runs: contiguous numbers of one stream (by_warp.hpp).

  KOKKOS_FORCEINLINE_FUNCTION static Local moved(const Local& out, std::uint64_t k) {
    return out + k;
  }
  /// Returns how many items before the stream's state the lanes must begin, so that their writes
  /// are aligned to lines or sectors of memory. On a GPU, writes of partial lines take up to 1.4
  /// times as long.
  KOKKOS_FORCEINLINE_FUNCTION int steps_back(const Local& out, std::uint64_t skip,
                                             int count) const {
    if (places_.layout.number_stride != 1) return 0;
    return static_cast<int>((reinterpret_cast<std::uintptr_t>(out) / sizeof(Out) - skip) %
                            static_cast<std::uint64_t>(count));
  }
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION bool takes_run(const Local& out, std::uint64_t k) const {
    return places_.layout.number_stride == 1 &&
           reinterpret_cast<std::uintptr_t>(out + k) % sizeof(Pack<count>) == 0;
  }
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Local& out, std::uint64_t k, const Integer* raw,
                                       bool live) const {
    Pack<count> numbers;
    for (int j = 0; j < count; ++j) numbers.number[j] = make(raw + j * Format::raw);
    if (live) *reinterpret_cast<Pack<count>*>(out + k) = numbers;
  }

 private:
  template <int count>
  struct alignas(count * sizeof(Out)) Pack {
    Out number[count];
  };

  Format format_;
  NumberPlaces places_;
  Out* to_;
};

}  // namespace rivulet

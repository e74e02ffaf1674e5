// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"
#include "rivulet/detail/text.hpp"
#include "rivulet/streams.hpp"

namespace rivulet {

/// Storage type for half-precision numbers (IEEE 754 binary16), with the same bits for every
/// compiler and backend: `const Half x(0.5F);`. The conversion from float rounds to nearest, ties
/// to even. A NaN becomes 0x7e00 or 0xfe00.
struct Half {
  std::uint16_t bits;

  Half() = default;
  KOKKOS_FORCEINLINE_FUNCTION Half(float x) : bits(0) {
    const auto all = detail::bits_as<std::uint32_t>(x);
    const std::uint32_t size = all & 0x7fffffff;
    std::uint32_t half = 0x7c00;
    if (size > 0x7f800000) {
      half = 0x7e00;
    } else if (size < 0x38800000) {  // subnormal: the sum's last bit is 2^-24
      const float sum = detail::bits_as<float>(size) + 0.5F;
      half = detail::bits_as<std::uint32_t>(sum) - 0x3f000000;
    } else if (size < 0x477ff000) {  // rounds to 65504 at most
      half = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
    }
    bits = static_cast<std::uint16_t>((all >> 16 & 0x8000) | half);
  }
  KOKKOS_FORCEINLINE_FUNCTION operator float() const {
    const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
    const std::uint32_t size = bits & 0x7fffU;
    if (size < 0x400) {
      const float small = static_cast<float>(size) * 0x1p-24F;
      return detail::bits_as<float>(sign | detail::bits_as<std::uint32_t>(small));
    }
    const std::uint32_t exponent = size < 0x7c00 ? 0x38000000 : 0x70000000;
    return detail::bits_as<float>(sign | ((size << 13) + exponent));
  }
};

/// Storage type for bfloat16 numbers, the upper half of a float, with the same bits everywhere and
/// the same rounding as Half: `const BFloat16 x(0.5F);`. A NaN becomes 0x7fc0 or 0xffc0.
struct BFloat16 {
  std::uint16_t bits;

  BFloat16() = default;
  KOKKOS_FORCEINLINE_FUNCTION BFloat16(float x) : bits(0) {
    const auto all = detail::bits_as<std::uint32_t>(x);
    const std::uint32_t size = all & 0x7fffffff;
    const std::uint32_t upper =
        size > 0x7f800000 ? 0x7fc0 : (size + 0x7fff + (size >> 16 & 1)) >> 16;
    bits = static_cast<std::uint16_t>((all >> 16 & 0x8000) | upper);
  }
  KOKKOS_FORCEINLINE_FUNCTION operator float() const {
    return detail::bits_as<float>(std::uint32_t{bits} << 16);
  }
};

namespace detail {

/// Number of significand bits of a 16-bit floating-point type, including the implicit bit; 0 for
/// other types.
template <class Number>
inline constexpr int short_digits = 0;
template <>
inline constexpr int short_digits<Half> = 11;
template <>
inline constexpr int short_digits<BFloat16> = 8;
// Kokkos defines half_t and bhalf_t as float on backends without these types.
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
template <>
inline constexpr int short_digits<Kokkos::Experimental::half_t> = 11;
#endif
#if defined(KOKKOS_BHALF_T_IS_FLOAT) && !KOKKOS_BHALF_T_IS_FLOAT
template <>
inline constexpr int short_digits<Kokkos::Experimental::bhalf_t> = 8;
#endif

/// Returns a number in the interval, made from the upper `digits` bits of one raw number.
template <int digits, Interval interval, class Rng>
KOKKOS_FORCEINLINE_FUNCTION float draw_short(Rng& rng) {
  const auto raw = next_of<std::uint64_t>(rng) >> (EngineBits<Rng>::value - digits);
  return unit_real<digits, float, interval>(static_cast<std::int32_t>(raw));
}

}  // namespace detail

/// The default distribution of fill(), with the interval [0, 1). Pass for example
/// `StandardUniform<float, Interval::open>()` for another interval. Floating-point numbers are
/// uniform in the interval. 32-bit and 64-bit unsigned integers are uniform over their whole range
/// (docs/fill.md).
///
/// A 16-bit floating-point number is made from the upper k bits of one raw number, as an integer n.
/// k is 11 for Half and Kokkos::Experimental::half_t, and 8 for BFloat16 and bhalf_t. The number is
/// n 2^-k in [0, 1), (n | 1) 2^-k in (0, 1), (n + 1) 2^-k in (0, 1], and n / (2^k - 1), rounded, in
/// [0, 1].
template <class Number, Interval interval = Interval::closed_open>
struct StandardUniform {
  static constexpr int digits = detail::short_digits<Number>;
  static_assert(
      detail::is_real<Number> || digits > 0 || std::is_same_v<Number, std::uint32_t> ||
          std::is_same_v<Number, std::uint64_t>,
      "without a distribution rivulet::fill fills views of float, double, rivulet::Half, "
      "rivulet::BFloat16, std::uint32_t or std::uint64_t. Give it a distribution for others");
  using result_type = Number;
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(Rng& rng) const {
    if constexpr (digits > 0) {
      return Number(detail::draw_short<digits, interval>(rng));
    } else {
      return detail::draw_number<Number, interval>(rng);
    }
  }
};

namespace detail {

/// The distribution with which fill() fills a view if the caller passes none.
template <class View>
struct DefaultFill {
  using type = StandardUniform<double>;  // not a view: fill() reports it by a static_assert
};
template <class View>
requires(Kokkos::is_view<View>::value) struct DefaultFill<View> {
  using type = StandardUniform<typename View::non_const_value_type>;
};

/// Maps streams to the elements of a rank-1 view: element j is from stream j % streams.
template <class View>
struct Interleaved {
  View view;
  std::uint64_t streams;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t count(std::uint64_t stream) const {
    const std::uint64_t size = view.extent(0);
    return size / streams + (stream < size % streams ? 1 : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) at(std::uint64_t stream, std::uint64_t i) const {
    return view(i * streams + stream);
  }
};

/// Maps streams to the rows of a rank-2 view: row s is from stream s.
template <class View>
struct Rows {
  View view;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t count(std::uint64_t) const { return view.extent(1); }
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) at(std::uint64_t stream, std::uint64_t i) const {
    return view(stream, i);
  }
};

template <class Streams, class Elements, class Distribution>
struct Fill {
  Streams streams;
  Elements elements;
  Distribution distribution;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    auto rng = streams.open(stream);
    const std::uint64_t count = elements.count(stream);
    for (std::uint64_t i = 0; i < count; ++i) elements.at(stream, i) = distribution(rng);
    streams.close(stream, rng);
  }
};

}  // namespace detail

/// Fills a view with the streams' next numbers, and advances each stream by the numbers drawn.
/// Asynchronous. Throws Error if there are too few streams.
/// \code
/// fill(exec, streams, view, Normal<double>(5, 2));
/// \endcode
/// In a view of rank 1, element j is the next number of stream j % count(). In a view of rank 2,
/// with at most count() rows, row s stores the next numbers of stream s. Kernels call a const copy
/// of the distribution with an engine, once per element.
///
/// The view may have any layout. Its elements must not be const, and kernels of `exec` must be able
/// to access its memory. `exec` is an instance of the streams' execution space. Without a
/// distribution, the element type must be float, double, Half, BFloat16, Kokkos' half_t or bhalf_t,
/// std::uint32_t or std::uint64_t. For an empty view the call is a no-op.
template <class Exec, class Generator, class StreamsExec, class Mem, class View,
          class Distribution = typename detail::DefaultFill<View>::type>
void fill(const Exec& exec, const Streams<Generator, StreamsExec, Mem>& streams, const View& view,
          const Distribution& distribution = {}) {
  static_assert(
      std::is_same_v<Exec, StreamsExec>,
      "rivulet::fill runs where the streams are: give an instance of their execution space");
  static_assert(Kokkos::is_view<View>::value, "rivulet::fill fills a Kokkos::View");
  static_assert(View::rank == 1 || View::rank == 2, "rivulet::fill fills views of rank 1 or 2");
  static_assert(!std::is_const_v<typename View::value_type>,
                "rivulet::fill writes to the view: its elements must not be const");
  static_assert(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                "kernels of the execution space cannot reach the view's memory. Fill a view in "
                "Exec::memory_space, and copy it with Kokkos::deep_copy");
  if (view.size() == 0) return;
  if (streams.count() == 0) {
    throw Error("a view cannot be filled from 0 streams", "every number comes from a stream",
                "Set StreamsOptions::count to 1 or more.");
  }
  const std::uint64_t rows = View::rank == 1 ? 1 : view.extent(0);
  if (streams.count() < rows) {
    throw Error(detail::text_of(rows, " rows cannot be filled from ", streams.count(), " streams"),
                "each row takes a stream of its own",
                detail::text_of("Set StreamsOptions::count to ", rows, " or more."));
  }
  const auto run = [&](std::uint64_t count, const auto& elements) {
    Kokkos::parallel_for(
        "rivulet::fill", detail::StreamRange64<Exec>(exec, 0, count),
        detail::Fill<Streams<Generator, Exec, Mem>, std::decay_t<decltype(elements)>, Distribution>{
            streams, elements, distribution});
  };
  if constexpr (View::rank == 1) {
    run(streams.count(), detail::Interleaved<View>{view, streams.count()});
  } else {
    run(rows, detail::Rows<View>{view});
  }
}

/// Fills a view of rank 1, for example in scratch memory, from the stream that a team opened:
/// `fill(team, rng, view, Exponential<double>());`. The values equal those that a single engine of
/// the stream would draw, element 0 first, for any team size. One draw may use any count of raw
/// numbers (twisters and RANMAR: at most 256). Twisters and RANMAR also need
/// Streams::team_fill_bytes() bytes of level-0 scratch memory per opened stream. Collective over
/// the team's threads; no thread returns before all elements are written.
template <detail::TeamMember Team, class TeamStream, class View,
          class Distribution = typename detail::DefaultFill<View>::type>
requires requires(TeamStream& rng, const Team& team) { rng.close(team); }
KOKKOS_FUNCTION void fill(const Team& team, TeamStream& rng, const View& view,
                          const Distribution& distribution = {}) {
  static_assert(Kokkos::is_view<View>::value && View::rank == 1,
                "a team's rivulet::fill needs a Kokkos::View of rank 1");
  rng.fill(team, view.extent(0), distribution, view);
}

}  // namespace rivulet

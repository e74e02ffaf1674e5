// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {
namespace detail {

/// How many numbers of a format fill a generator's rounds.
template <class Streams, class Format>
struct FormatPeriod {
  static constexpr NumberPeriod period{Streams::round_numbers, Format::raw};
  static constexpr int numbers = period.numbers;
  static constexpr int rounds = period.rounds;
};

/// A generator's streams in a thread of a device: several side by side, or one.
template <class Streams, int width>
struct ThreadStreams {
  using W = SideBySide<width>;
  using Group = W;
  using Bounds = typename Streams::SideBySideBounds;
};
template <class Streams>
struct ThreadStreams<Streams, 1> {
  using W = typename Streams::Integer;
  using Group = Word;
  using Bounds = typename Streams::Bounds;
};

/// The lane mapping on a device: `width` streams a thread, from registers to memory without a stop.
/// Several are for whole groups of streams whose numbers lie side by side, at multiples of their
/// size.
template <class Streams, class Format, class Out, int width = 1>
struct DrawThread {
  using Period = FormatPeriod<Streams, Format>;
  using Thread = ThreadStreams<Streams, width>;
  using Engine = typename Streams::template EngineOf<typename Thread::Group>;
  using W = typename Thread::W;
  using Bounds = typename Thread::Bounds;

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  Out* to;

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    const std::uint64_t first = thread * width;
    Engine engine = streams.template load<typename Thread::Group>(what.piece.first + first);
    const PieceCut cut(what, first, Period::numbers);
    std::uint64_t skip = cut.skip;
    std::uint64_t left = cut.left;
    Out* out = to + layout.place(first);
    for (bool more = true; more;) {
      if (skip == 0) draw_periods(engine, left, out);
      more = left >= Period::numbers;
      if (!more) streams.store(what.piece.first + first, engine);
      if (left > 0) draw_part(engine, skip, left, out);
      out += (Period::numbers - skip) * layout.numbers.number_stride;
      left -= more ? Period::numbers : 0;
      skip = 0;
    }
  }

  /// All whole periods.
  KOKKOS_FORCEINLINE_FUNCTION void draw_periods(Engine& engine, std::uint64_t& left,
                                                Out*& out) const {
    const std::uint64_t stride = layout.numbers.number_stride;
    for (; left >= Period::numbers; left -= Period::numbers) {
      draw(engine, [&out, stride](int, const Row& row) RIVULET_INLINE_LAMBDA {
        *reinterpret_cast<Row*>(out) = row;
        out += stride;
      });
    }
  }

  /// Numbers from .. upto-1 of a period, as far as it has them.
  KOKKOS_FORCEINLINE_FUNCTION void draw_part(Engine& engine, std::uint64_t from, std::uint64_t upto,
                                             Out* out) const {
    const std::uint64_t stride = layout.numbers.number_stride;
    draw(engine, [=, &out](int i, const Row& row) RIVULET_INLINE_LAMBDA {
      const auto index = static_cast<std::uint64_t>(i);
      if (index < from || index >= upto) return;
      *reinterpret_cast<Row*>(out) = row;
      out += stride;
    });
  }

  /// A number of each of the thread's streams.
  struct alignas(width * sizeof(Out)) Row {
    Out number[width];
  };

  /// A period's numbers, each to use(index, row).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(Engine& engine, Use&& use) {
    W raw[Format::raw];
    draw_rounds(engine, raw, use, std::make_integer_sequence<int, Period::rounds>{});
  }
  template <class Use, int... round>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_rounds(Engine& engine, W (&raw)[Format::raw],
                                                      Use&& use,
                                                      std::integer_sequence<int, round...>) {
    (draw_round<round>(engine, raw, use), ...);
  }
  template <int round, class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round(Engine& engine, W (&raw)[Format::raw],
                                                     Use&& use) {
    engine.draw_each([&raw, &use](int k, const W& number) RIVULET_INLINE_LAMBDA {
      const int index = round * Streams::round_numbers + k;
      raw[index % Format::raw] = number;
      if ((index + 1) % Format::raw == 0) use(index / Format::raw, made_of(raw));
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION static Row made_of(const W (&raw)[Format::raw]) {
    Row row;
    for (int l = 0; l < width; ++l) {
      typename Streams::Integer own[Format::raw];
      for (int r = 0; r < Format::raw; ++r) own[r] = WordTraits<W>::lane(raw[r], l);
      row.number[l] = Format::make(own, 1);
    }
    return row;
  }
};

template <int width, class Format, class Streams, class Out>
void launch_threads(const Space& space, const Streams& streams, const DrawnPiece& what,
                    const DrawnLayout& layout, Out* to) {
  using Body = DrawThread<Streams, Format, Out, width>;
  for_each_stream_lane(space, "rivulet::draw_numbers", what.piece.streams / width,
                       Body{streams, what, layout, to});
}

/// Whether groups of `width` streams are complete, and their numbers side by side at multiples of
/// their size.
template <class Out>
bool fits_side_by_side(std::uint64_t width, const DrawnPiece& what, const DrawnLayout& layout,
                       const Out* to) {
  const bool whole = !what.is_cut() || what.segments.whole.streams % width == 0;
  return whole && layout.numbers.stream_stride == 1 && layout.numbers.number_stride % width == 0 &&
         layout.segment_stride % width == 0 && what.piece.streams % width == 0 &&
         reinterpret_cast<std::uintptr_t>(to) % (width * sizeof(Out)) == 0;
}

/// Launches a device's lane mapping. A thread writes 16 bytes at a time where it can; that is
/// fastest to memory from a multiple of 256 bytes on (unit_view()).
template <class Streams, class Format, class Out>
void draw_by_threads(const Space& space, const Streams& streams, const DrawnPiece& what,
                     const DrawnLayout& layout, Out* to) {
  constexpr int width = std::min(Streams::most_side_by_side, static_cast<int>(16 / sizeof(Out)));
  if constexpr (width > 1) {
    if (fits_side_by_side(width, what, layout, to)) {
      launch_threads<width, Format>(space, streams, what, layout, to);
      return;
    }
  }
  launch_threads<1, Format>(space, streams, what, layout, to);
}

}  // namespace detail
}  // namespace rivulet

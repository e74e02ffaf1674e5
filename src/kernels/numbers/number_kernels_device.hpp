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
namespace impl {

/// How many numbers of a format fill a generator's rounds.
template <class Streams, class Format>
struct FormatPeriod {
  static constexpr NumberPeriod period{Streams::round_numbers, Format::raw};
  static constexpr int numbers = period.numbers;
  static constexpr int rounds = period.rounds;
};

/// A format for DrawTeam, as it is compiled.
template <class Format, class Out>
struct DeviceFormat {
  using Integer = typename Format::Integer;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int raw() { return Format::raw; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t bytes() { return sizeof(Out); }

  template <class Lanes>
  KOKKOS_FUNCTION void write(const Lanes& lanes, const Integer* raw, int count,
                             std::uint64_t stride, std::byte* to) const {
    Out* const out = reinterpret_cast<Out*>(to);
    if (stride == 1) {
      lanes.each(count, [=](int i) { out[i] = Format::make(raw + i * Format::raw, 1); });
    } else {
      lanes.each(count, [=](int i) {
        out[static_cast<std::uint64_t>(i) * stride] = Format::make(raw + i * Format::raw, 1);
      });
    }
  }
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

/// Whether groups of so many streams are whole, and their numbers side by side at multiples of
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

#if RIVULET_LANES_HAND_ON
/// The team mapping of generators with an engine for warps: some numbers per lane at a time, those
/// of all lanes side by side in memory where the layout has a stream's numbers side by side.
template <class Streams, class Format, class Out>
struct DrawWarp {
  using Period = FormatPeriod<Streams, Format>;
  using Engine = typename Streams::WarpEngine;
  using Integer = typename Streams::Integer;
  /// Numbers per lane, and of the warp, at a time.
  static constexpr int own = Engine::numbers_per_lane;
  static constexpr auto step = static_cast<std::uint64_t>(team_lanes * own);
  /// Of which so many are made in a row: the engine's steps are short.
  static constexpr int unrolled = own == 1 ? 4 : 1;
  static constexpr int period = Period::numbers;
  /// Steps of the engine for so many numbers.
  static constexpr int raw = Format::raw;
  /// Whether lanes hand each other what they need in registers, or through scratch memory.
  static constexpr bool hand_on = (raw & (raw - 1)) == 0;
  static constexpr std::size_t engine_bytes = whole_scratch(Engine::scratch_bytes);
  static constexpr std::size_t scratch_bytes() {
    return engine_bytes + (hand_on ? 0 : raw * team_lanes * sizeof(Integer));
  }

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  DeviceFormat<Format, Out> format;
  std::byte* to;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    const PieceCut cut(what, stream, period);
    if (cut.left == 0) return;
    Out* const out = reinterpret_cast<Out*>(to) + layout.place(stream);
    const int back = steps_back(out, cut);
    Engine engine(lanes, streams, what.piece.first + stream, scratch, back * raw);
    const Span span(cut, back);
    auto* const numbers =
        reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes);
    std::uint64_t done = 0;
    while (done < span.begin) draw_checked(lanes, engine, stream, span, done, numbers, out);
    while (done + unrolled * step < span.resting) {
      for (int i = 0; i < unrolled; ++i, done += step) {
        Integer made[raw * own];
        for (int r = 0; r < raw; ++r) engine.next(lanes, made + r * own);
        const int place = gather(lanes, engine.lane(), numbers, made);
        const std::uint64_t first = done + static_cast<std::uint64_t>(place) - span.begin;
        for (int j = 0; j < own; ++j) {
          at(out, first + static_cast<std::uint64_t>(j * team_lanes)) =
              Format::make(made + j * raw, 1);
        }
      }
    }
    while (done < span.end) draw_checked(lanes, engine, stream, span, done, numbers, out);
  }

  /// Numbers are counted from where the warp begins. The piece is begin .. end-1; the stream comes
  /// to rest at `resting`, or stays where it was if that is 0.
  struct Span {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t resting;

    KOKKOS_FUNCTION Span(const PieceCut& cut, int back)
        : begin(cut.skip + static_cast<std::uint64_t>(back)),
          end(cut.left + static_cast<std::uint64_t>(back)),
          resting(cut.left < period
                      ? 0
                      : cut.left / period * period + static_cast<std::uint64_t>(back)) {}
  };

  /// Numbers before the stream's resting place that the warp begins, so that it writes whole lines
  /// of memory: lines in parts take a GPU up to 1.4 times as long.
  KOKKOS_FUNCTION int steps_back(const Out* out, const PieceCut& cut) const {
    if (raw > 2 || layout.numbers.number_stride != 1) return 0;
    return static_cast<int>((reinterpret_cast<std::uintptr_t>(out) / sizeof(Out) - cut.skip) %
                            team_lanes);
  }

  KOKKOS_FORCEINLINE_FUNCTION Out& at(Out* out, std::uint64_t i) const {
    return out[i * layout.numbers.number_stride];
  }

  /// From the order of drawing to that of use: of every `raw` rows of a raw number per lane, made
  /// are those of the number whose place among team_lanes is returned.
  KOKKOS_FORCEINLINE_FUNCTION static int gather(const StreamLanes& lanes, int lane,
                                                Integer* numbers, Integer (&made)[raw * own]) {
    int place = lane;
    for (int j = 0; j < own; ++j) {
      if constexpr (hand_on) {
        place = lanes.template gather<raw>(lane, made + j * raw);
      } else {
        turn(lanes, numbers, made + j * raw);
      }
    }
    return place;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void turn(const StreamLanes& lanes, Integer* numbers,
                                               Integer* rows) {
    lanes.each(team_lanes, [&](int lane) {
      for (int r = 0; r < raw; ++r) numbers[r * team_lanes + lane] = rows[r];
    });
    lanes.each(team_lanes, [&](int lane) {
      for (int r = 0; r < raw; ++r) rows[r] = numbers[lane * raw + r];
    });
  }

  /// A step in which the piece begins or ends, or the stream comes to rest.
  KOKKOS_FUNCTION void draw_checked(const StreamLanes& lanes, Engine& engine, std::uint64_t stream,
                                    const Span& span, std::uint64_t& done, Integer* numbers,
                                    Out* out) const {
    Integer made[raw * own];
    for (int r = 0; r < raw; ++r) {
      engine.next(lanes, made + r * own);
      const std::uint64_t drawn = done * raw + static_cast<std::uint64_t>(r + 1) * step;
      const std::uint64_t ago = drawn - span.resting * raw;  // wraps where that is still to come
      if (span.resting > 0 && ago < step) {
        engine.store(lanes, static_cast<int>(ago), streams, what.piece.first + stream);
      }
    }
    const int place = gather(lanes, engine.lane(), numbers, made);
    for (int j = 0; j < own; ++j) {
      const std::uint64_t i = done + static_cast<std::uint64_t>(j * team_lanes + place);
      if (i >= span.begin && i < span.end) {
        at(out, i - span.begin) = Format::make(made + j * raw, 1);
      }
    }
    done += step;
  }
};
#endif

}  // namespace impl
}  // namespace rivulet

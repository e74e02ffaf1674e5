// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "kernels/generators/generator_type.hpp"
#include "kernels/generators/warp_engine.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_kernels_device.hpp"

namespace rivulet::detail {

/// The team mapping on a device: each lane some numbers of its stream at a time, those of a
/// stream's lanes side by side in memory where the layout has its numbers so.
template <class Streams, class Format>
struct DrawWarp;
#if RIVULET_LANES_SHUFFLE
template <class Streams, class Format>
struct DrawWarp {
  using Engine = typename Streams::WarpEngine;
  using Integer = typename Streams::Integer;
  using Out = NumberOf<Format>;
  static constexpr int period = FormatPeriod<Streams, Format>::numbers;
  static constexpr int members = Engine::members;
  static constexpr int run = Engine::run;
  /// Raw numbers of a number.
  static constexpr int raw = Format::raw;
  /// Whether lanes hand each other what they need in registers, or through scratch memory.
  static constexpr bool hand_on = (raw & (raw - 1)) == 0;
  /// Rows, and steps, of raw numbers whose numbers are whole in each lane: two where one is less
  /// than 64 bytes of memory in the lanes of a stream. (Measured on an H200: 64 bytes by 8 lanes
  /// 1.2 times as fast as 32, and by 4 lanes, in four rows, 0.93 times, with more registers.)
  static constexpr int whole_rows = !hand_on ? raw : raw > run ? raw / run : 1;
  static constexpr int row_bytes = members * whole_rows * run / raw * static_cast<int>(sizeof(Out));
  static constexpr int rows = hand_on && whole_rows == 1 && row_bytes < 64 ? 2 : whole_rows;
  /// Groups of `rows` rows in a number of steps; a lane's raw numbers and its numbers of each
  /// group, which are consecutive.
  static constexpr int groups = Engine::numbers_per_lane / run;
  static constexpr int group_raws = rows * run;
  static constexpr int own = group_raws / raw;
  /// Numbers of a stream in a group, and in all groups of a step.
  static constexpr int group_numbers = members * own;
  static constexpr auto step = static_cast<std::uint64_t>(groups * group_numbers);
  /// The same in a step of the engine, of raw numbers.
  static constexpr auto raw_step = static_cast<std::uint64_t>(members * Engine::numbers_per_lane);
  /// Least steps in a row: the engine's steps are short, and memory is faster for longer runs
  /// (measured on an H200: 8 steps of 32 bytes 1.05 times as much as 4).
  static constexpr int least_unrolled = Engine::numbers_per_lane > 2 ? 1 : (8 + rows - 1) / rows;
  /// After which the engine's registers have the places that they had.
  static constexpr int around = Engine::steps_around / std::gcd(Engine::steps_around, rows);
  static constexpr int unrolled = (least_unrolled + around - 1) / around * around;
  static constexpr std::uint64_t whole = unrolled * step;
  static constexpr std::size_t engine_bytes = whole_scratch(Engine::scratch_bytes);
  static constexpr std::size_t scratch_bytes() {
    return engine_bytes + (hand_on ? 0 : group_raws * team_lanes * sizeof(Integer));
  }

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  Format format;
  Out* to;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t warp,
                                  void* scratch) const {
    const int lane = lanes.lane();
    const LaneStream drawn(warp, lane, members, what.piece.streams);
    const PieceCut cut(what, drawn.index, period);
    const bool live = drawn.live && cut.left > 0;
    const std::uint64_t stream = what.piece.first + drawn.index;
    Out* const out = to + layout.place(drawn.index);
    const int back = steps_back(out, cut);
    const Span span(cut, back, live);
    const std::uint64_t begin = lanes.most(span.begin);
    const std::uint64_t resting = lanes.least(live ? span.resting : ~std::uint64_t{0});
    const std::uint64_t end = lanes.most(span.end);
    if (end == 0) return;
    Engine engine(lanes, streams, stream, scratch, back * raw);
    const Warp own_warp{
        lanes, lane, stream,
        reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes)};
    for (std::uint64_t done = 0; done < end;) {
      if (done >= begin && done + whole < resting && layout.numbers.number_stride == 1) {
        Out* const at = out + (done - span.begin + first_of(lane));
        const bool aligned = reinterpret_cast<std::uintptr_t>(at) % sizeof(Run) == 0;
        if (lanes.most(live && !aligned ? 1 : 0) == 0) {
          const std::uint64_t times = (resting - done - 1) / whole;
          draw_whole(own_warp, engine, times, live ? at : nullptr);
          done += times * whole;
        }
      }
      draw_checked(own_warp, engine, span, done, out);
      done += step;
    }
  }

 private:
  /// What a lane needs beside its engine.
  struct Warp {
    const StreamLanes& lanes;
    int lane;
    std::uint64_t stream;
    Integer* scratch;
  };

  /// Numbers are counted from where the lanes begin. The piece is begin .. end-1; the stream comes
  /// to rest at `resting`, or stays where it was if that is 0. A lane without a stream has none.
  struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t resting = 0;

    KOKKOS_FUNCTION Span(const PieceCut& cut, int back, bool live) {
      if (!live) return;
      begin = cut.skip + static_cast<std::uint64_t>(back);
      end = cut.left + static_cast<std::uint64_t>(back);
      if (cut.left >= period) {
        resting = cut.left / period * period + static_cast<std::uint64_t>(back);
      }
    }
  };

  /// A lane's numbers of a group.
  struct alignas(own * sizeof(Out)) Run {
    Out number[own];
  };
  /// Numbers before the stream's resting place that its lanes begin, so that they write whole lines
  /// of memory, or whole sectors of it: lines in parts take a GPU up to 1.4 times as long.
  KOKKOS_FUNCTION int steps_back(const Out* out, const PieceCut& cut) const {
    if (raw > 2 || layout.numbers.number_stride != 1) return 0;
    return static_cast<int>((reinterpret_cast<std::uintptr_t>(out) / sizeof(Out) - cut.skip) %
                            group_numbers);
  }

  /// Draws `times` times `unrolled` steps, whose numbers lie side by side; the lane's first goes to
  /// out[0]. Stores none if out is null.
  KOKKOS_FORCEINLINE_FUNCTION void draw_whole(const Warp& warp, Engine& engine, std::uint64_t times,
                                              Out* out) const {
    const bool writes = out != nullptr;
    for (; times > 0; --times) {
      draw_steps(warp, engine, out, writes, std::make_integer_sequence<int, unrolled>{});
      out += whole;
    }
  }
  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION void draw_steps(const Warp& warp, Engine& engine, Out* out,
                                              bool writes, std::integer_sequence<int, i...>) const {
    (draw_step(warp, engine, out + i * step, writes), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw_step(const Warp& warp, Engine& engine, Out* out,
                                             bool writes) const {
    Integer made[groups * group_raws];
    for (int r = 0; r < rows; ++r) engine.next(warp.lanes, made + r * Engine::numbers_per_lane);
    for (int g = 0; g < groups; ++g) {
      Integer* const raws = made + g * group_raws;
      order(warp, raws);
      Run numbers;
      for (int j = 0; j < own; ++j) numbers.number[j] = format.make(raws + j * raw, 1);
      if (writes) *reinterpret_cast<Run*>(out + g * group_numbers) = numbers;
    }
  }

  /// From the order of drawing to that of use: the lane's raw numbers of a group are then those of
  /// numbers that follow each other.
  KOKKOS_FORCEINLINE_FUNCTION static void order(const Warp& warp, Integer* made) {
    if constexpr (hand_on) {
      warp.lanes.template gather<rows, run, members>(warp.lane, made);
    } else {
      transpose(warp, made);
    }
  }
  /// Which of the group's numbers is the lane's first then.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t first_of(int lane) {
    const int tuple = hand_on ? gathered_place<rows, members>(lane) : lane % members;
    return static_cast<std::uint64_t>(tuple * own);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void transpose(const Warp& warp, Integer* made) {
    const int lane = warp.lane % members;
    Integer* const group = warp.scratch + warp.lane / members * (members * group_raws);
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < run; ++i) group[(r * members + lane) * run + i] = made[r * run + i];
    }
    warp.lanes.meet();
    for (int k = 0; k < group_raws; ++k) made[k] = group[lane * group_raws + k];
    warp.lanes.meet();
  }

  /// A step in which pieces begin or end, or streams come to rest; the piece's first goes to
  /// out[0].
  KOKKOS_FORCEINLINE_FUNCTION void draw_checked(const Warp& warp, Engine& engine, const Span& span,
                                                std::uint64_t done, Out* out) const {
    Integer made[groups * group_raws];
    for (int r = 0; r < rows; ++r) {
      engine.next(warp.lanes, made + r * Engine::numbers_per_lane);
      const std::uint64_t drawn = done * raw + static_cast<std::uint64_t>(r + 1) * raw_step;
      const std::uint64_t ago = drawn - span.resting * raw;  // wraps where that is still to come
      if (span.resting > 0 && ago < raw_step) {
        engine.store(warp.lanes, static_cast<int>(ago), streams, warp.stream);
      }
    }
    for (int g = 0; g < groups; ++g) {
      Integer* const numbers = made + g * group_raws;
      order(warp, numbers);
      const std::uint64_t first =
          done + static_cast<std::uint64_t>(g * group_numbers) + first_of(warp.lane);
      for (int j = 0; j < own; ++j) {
        const std::uint64_t i = first + static_cast<std::uint64_t>(j);
        if (i < span.begin || i >= span.end) continue;
        out[(i - span.begin) * layout.numbers.number_stride] = format.make(numbers + j * raw, 1);
      }
    }
  }
};
#endif

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/generators/warp_engine.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "kernels/pi/stream_hits.hpp"

namespace rivulet::detail {

/// How counting kernels know a kind of points: OwnPoints, or OtherPoints on a CPU.
template <class Point>
struct OwnPoints;

/// The team mapping on a device: each lane some points of its stream at a time. Streams of a warp
/// may have different numbers of points; what all have is counted without looking whether it is
/// theirs.
template <class Points, class Streams>
struct FusedWarp;
#if RIVULET_LANES_SHUFFLE
template <class Point, class Streams>
struct FusedWarp<OwnPoints<Point>, Streams> {
  using Engine = typename Streams::WarpEngine;
  using Integer = typename Streams::Integer;

  Streams streams;
  SegmentBatch batch;
  HitSlots hits;
  OwnPoints<Point> kind;

  /// Numbers of a point: 1, 2 or 4.
  static constexpr int draws = Point::words * Streams::numbers_per_word;
  /// Rows, and steps, whose numbers make whole points in each lane.
  static constexpr int rows = draws > Engine::run ? draws / Engine::run : 1;
  /// Groups of `rows` rows in a number of steps, and a lane's numbers and points of each.
  static constexpr int groups = Engine::numbers_per_lane / Engine::run;
  static constexpr int group_numbers = rows * Engine::run;
  static constexpr int group_points = group_numbers / draws;
  static_assert(group_points * draws == group_numbers);
  /// Numbers of a stream in a step; points of it in a period, which is `rows` steps.
  static constexpr auto step =
      static_cast<std::uint64_t>(Engine::members * Engine::numbers_per_lane);
  static constexpr std::uint64_t period = step * rows / draws;
  static constexpr std::size_t scratch_bytes = Engine::scratch_bytes;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t warp,
                                  void* scratch) const {
    const int lane = lanes.lane();
    const LaneStream own(warp, lane, Engine::members, streams.count());
    const std::uint64_t points = own.live ? batch.points(own.index) : 0;
    const std::uint64_t split = hits.split_of(batch, own.index);
    const std::uint64_t before = split < points ? split : points;
    for (int slot = 0; slot < 2; ++slot) {
      const std::uint64_t some = slot == 0 ? before : points - before;
      if (lanes.most(some) == 0) continue;
      const std::uint64_t inside = count(lanes, lane, own.index, scratch, some);
      const std::uint64_t total = lanes.template sum_of_group<Engine::members>(inside);
      if (lane % Engine::members == 0 && some > 0) hits.add(batch, own.index, slot == 1, total);
    }
  }

 private:
  /// The lane's hits among the next points of its stream, which it moves on.
  KOKKOS_FUNCTION std::uint64_t count(const StreamLanes& lanes, int lane, std::uint64_t stream,
                                      void* scratch, std::uint64_t points) const {
    constexpr auto around = static_cast<std::uint64_t>(Engine::steps_around);
    Engine engine(lanes, streams, stream, scratch);
    // A stream's last period, full or not, is looked at: in it the state comes to rest.
    const std::uint64_t whole =
        lanes.least(points > 0 ? (points - 1) / period : ~std::uint64_t{0}) / around * around;
    const std::uint64_t all = lanes.most((points + period - 1) / period);
    std::uint64_t inside = 0;
    for (std::uint64_t done = 0; done < whole;) {
      constexpr std::uint64_t most = points_per_flush / (groups * group_points) / around * around;
      const std::uint64_t now = whole - done < most ? whole - done : most;
      std::uint32_t hit = 0;
      for (std::uint64_t i = 0; i < now; i += around) {
        count_periods(lanes, lane, engine, hit,
                      std::make_integer_sequence<int, Engine::steps_around>{});
      }
      inside += hit;
      done += now;
    }
    for (std::uint64_t done = whole; done < all; ++done) {
      inside += count_some(lanes, lane, engine, stream, done, points);
    }
    lanes.meet();  // what was stored, before it is loaded
    return inside;
  }

  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION static void count_periods(const StreamLanes& lanes, int lane,
                                                        Engine& engine, std::uint32_t& hit,
                                                        std::integer_sequence<int, i...>) {
    ((static_cast<void>(i), count_period(lanes, lane, engine, hit)), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void count_period(const StreamLanes& lanes, int lane,
                                                       Engine& engine, std::uint32_t& hit) {
    Integer numbers[groups * group_numbers];
    for (int r = 0; r < rows; ++r) engine.next(lanes, numbers + r * Engine::numbers_per_lane);
    look(lanes, lane, numbers, [&hit](int, const Integer* point) { add(point, hit); });
  }

  /// The same of period `done`, in which streams may end.
  KOKKOS_FUNCTION std::uint32_t count_some(const StreamLanes& lanes, int lane, Engine& engine,
                                           std::uint64_t stream, std::uint64_t done,
                                           std::uint64_t points) const {
    Integer numbers[groups * group_numbers];
    for (int r = 0; r < rows; ++r) {
      engine.next(lanes, numbers + r * Engine::numbers_per_lane);
      const std::uint64_t made = (done * rows + static_cast<std::uint64_t>(r) + 1) * step;
      const std::uint64_t ago = made - points * draws;  // wraps where that is still to come
      if (points > 0 && ago < step) engine.store(lanes, static_cast<int>(ago), streams, stream);
    }
    std::uint32_t inside = 0;
    const std::uint64_t first = done * period;
    look(lanes, lane, numbers, [&](int index, const Integer* point) {
      std::uint32_t one = 0;
      add(point, one);
      inside += first + static_cast<std::uint64_t>(index) < points ? one : 0;
    });
    return inside;
  }

  /// The lane's points of a period, each to use(index in the period, its numbers).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void look(const StreamLanes& lanes, int lane, Integer* numbers,
                                               const Use& use) {
    const int place = gathered_place<rows, Engine::members>(lane);
    for (int g = 0; g < groups; ++g) {
      Integer* const own = numbers + g * group_numbers;
      lanes.template gather<rows, Engine::run, Engine::members>(lane, own);
      for (int p = 0; p < group_points; ++p) {
        use((g * Engine::members + place) * group_points + p, own + p * draws);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Integer* point, std::uint32_t& count) {
    Point::count(Streams::word_of(point, 0), Streams::word_of(point, Point::words - 1), count);
  }
};
#endif

}  // namespace rivulet::detail

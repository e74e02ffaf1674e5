// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "generators/warp_engine.hpp"
#include "launching/for_each_stream.hpp"
#include "launching/stream_lanes.hpp"

// The team mapping on a GPU: several lanes of a warp draw a stream together, and one lane passes
// each item to the consumer. A consumer that writes consecutive items (WritesRuns) receives runs of
// items as long as all lanes have complete runs.

namespace rivulet {

/// A consumer that accepts runs of consecutive items:
/// - moved(local, k): returns the Local whose item 0 is item k of `local`;
/// - takes_run<count>(local, k): true if a run of `count` items may begin at item k;
/// - run<count>(local, k, numbers, live): processes the run if the lane is live;
/// - steps_back(local, skip, count): returns how many items (fewer than `count`) before the
/// stream's state the lanes must begin, so that writes are aligned. The work's first item is `skip`
/// items
///   after the state.
template <class C>
concept WritesRuns = requires(const C& consumer, typename C::Local local) {
  C::moved(local, std::uint64_t{});
};

#if RIVULET_LANES_SHUFFLE

/// Examples of the constants:
///            engine: members, run, numbers_per_lane | rows, unrolled: packed point, uint32, double
///     dcmt521              8    1                 1 |                     1  3    2  6    2  6
///     ranmar48            16    2                 2 |                     1  4    1  8    1  8
///     mt19937             32    1                 7 |                     1  1    1  1    2  1
template <class Streams, class C>
struct DrawByWarp {
  using Engine = typename Streams::WarpEngine;
  using Integer = typename Streams::Integer;
  using Local = typename C::Local;
  static constexpr int members = Engine::members;
  static constexpr int run = Engine::run;
  /// Raw numbers per item.
  static constexpr int item_raws =
      C::shape.numbers * (C::shape.is_raw ? 1 : int{Streams::numbers_per_word});
  static constexpr ItemPeriod period = ItemPeriod::of({item_raws}, Streams::round_numbers, 1);
  static constexpr bool writes_runs = WritesRuns<C>;
  static constexpr int item_bytes() {
    if constexpr (writes_runs) return C::item_bytes;
    return 0;
  }
  /// True if lanes exchange numbers by shuffles, false if through scratch memory.
  static constexpr bool by_shuffles = (item_raws & (item_raws - 1)) == 0;
  /// Rows (engine steps) after which each lane has complete items.
  static constexpr int min_rows = !by_shuffles ? item_raws : item_raws > run ? item_raws / run : 1;
  static constexpr int row_bytes = members * min_rows * run / item_raws * item_bytes();
  /// Rows per group: two instead of one if a row fills less than 64 bytes. (Measured on an H200:
  /// for 8 lanes, groups of 64 bytes are 1.2 times as fast as groups of 32 bytes. For 4 lanes,
  /// groups of 64 bytes need four rows and more registers, and are 0.93 times as fast.)
  static constexpr int rows =
      writes_runs && by_shuffles && min_rows == 1 && row_bytes < 64 ? 2 : min_rows;
  static constexpr int groups = Engine::numbers_per_lane / run;  ///< groups per kernel step
  static constexpr int group_raws = rows * run;                  ///< raw numbers per lane and group
  static constexpr int lane_items = group_raws / item_raws;      ///< items per lane and group
  static_assert(lane_items * item_raws == group_raws);
  static constexpr int group_items = members * lane_items;  ///< items per stream and group
  /// Items per stream and kernel step.
  static constexpr auto step = static_cast<std::uint64_t>(groups * group_items);
  /// Raw numbers per stream and engine step.
  static constexpr auto engine_step =
      static_cast<std::uint64_t>(members * Engine::numbers_per_lane);
  /// Minimum number of steps to unroll. (Measured on an H200 with steps of 32 bytes: 8 unrolled
  /// steps are 1.05 times as fast as 4.)
  static constexpr int min_unrolled =
      writes_runs && Engine::numbers_per_lane <= 2 ? (8 + rows - 1) / rows : 1;
  /// Kernel steps after which the engine's registers rotate back to the initial assignment.
  static constexpr int rotation_steps = Engine::steps_around / std::gcd(Engine::steps_around, rows);
  /// Steps unrolled together: a multiple of `rotation_steps`, after which the registers are back in
  /// place.
  static constexpr int unrolled =
      (min_unrolled + rotation_steps - 1) / rotation_steps * rotation_steps;
  static constexpr std::uint64_t unrolled_items = unrolled * step;
  static constexpr std::size_t engine_bytes = rounded_scratch_bytes(Engine::scratch_bytes);
  static constexpr std::size_t scratch_bytes =
      engine_bytes + (by_shuffles ? 0 : group_raws * team_lanes * sizeof(Integer));

  Streams streams;
  Work work;
  C consumer;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t warp,
                                  void* scratch) const {
    const LaneStream drawn(warp, lanes.lane(), members, work.size);
    draw_streams(lanes, drawn, consumer.begin(drawn.index), scratch);
  }

  /// Draws a warp's streams. Each lane draws its share and passes its own Local.
  KOKKOS_FORCEINLINE_FUNCTION void draw_streams(const StreamLanes& lanes, const LaneStream& drawn,
                                                Local local, void* scratch) const {
    const int lane = lanes.lane();
    const std::uint64_t count = drawn.is_active ? work.count(drawn.index) : 0;
    Span items(count, work.start(drawn.index));
    const bool live = count > 0;
    const int back = live ? move_back(local, items) : 0;
    const std::uint64_t begin = lanes.max(items.begin);
    const std::uint64_t store_at = lanes.min(live ? items.store_at : ~std::uint64_t{0});
    const std::uint64_t end = lanes.max(items.end);
    if (end == 0) return;
    auto* const shared =
        reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes);
    const Warp this_warp{lanes, lane, live, work.first + drawn.index, items, shared};
    Engine engine(lanes, streams, this_warp.stream, scratch, back * item_raws);
    const std::uint64_t first =
        first_item(lane) - items.begin;  // may wrap; first + done wraps back
    const bool by_runs = all_take_runs(this_warp, local, first);
    for (std::uint64_t done = 0; done < end; done += step) {
      if (by_runs && done >= begin && done + unrolled_items < store_at) {
        const std::uint64_t times = (store_at - done - 1) / unrolled_items;
        draw_unrolled(this_warp, engine, local, first + done, times);
        done += times * unrolled_items;
      }
      draw_step<true>(this_warp, engine, local, first + done, done);
    }
    if (live) consumer.end(local, drawn.index);
  }

 private:
  /// Items begin .. end - 1 of a stream, counted from its state in memory. The new state is stored
  /// at item `store_at`; if `store_at` is 0, the state is unchanged.
  struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t store_at = 0;

    KOKKOS_FUNCTION Span(std::uint64_t count, std::uint64_t start) {
      if (count == 0) return;
      begin = start % period.items;
      end = begin + count;
      store_at = end / period.items * period.items;
    }
  };

  /// Arguments that most functions below need.
  struct Warp {
    const StreamLanes& lanes;
    int lane;
    bool live;  ///< true if the lane's stream has items
    std::uint64_t stream;
    Span items;
    Integer* scratch;
  };

  /// Returns the number of items by which the lanes begin before the state. Shifts `items`, which
  /// then counts from the lanes' first item.
  KOKKOS_FORCEINLINE_FUNCTION int move_back(const Local& local, Span& items) const {
    if constexpr (writes_runs && item_raws <= 2) {
      const int back = consumer.steps_back(local, items.begin, group_items);
      const auto more = static_cast<std::uint64_t>(back);
      items.begin += more;
      items.end += more;
      items.store_at += items.store_at > 0 ? more : 0;
      return back;
    } else {
      return 0;
    }
  }
  /// True if all lanes can pass runs. If runs are aligned at one step, they are aligned at all
  /// steps.
  KOKKOS_FORCEINLINE_FUNCTION bool all_take_runs(const Warp& warp, const Local& local,
                                                 std::uint64_t first) const {
    if constexpr (writes_runs) {
      const bool can = !warp.live || consumer.template takes_run<lane_items>(local, first);
      return warp.lanes.max(can ? 0 : 1) == 0;
    } else {
      return true;
    }
  }

  /// Draws `times` * `unrolled` steps without checks: all lanes must have the items of these steps.
  /// The lane begins at its item `first`. (The counter has 32 bits to save a register; a launch has
  /// fewer than 2^32 steps per stream.)
  KOKKOS_FORCEINLINE_FUNCTION void draw_unrolled(const Warp& warp, Engine& engine, Local& local,
                                                 std::uint64_t first, std::uint64_t times) const {
    constexpr auto steps = std::make_integer_sequence<int, unrolled>{};
    auto remaining = static_cast<std::uint32_t>(times);
    if constexpr (writes_runs) {
      Local at = consumer.moved(local, first);
      for (; remaining > 0; --remaining) {
        draw_steps(warp, engine, at, 0, steps);
        at = consumer.moved(at, unrolled_items);
      }
    } else {
      for (; remaining > 0; --remaining, first += unrolled_items)
        draw_steps(warp, engine, local, first, steps);
    }
  }
  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION void draw_steps(const Warp& warp, Engine& engine, Local& local,
                                              std::uint64_t first,
                                              std::integer_sequence<int, i...>) const {
    (draw_step<false>(warp, engine, local, first + i * step, 0), ...);
  }

  /// Draws a step after `done` items. A checked step passes only items that the stream has, and
  /// stores the state at `store_at`. (Indices of items before item 0 wrap to large values and fail
  /// this check, too.)
  template <bool checked>
  KOKKOS_FORCEINLINE_FUNCTION void draw_step(const Warp& warp, Engine& engine, Local& local,
                                             std::uint64_t first, std::uint64_t done) const {
    Integer drawn_raws[groups * group_raws];
    for (int r = 0; r < rows; ++r) {
      engine.next(warp.lanes, drawn_raws + r * Engine::numbers_per_lane);
      if constexpr (checked) {
        const std::uint64_t drawn =
            done * item_raws + static_cast<std::uint64_t>(r + 1) * engine_step;
        const std::uint64_t overshoot =
            drawn - warp.items.store_at * item_raws;  // wraps if store_at is still ahead
        if (warp.items.store_at > 0 && overshoot < engine_step) {
          engine.store(warp.lanes, static_cast<int>(overshoot), streams, warp.stream);
        }
      }
    }
    for (int g = 0; g < groups; ++g) {
      Integer* const raws = drawn_raws + g * group_raws;
      exchange(warp, raws);
      const std::uint64_t at = first + static_cast<std::uint64_t>(g * group_items);
      if constexpr (writes_runs && !checked) {
        consumer.template run<lane_items>(local, at, raws, warp.live);
      } else {
        for (int j = 0; j < lane_items; ++j) {
          const std::uint64_t k = at + static_cast<std::uint64_t>(j);
          // Lanes without an item must not call the consumer, because it may count every call.
          const bool has_item = checked ? k < warp.items.end - warp.items.begin : warp.live;
          if (has_item) pass_item(local, k, raws + j * item_raws);
        }
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void pass_item(Local& local, std::uint64_t k,
                                             const Integer* raws) const {
    if constexpr (C::shape.is_raw) {
      consumer.item(local, k, raws);
    } else {
      std::uint32_t words[C::shape.numbers];
      for (int w = 0; w < C::shape.numbers; ++w) words[w] = Streams::word_of(raws, w);
      consumer.item(local, k, words);
    }
  }

  /// Exchanges a group's numbers among the lanes: each lane then has the numbers of consecutive
  /// items.
  KOKKOS_FORCEINLINE_FUNCTION static void exchange(const Warp& warp, Integer* raws) {
    if constexpr (by_shuffles) {
      warp.lanes.template gather<rows, run, members>(warp.lane, raws);
    } else {
      warp.lanes.template transpose<rows, run, members>(warp.lane, raws, warp.scratch);
    }
  }
  /// Returns the index, within the group, of the lane's first item after exchange().
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t first_item(int lane) {
    const int tuple = by_shuffles ? gathered_block<rows, members>(lane) : lane % members;
    return static_cast<std::uint64_t>(tuple * lane_items);
  }
};

/// Draws a work's items by warps, with `per_team` streams per Kokkos team. Asynchronous.
template <class Streams, class C>
void draw_by_warp(const Space& space, const Streams& streams, const Work& work, const C& consumer,
                  int per_team) {
  using Body = DrawByWarp<Streams, C>;
  const auto team = static_cast<std::uint64_t>(per_team);
  for_each_stream_team(space, std::string(C::label) + "_team",
                       {warps_for<Streams>(work.size), static_cast<int>(warps_for<Streams>(team)),
                        Body::scratch_bytes},
                       Body{streams, work, consumer});
}

#endif

}  // namespace rivulet

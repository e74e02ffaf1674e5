// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "draw/by_thread.hpp"
#include "draw/by_warp.hpp"
#include "launching/for_each_stream.hpp"

// GPU drivers for consumers that share a Kokkos team's scratch memory.
//
// A SharesScratch consumer has these functions in place of begin(i):
// - with_scratch_limit(bytes): returns the consumer limited to that much scratch memory;
// - fits(): true if the limit suffices;
// - scratch_bytes(): returns the scratch memory that the consumer needs;
// - load(team, scratch) and flush(team, scratch): called by all threads of a team, before and after
//   the team's items;
// - begin(scratch, lane): returns a thread's Local; `lane` is 0 .. team_lanes - 1.
//
// A TeamConsumer processes the items of all threads of a team together:
// - make_item(numbers): returns an Item; a thread collects about items_at_once before each take();
// - load(team, scratch): called first, by all threads;
// - take(team, scratch, items, count): called by all threads, each with its first `count` Items;
// - scratch_bytes(threads, items): returns the scratch memory that the team needs.

namespace rivulet {

/// Scratch memory per team that every GPU has in addition to what Kokkos uses.
inline constexpr std::size_t device_scratch = std::size_t{40} << 10;
/// Maximum scratch memory that a warp needs for drawing.
inline constexpr std::size_t max_warp_scratch = std::size_t{6} << 10;
/// Maximum streams per team.
inline constexpr int max_team_streams = 256;

template <class C>
concept SharesScratch = requires(const C& consumer, char* scratch) {
  consumer.begin(scratch, 0);
};
template <class C>
concept TeamConsumer = requires {
  typename C::Item;
  C::items_at_once;
};

/// Returns the number of threads or warps per team: at most `max_size`, and fewer if some
/// processors would otherwise have no work.
inline int size_of_team(const Space& space, std::uint64_t works, int max_size) {
  const auto processors = static_cast<std::uint64_t>(std::max(space.concurrency() / 2048, 1));
  while (max_size > 1 && static_cast<std::uint64_t>(max_size) > works / processors) max_size /= 2;
  return max_size;
}

#if RIVULET_LANES_SHUFFLE

/// The lane mapping: each thread of a team draws a stream.
template <class Streams, class C>
struct DrawByThreads {
  DrawByThread<Streams, C> thread;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const C& consumer = thread.consumer;
    consumer.load(team, scratch);
    const std::uint64_t i = first + static_cast<std::uint64_t>(team.team_rank());
    if (i < thread.work.size) {
      thread.draw_streams(i, consumer.begin(scratch, team.team_rank() % team_lanes));
    }
    consumer.flush(team, scratch);
  }
};

template <class Streams, class C>
void draw_by_threads(const Space& space, const Streams& streams, const Work& work,
                     const C& consumer) {
  const C limited = consumer.with_scratch_limit(device_scratch);
  const int threads = std::max(size_of_team(space, work.size, max_team_streams), team_lanes);
  for_each_shared_team(space, C::label, {work.size, threads, threads, 1, limited.scratch_bytes()},
                       DrawByThreads<Streams, C>{{streams, work, limited}});
}

/// The team mapping: each warp of a team draws one or more streams. The warps' scratch memory comes
/// after the consumer's.
template <class Streams, class C>
struct DrawByWarps {
  using Warp = DrawByWarp<Streams, C>;
  static_assert(Warp::scratch_bytes <= max_warp_scratch);
  static constexpr std::size_t warp_bytes = rounded_scratch_bytes(Warp::scratch_bytes);

  Warp warp;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const C& consumer = warp.consumer;
    consumer.load(team, scratch);
    const auto rank = static_cast<std::uint64_t>(team.team_rank());
    char* const warp_scratch = scratch + consumer.scratch_bytes() + rank * warp_bytes;
    const StreamLanes lanes;
    const LaneStream drawn(first + rank, lanes.lane(), Warp::members, warp.work.size);
    warp.draw_streams(lanes, drawn, consumer.begin(scratch, lanes.lane()), warp_scratch);
    consumer.flush(team, scratch);
  }
};

template <class Streams, class C>
void draw_by_warps(const Space& space, const Streams& streams, const Work& work,
                   const C& consumer) {
  constexpr std::size_t bytes = DrawByWarps<Streams, C>::warp_bytes;
  const std::uint64_t warps = warps_for<Streams>(work.size);
  int size = size_of_team(space, warps, 8);
  static_assert(8 * streams_per_warp<Streams> <= max_team_streams);
  // Fewer warps leave more scratch memory for the consumer.
  while (size > 1 && static_cast<std::size_t>(size) * bytes > device_scratch / 2) --size;
  const auto limited_consumer = [&] {
    return consumer.with_scratch_limit(device_scratch - static_cast<std::size_t>(size) * bytes);
  };
  while (size > 1 && !limited_consumer().fits()) --size;
  const C limited = limited_consumer();
  for_each_shared_team(space, std::string(C::label) + "_team",
                       {warps, size, size, team_lanes,
                        limited.scratch_bytes() + static_cast<std::size_t>(size) * bytes},
                       DrawByWarps<Streams, C>{{streams, work, limited}});
}

/// Each thread of a team draws a stream, and the team processes the items together. Every part of
/// the work must begin at a period boundary.
template <class Streams, class C>
struct DrawForTeam {
  using Thread = DrawByThread<Streams, C>;
  using Item = typename C::Item;
  static constexpr int period = static_cast<int>(Thread::period.items);
  static constexpr int periods = std::max(C::items_at_once / period, 1);
  static constexpr int items = periods * period;

  Thread thread;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const Work& work = thread.work;
    const std::uint64_t index = first + static_cast<std::uint64_t>(team.team_rank());
    const bool live = index < work.size;
    const std::uint64_t stream = work.first + (live ? index : first);
    auto engine = thread.streams.template load<Word>(stream);
    auto remaining = static_cast<std::uint32_t>(live ? work.count(index) : 0);
    const bool ends_within_period = remaining % period != 0;
    thread.consumer.load(team, scratch);
    // All threads must reach the same barriers. The team's first stream has the most items and
    // therefore sets the loop count of all threads.
    auto team_remaining = static_cast<std::uint32_t>(work.count(first));
    for (; team_remaining > 0; team_remaining -= batch_size(team_remaining)) {
      Item drawn[items];
      draw(engine, stream, drawn, remaining, std::make_integer_sequence<int, periods>{});
      thread.consumer.take(team, scratch, drawn, static_cast<int>(batch_size(remaining)));
      remaining -= batch_size(remaining);
    }
    if (live && !ends_within_period) thread.streams.store(stream, engine);
  }

 private:
  /// Returns the number of items in the next iteration.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t batch_size(std::uint32_t remaining) {
    return remaining < items ? remaining : items;
  }

  /// Draws up to `periods` periods of the stream, and stores its state before a partial period.
  template <int... p>
  KOKKOS_FORCEINLINE_FUNCTION void draw(typename Thread::Engine& engine, std::uint64_t stream,
                                        Item (&drawn)[items], std::uint32_t remaining,
                                        std::integer_sequence<int, p...>) const {
    (draw_period<p * period>(engine, stream, drawn, remaining), ...);
  }
  template <int begin>
  KOKKOS_FORCEINLINE_FUNCTION void draw_period(typename Thread::Engine& engine,
                                               std::uint64_t stream, Item (&drawn)[items],
                                               std::uint32_t remaining) const {
    if (remaining <= begin) return;
    if (remaining - begin < period) thread.streams.store(stream, engine);
    Thread::draw(engine,
                 [this, &drawn](int k, const typename C::Integer* numbers) RIVULET_INLINE_LAMBDA {
                   drawn[begin + k] = thread.consumer.make_item(numbers);
                 });
  }
};

/// True if a thread's registers can hold the items that it draws at once (at most 32).
template <class Streams, class C>
inline constexpr bool can_draw_for_team = DrawForTeam<Streams, C>::items <= 32;

template <class Streams, class C>
void draw_for_team(const Space& space, const Streams& streams, const Work& work,
                   const C& consumer) {
  using Body = DrawForTeam<Streams, C>;
  int threads = std::max(size_of_team(space, work.size, max_team_streams), team_lanes);
  while (threads > team_lanes && consumer.scratch_bytes(threads, Body::items) > device_scratch) {
    threads /= 2;
  }
  for_each_shared_team(
      space, C::label,
      {work.size, threads, threads, 1, consumer.scratch_bytes(threads, Body::items)},
      Body{{streams, work, consumer}});
}

#endif

}  // namespace rivulet

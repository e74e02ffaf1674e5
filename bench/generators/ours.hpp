// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "battery/counting/histogram.hpp"
#include "generators/generators.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "machine/streaming_store.hpp"
#include "machine/views.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "sampling/distributions.hpp"

// Benchmarks of Rivulet's kernels on Kokkos' default backend.

namespace rivulet::ours {

/// Amounts of work per iteration. On a device, the numbers of streams are those that run fastest on
/// an H200 (270336 threads): two or three per thread, or one per four or sixteen threads.
struct Amounts {
  std::uint64_t pi_streams, lane_streams, team_streams, alias_streams, set_up_streams, bytes;
  std::uint64_t host_streams;  ///< streams whose numbers a CPU writes together, as in the job fill
  std::uint64_t state_bytes;   ///< limit in bytes on the states of all streams that are set up

  Amounts() {
    const auto threads = static_cast<std::uint64_t>(Space().concurrency());
    host_streams = static_cast<std::uint64_t>(tile_streams) * threads;
    if (device_build) {
      pi_streams = 2 * threads;
      alias_streams = 3 * threads;
      lane_streams = threads / 4;
      team_streams = threads / 16;
      set_up_streams = std::uint64_t{1} << 20;
      bytes = std::uint64_t{1} << 32;
      state_bytes = std::uint64_t{1} << 30;
    } else {
      pi_streams = alias_streams = lane_streams = 1024 * threads;
      team_streams = 32 * threads;
      set_up_streams = std::uint64_t{1} << 17;
      bytes = std::uint64_t{1} << 28;  // larger than any cache
      state_bytes = std::uint64_t{1} << 27;
    }
  }

  /// Returns `count`, or team_streams if the generator has no lane mapping because its states are
  /// too large for one thread.
  std::uint64_t lane_or_team_streams(const Generator& generator, std::uint64_t count) const {
    return generator.has(StreamMapping::lane) ? count : team_streams;
  }
  /// Returns the number of streams for bulk() with the team mapping. On a device, states of 2.5 KB
  /// fill the scratch memory. The result is then the number of streams that fit at once, which
  /// avoids a partial last wave.
  std::uint64_t bulk_team_streams(const Generator& generator) const {
    return device_build && generator.state_bytes > 1024 ? team_streams / 4 : team_streams;
  }
  std::uint64_t streams_to_set_up(const Generator& generator) const {
    return std::min(set_up_streams,
                    state_bytes / std::max(generator.state_bytes, std::uint64_t{1}));
  }
};

inline std::unique_ptr<StreamPlan> plan_of(const Generator& generator, std::uint64_t count) {
  StreamRequest request;
  request.streams = count;
  request.seeding = Seeding::native;
  return generator.plan(request, io::Communicator::self());
}

/// Measures points per second.
inline void pi(benchmark::State& state, const std::string& name, StreamMapping mapping) {
  const Generator& generator = *find_generator(name);
  const Amounts amounts;
  const std::uint64_t streams = amounts.lane_or_team_streams(generator, amounts.pi_streams);
  const auto plan = plan_of(generator, streams);
  const auto counter = make_pi_counter(Space(), *plan, {0, streams}, mapping, PiChoice{});
  counter->restart();
  const std::uint64_t round = counter->round_points();
  const std::uint64_t min_points = device_build ? 1 << 16 : 1 << 14;
  const std::uint64_t points_per_stream = min_points / round * round;
  for (auto _ : state) counter->count({points_per_stream * streams, streams}, 0, points_per_stream);
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(points_per_stream * streams));
}

/// Measures bytes per second into memory. Lanes interleave their streams' numbers. Teams of four
/// streams write each stream's numbers contiguously.
inline void bulk(benchmark::State& state, const std::string& name, StreamMapping mapping,
                 NumberType type) {
  const Generator& generator = *find_generator(name);
  const bool lane = mapping == StreamMapping::lane;
  const Amounts amounts;
  const std::uint64_t total_streams =
      lane ? amounts.lane_streams : amounts.bulk_team_streams(generator);
  const std::uint64_t streams = device_build ? total_streams : amounts.host_streams;
  const auto plan = plan_of(generator, total_streams);
  const Space space;
  const NumberRequest request{type, Interval::closed_open, mapping, lane ? 1 : 4, 1};
  const auto source = make_number_source(space, *plan, {0, total_streams}, request);
  source->restart();
  const std::uint64_t numbers_per_stream =
      amounts.bytes / source->number_bytes() / streams / source->period() * source->period();
  // A CPU without non-temporal stores writes interleaved rows in parts of 1 MiB, which stay in
  // cache while they are written.
  const std::uint64_t row = streams * source->number_bytes();
  const std::uint64_t max_numbers =
      device_build || streaming_stores || !lane
          ? numbers_per_stream
          : std::max((std::uint64_t{1} << 20) / row / source->period(), std::uint64_t{1}) *
                source->period();
  const auto to = aligned_view("numbers", streams * numbers_per_stream * source->number_bytes());
  const NumberLayout layout = lane ? NumberLayout{1, streams} : NumberLayout{numbers_per_stream, 1};
  std::uint64_t first_stream = 0;
  std::uint64_t begin = 0;
  const auto fill = [&] {
    for (std::uint64_t done = 0; done < numbers_per_stream; done += max_numbers) {
      const std::uint64_t count = std::min(max_numbers, numbers_per_stream - done);
      source->draw({first_stream, streams, begin + done, count}, layout,
                   to.data() + (lane ? done * row : 0));
    }
    space.fence();
    first_stream = (first_stream + streams) % total_streams;
    begin += first_stream == 0 ? numbers_per_stream : 0;
  };
  fill();  // first touch of the pages
  for (auto _ : state) fill();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(to.extent(0)));
}

/// Measures samples per second, including the time to count them in a histogram.
inline void alias(benchmark::State& state, const std::string& name,
                  const std::vector<double>& weights, const std::vector<std::uint64_t>& extents) {
  const Space space;
  const Generator& generator = *find_generator(name);
  const Amounts amounts;
  const std::uint64_t streams = amounts.lane_or_team_streams(generator, amounts.alias_streams);
  const auto plan = plan_of(generator, streams);
  const auto sampler =
      make_alias_sampler(space, *plan, {0, streams},
                         make_alias_table(space, detail::on_device(weights, "weights"), extents),
                         {.streams = generator.mappings.front()});
  sampler->restart();
  const std::uint64_t samples_per_stream = sampler->round_samples() * (device_build ? 512 : 128);
  const StreamShare endless{~std::uint64_t{0}, streams};
  std::uint64_t begin = 0;
  for (auto _ : state) {
    sampler->sample(sampler->uncut(endless, begin, begin + samples_per_stream));
    begin += samples_per_stream;
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(samples_per_stream * streams));
}

inline std::vector<double> random_weights(std::size_t cells) {
  std::mt19937_64 engine(1);
  std::vector<double> weights(cells);
  for (double& weight : weights) weight = static_cast<double>(engine() >> 11);
  return weights;
}

/// Measures streams set up per second, from the plan to the first draw: allocation, jump
/// polynomials, jumps.
inline void set_up(benchmark::State& state, const std::string& name, std::uint64_t streams) {
  const Generator& generator = *find_generator(name);
  const auto plan = plan_of(generator, streams);
  for (auto _ : state) {
    make_pi_counter(Space(), *plan, {0, streams}, generator.mappings.front(), PiChoice{})
        ->restart();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(streams));
}

}  // namespace rivulet::ours

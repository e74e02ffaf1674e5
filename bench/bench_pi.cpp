// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Points a second of the pi kernels on one thread, beside std::mt19937 with the same counting and a
// loop written by hand for this machine; the last lines are their ratios, from this run. Set
// OMP_NUM_THREADS=1 to measure one core. Machines are noisy, so quote medians:
// --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench_kokkos.hpp"
#include "hand_written.hpp"
#include "kernels/generators/generators.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "kernels/pi/pi_point.hpp"
#include "parameters/shipped.hpp"
#include "standard_peer.hpp"

namespace rivulet {
namespace {

/// Streams of one core's worth of vectors, and points of each a repetition.
constexpr std::uint64_t streams = 16 * 64;
constexpr std::uint64_t blocks = 1000;

hand::Twisters hand_twisters() {
  std::mt19937 words(1);
  std::vector<std::uint32_t> x(hand::n * hand::lanes);
  std::vector<std::uint32_t> abc(3 * hand::lanes);
  for (auto& word : x) word = static_cast<std::uint32_t>(words());
  const auto& sets = shipped_dcmt(521).sets;
  for (std::size_t l = 0; l < hand::lanes; ++l) {
    abc[l] = sets[l].a;
    abc[hand::lanes + l] = sets[l].b;
    abc[2 * hand::lanes + l] = sets[l].c;
  }
  return hand::load(x.data(), abc.data());
}

constexpr std::uint64_t hand_words = blocks * hand::n * hand::lanes;

void hand_fused(benchmark::State& state) {
  hand::Twisters twisters = hand_twisters();
  for (auto _ : state) benchmark::DoNotOptimize(hand::pi_fused(twisters, blocks));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hand_words));
}

/// The same through memory, in chunks of `chunk` blocks.
void hand_stored(benchmark::State& state) {
  hand::Twisters twisters = hand_twisters();
  const auto chunk = static_cast<std::uint64_t>(state.range(0));
  std::vector<std::uint32_t> words(chunk * hand::n * hand::lanes);
  for (auto _ : state) {
    hand::store(twisters, chunk, words.data());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(hand::count_stored(words.data(), chunk));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words.size()));
}

void kernel(benchmark::State& state, const Generator& generator, StreamMapping mapping,
            const PiChoice& choice) {
  StreamRequest request;
  request.streams = streams;
  const auto plan = generator.plan(request, io::Communicator::self());
  const auto counter = make_pi_counter(Space(), *plan, {0, streams}, mapping, choice);
  counter->restart();
  const std::uint64_t each = blocks * counter->round_points();
  for (auto _ : state) counter->count({{each * streams, streams}, 0, each});
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each * streams));
}

/// From parameter sets to streams ready to draw: allocation, jump polynomials, jumps.
void set_up(benchmark::State& state) {
  constexpr std::uint64_t many = 131072;
  StreamRequest request;
  request.streams = many;
  const auto plan = find_generator("dcmt521")->plan(request, io::Communicator::self());
  for (auto _ : state) {
    make_pi_counter(Space(), *plan, {0, many}, StreamMapping::lane, PiChoice{})->restart();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(many));
}

void add_kernel(const std::string& name, const std::string& generator, StreamMapping mapping,
                const PiChoice& choice) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    kernel(state, *find_generator(generator), mapping, choice);
  })->UseRealTime();
}

Ratios add_benchmarks() {
  using enum PointMapping;
  using enum PointKind;
  const auto lane = StreamMapping::lane;
  const auto team = StreamMapping::team;
  benchmark::RegisterBenchmark("std_mt19937", peer::standard_pi)->UseRealTime();
  benchmark::RegisterBenchmark("hand_fused", hand_fused)->UseRealTime();
  // 470 blocks of 16 lanes: 511 KB; 60000: 65 MB, beyond any cache.
  benchmark::RegisterBenchmark("hand_stored_in_cache", hand_stored)
      ->Arg(470 * 16 / hand::lanes)
      ->UseRealTime();
  benchmark::RegisterBenchmark("hand_stored_in_memory", hand_stored)
      ->Arg(60000 * 16 / hand::lanes)
      ->UseRealTime();
  add_kernel("fused_dcmt521", "dcmt521", lane, {PiKernel::fused, centred, packed, 0});
  add_kernel("stored_dcmt521", "dcmt521", lane, {PiKernel::stored, centred, packed, 0});
  add_kernel("fused_dcmt607", "dcmt607", lane, {PiKernel::fused, centred, packed, 0});
  add_kernel("fused_dcmt521_pair", "dcmt521", lane, {PiKernel::fused, centred, pair, 0});
  add_kernel("fused_dcmt521_published", "dcmt521", lane, {PiKernel::fused, published, packed, 0});
  add_kernel("fused_dcmt521_team", "dcmt521", team, {PiKernel::fused, centred, packed, 0});
  for (const char* name : {"ranmar24", "ranmar48x"}) {
    add_kernel(std::string("fused_") + name, name, lane, {PiKernel::fused, centred, packed, 0});
    add_kernel(std::string("fused_team_") + name, name, team,
               {PiKernel::fused, centred, packed, 0});
  }
  benchmark::RegisterBenchmark("set_up_131072_streams", set_up)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  return {{"fused_dcmt521", "std_mt19937"},
          {"fused_dcmt521", "hand_fused"},
          {"stored_dcmt521", "hand_stored_in_cache"},
          {"stored_dcmt521", "hand_stored_in_memory"}};
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

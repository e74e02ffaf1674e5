// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Points a second of the fused pi kernel on the Tausworthe family, on one thread, beside a loop of
// 64 lanes written by hand; the last lines are their ratios, from this run. Set OMP_NUM_THREADS=1
// to measure one core. Machines are noisy, so quote medians: --benchmark_repetitions=9
// --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <random>
#include <string>

#include "bench_kokkos.hpp"
#include "kernels/generators/generators.hpp"
#include "kernels/pi/pi_counter.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t streams = 16 * 64;
constexpr std::uint64_t blocks = 1000;

constexpr std::size_t hand_lanes = 64;
using HandWords = std::array<std::uint32_t, hand_lanes>;

struct HandHybrid {
  HandWords z1, z2, z3, z4;
};

/// The generator and the count as one would write them for a compiler to vectorise: plain loops
/// over 64 lanes, a step of all and then their points.
std::uint64_t hand_pi(HandHybrid& state, std::uint64_t steps) {
  HandHybrid g = state;
  HandWords hits{};
  for (std::uint64_t i = 0; i < steps; ++i) {
    for (std::size_t l = 0; l < hand_lanes; ++l) {
      const std::uint32_t z1 = g.z1[l];
      const std::uint32_t z2 = g.z2[l];
      const std::uint32_t z3 = g.z3[l];
      g.z1[l] = ((z1 & 4294967294u) << 12) ^ (((z1 << 13) ^ z1) >> 19);
      g.z2[l] = ((z2 & 4294967288u) << 4) ^ (((z2 << 2) ^ z2) >> 25);
      g.z3[l] = ((z3 & 4294967280u) << 17) ^ (((z3 << 3) ^ z3) >> 11);
      g.z4[l] = 1664525u * g.z4[l] + 1013904223u;
      const std::uint32_t word = g.z1[l] ^ g.z2[l] ^ g.z3[l] ^ g.z4[l];
      const std::uint32_t x = word >> 16;
      const std::uint32_t y = word & 0xffffu;
      const std::uint32_t s = x * (x + 1u);
      hits[l] += static_cast<std::uint32_t>(s + y * (y + 1u) >= s);
    }
  }
  state = g;
  std::uint64_t sum = 0;
  for (const std::uint32_t one : hits) sum += one;
  return sum;
}

void hand_hybrid(benchmark::State& state) {
  std::mt19937 words(1);
  HandHybrid hybrid;
  for (HandWords* part : {&hybrid.z1, &hybrid.z2, &hybrid.z3, &hybrid.z4}) {
    for (auto& word : *part) word = static_cast<std::uint32_t>(words()) | 0x100u;
  }
  constexpr std::uint64_t steps = 1 << 16;
  for (auto _ : state) benchmark::DoNotOptimize(hand_pi(hybrid, steps));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps * hand_lanes));
}

StreamRequest request_of(const Generator& generator, std::uint64_t count) {
  StreamRequest request;
  request.streams = count;
  if (generator.name == "hybrid_tausworthe_listing") request.seeding = Seeding::published;
  return request;
}

void kernel(benchmark::State& state, const Generator& generator, PiKernel kernel) {
  const auto plan = generator.plan(request_of(generator, streams), io::Communicator::self());
  PiChoice choice;
  choice.kernel = kernel;
  const auto counter = make_pi_counter(Space(), *plan, {0, streams}, StreamMapping::lane, choice);
  counter->restart();
  const std::uint64_t each = blocks * counter->round_points();
  for (auto _ : state) counter->count({{each * streams, streams}, 0, each});
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each * streams));
}

/// From nothing to streams ready to draw: allocation, jump matrices, jumps.
void set_up(benchmark::State& state) {
  constexpr std::uint64_t many = 131072;
  const Generator& generator = *find_generator("hybrid_tausworthe");
  const auto plan = generator.plan(request_of(generator, many), io::Communicator::self());
  for (auto _ : state) {
    make_pi_counter(Space(), *plan, {0, many}, StreamMapping::lane, PiChoice{})->restart();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(many));
}

void add_kernel(const std::string& prefix, const std::string& name, PiKernel kind) {
  benchmark::RegisterBenchmark((prefix + name).c_str(), [=](benchmark::State& state) {
    kernel(state, *find_generator(name), kind);
  })->UseRealTime();
}

Ratios add_benchmarks() {
  benchmark::RegisterBenchmark("hand_hybrid", hand_hybrid)->UseRealTime();
  for (const char* name : {"hybrid_tausworthe", "lfsr113", "hybrid_tausworthe_listing"}) {
    add_kernel("fused_", name, PiKernel::fused);
  }
  add_kernel("stored_", "hybrid_tausworthe", PiKernel::stored);
  benchmark::RegisterBenchmark("set_up_131072_streams", set_up)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  return {{"fused_hybrid_tausworthe", "hand_hybrid"},
          {"fused_lfsr113", "hand_hybrid"},
          {"stored_hybrid_tausworthe", "hand_hybrid"}};
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

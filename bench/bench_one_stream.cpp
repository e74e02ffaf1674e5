// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One stream of every generator, by the mapping that the library takes for it, beside std::mt19937:
// points of the fused pi kernel, and 32-bit words into an array that stays in the nearest caches.
// OMP_NUM_THREADS=1; quote medians.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench_kokkos.hpp"
#include "kernels/generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "rivulet/error.hpp"
#include "standard_peer.hpp"

namespace rivulet {
namespace {

std::unique_ptr<StreamPlan> plan_of(const Generator& generator) {
  return generator.plan({}, io::Communicator::self());
}

StreamMapping mapping_of(const Generator& generator) {
  return generator.has(StreamMapping::team) ? StreamMapping::team : generator.mappings.front();
}

/// Points per second.
void pi(benchmark::State& state, const Generator& generator) {
  const auto plan = plan_of(generator);
  const auto counter = make_pi_counter(Space(), *plan, {0, 1}, mapping_of(generator), PiChoice{});
  counter->restart();
  const std::uint64_t round = counter->round_points();
  const std::uint64_t points = (std::uint64_t{1} << 22) / round * round;
  for (auto _ : state) counter->count({{points, 1}, 0, points});
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(points));
}

constexpr std::uint64_t most_words = 1 << 14;

/// Words per second.
void words(benchmark::State& state, const Generator& generator) {
  const auto plan = plan_of(generator);
  const Space space;
  const auto source = make_number_source(
      space, *plan, {0, 1}, {NumberType::uint32, Interval::closed_open, mapping_of(generator), 1});
  source->restart();
  const std::uint64_t count = most_words / source->period() * source->period();
  const Kokkos::View<std::uint32_t*, Space> to("words", count);
  std::uint64_t begin = 0;
  for (auto _ : state) {
    source->draw({0, 1, begin, count}, {count, 1}, to.data());
    space.fence();
    begin += count;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void standard_words(benchmark::State& state) {
  std::mt19937 engine;
  std::vector<std::uint32_t> to(most_words);
  for (auto _ : state) {
    for (std::uint32_t& word : to) word = static_cast<std::uint32_t>(engine());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(to.size()));
}

template <class Run>
void add(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime();
}

Ratios add_benchmarks() {
  Ratios ratios;
  add("std_mt19937_pi", peer::standard_pi);
  add("std_mt19937_words", standard_words);
  for (const Generator* generator : generators()) {
    try {
      static_cast<void>(plan_of(*generator));
    } catch (const Error&) {  // needs parameter sets, or another seeding
      continue;
    }
    const std::string name(generator->name);
    add("pi_" + name, [generator](benchmark::State& state) { pi(state, *generator); });
    add("words_" + name, [generator](benchmark::State& state) { words(state, *generator); });
    ratios.emplace_back("pi_" + name, "std_mt19937_pi");
    ratios.emplace_back("words_" + name, "std_mt19937_words");
  }
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// On an NVIDIA GPU: points a second of the fused pi kernels beside cuRAND's Philox4x32-10, bytes a
// second of numbers in bulk beside cuRAND's generators and what the memory lets be written, samples
// a second from alias tables beside what it lets be read at random, and the set-up of 2^20 streams;
// the last lines are ratios, from this run. Quote medians: --benchmark_repetitions=5
// --benchmark_enable_random_interleaving=true.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench_kokkos.hpp"
#include "gpu/peers.hpp"
#include "kernels/alias_sampler.hpp"
#include "kernels/number_source.hpp"
#include "kernels/pi_counter.hpp"
#include "parameters/shipped.hpp"
#include "sampling/distributions.hpp"

namespace rivulet {
namespace {

/// Of an H200's 132 multiprocessors each 4096, 1024, 512 or 128: what the kernels run best with.
constexpr std::uint64_t many_streams = 540672;
constexpr std::uint64_t alias_streams = 135168;
constexpr std::uint64_t lane_streams = 67584;
constexpr std::uint64_t team_streams = 16896;

std::unique_ptr<StreamPlan> plan_of(const Generator& generator, std::uint64_t count) {
  StreamRequest request;
  request.streams = count;
  return make_stream_plan(
      generator, request,
      generator.family == GeneratorFamily::dcmt ? shipped_dcmt(generator.exponent) : DcmtSets{});
}

void fused(benchmark::State& state, const std::string& name, StreamMapping mapping) {
  const Generator& generator = *find_generator(name);
  const auto plan = plan_of(generator, many_streams);
  PiChoice choice;
  choice.streams = mapping;
  const auto counter = make_pi_counter(Space(), generator, *plan, {0, many_streams}, choice);
  counter->restart();
  const std::uint64_t each =
      (std::uint64_t{1} << 16) / counter->block_points() * counter->block_points();
  for (auto _ : state) counter->count({{each * many_streams, many_streams}, 0, each});
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each * many_streams));
}

/// Interleaved by lanes; by teams of four streams each stream's numbers lie together.
struct Bulk {
  std::string generator;
  StreamMapping mapping;
  NumberType type;
};

/// Bytes a second.
void bulk(benchmark::State& state, const Bulk& what) {
  const Generator& generator = *find_generator(what.generator);
  const bool team = what.mapping == StreamMapping::team;
  const std::uint64_t streams = team ? team_streams : lane_streams;
  const auto plan = plan_of(generator, streams);
  const Space space;
  const auto source =
      make_number_source(space, generator, *plan, {0, streams},
                         {what.type, Interval::closed_open, what.mapping, team ? 4 : 1});
  source->restart();
  const std::uint64_t bytes = std::uint64_t{1} << 32;
  const std::uint64_t each = bytes / source->number_bytes() / streams;
  const Kokkos::View<std::byte*, Space> to("numbers", bytes);
  const NumberLayout layout = team ? NumberLayout{each, 1} : NumberLayout{1, streams};
  std::uint64_t begin = 0;
  for (auto _ : state) {
    source->draw({0, streams, begin, each}, layout, to.data());
    space.fence();
    begin += each;
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(streams * each * source->number_bytes()));
}

void sample(benchmark::State& state, const std::vector<double>& weights,
            const std::vector<std::uint64_t>& extents) {
  const Space space;
  const Generator& generator = *find_generator("hybrid_tausworthe");
  const auto plan = plan_of(generator, alias_streams);
  const Kokkos::View<double*, Space> view("weights", weights.size());
  const Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      host(weights.data(), weights.size());
  Kokkos::deep_copy(view, host);
  const auto sampler = make_alias_sampler(
      space, generator, *plan, {0, alias_streams},
      make_alias_table(space, Kokkos::View<const double*, Space>(view), extents));
  sampler->restart();
  const std::uint64_t each = sampler->block_samples() * 512;
  const PointShare endless{~std::uint64_t{0}, alias_streams};
  std::uint64_t begin = 0;
  for (auto _ : state) {
    sampler->sample({endless, begin, begin + each});
    begin += each;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each * alias_streams));
}

/// From parameter sets to streams ready to draw: allocation, jump polynomials, jumps.
void set_up(benchmark::State& state) {
  constexpr std::uint64_t many = std::uint64_t{1} << 20;
  const auto plan = plan_of(generators[0], many);
  for (auto _ : state) {
    make_pi_counter(Space(), generators[0], *plan, {0, many}, PiChoice{})->restart();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(many));
}

template <class Run>
void add(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
}

void add_fused(Ratios& ratios) {
  add("philox_pi", peer::philox_pi);
  for (const char* name :
       {"dcmt521", "dcmt607", "ranmar24", "ranmar48", "ranmar48x", "hybrid_tausworthe"}) {
    for (const auto mapping : {StreamMapping::lane, StreamMapping::team}) {
      const bool team = mapping == StreamMapping::team;
      if (team && find_generator(name)->family == GeneratorFamily::tausworthe) continue;
      const std::string full = std::string("pi_") + name + (team ? "_team" : "");
      add(full, [=](benchmark::State& state) { fused(state, name, mapping); });
      ratios.emplace_back(full, "philox_pi");
    }
  }
}

void add_bulk(Ratios& ratios) {
  add("write_bandwidth", peer::write_bandwidth);
  const std::vector<std::pair<std::string, curandRngType_t>> peers{
      {"curand_philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
      {"curand_mt19937", CURAND_RNG_PSEUDO_MT19937},
      {"curand_mtgp32", CURAND_RNG_PSEUDO_MTGP32},
      {"curand_xorwow", CURAND_RNG_PSEUDO_XORWOW}};
  for (const auto& [name, type] : peers) {
    for (const bool floats : {false, true}) {
      const std::string full = name + (floats ? "_float" : "_uint32");
      add(full, [type = type, floats](benchmark::State& state) {
        peer::curand_bulk(state, type, floats);
      });
      ratios.emplace_back(full, "write_bandwidth");
    }
  }
  constexpr auto lane = StreamMapping::lane;
  constexpr auto team = StreamMapping::team;
  const std::vector<std::pair<std::string, Bulk>> ours{
      {"bulk_dcmt521_uint32", {"dcmt521", lane, NumberType::uint32}},
      {"bulk_dcmt521_float", {"dcmt521", lane, NumberType::float32}},
      {"bulk_dcmt521_uint32_team", {"dcmt521", team, NumberType::uint32}},
      {"bulk_dcmt607_uint32", {"dcmt607", lane, NumberType::uint32}},
      {"bulk_dcmt607_float", {"dcmt607", lane, NumberType::float32}},
      {"bulk_ranmar24_float", {"ranmar24", lane, NumberType::float32}},
      {"bulk_ranmar24_float_team", {"ranmar24", team, NumberType::float32}},
      {"bulk_ranmar48x_double", {"ranmar48x", lane, NumberType::float64}},
      {"bulk_ranmar48x_double_team", {"ranmar48x", team, NumberType::float64}},
      {"bulk_hybrid_tausworthe_uint32", {"hybrid_tausworthe", lane, NumberType::uint32}}};
  for (const auto& [name, what] : ours) {
    add(name, [what = what](benchmark::State& state) { bulk(state, what); });
    ratios.emplace_back(name, "write_bandwidth");
  }
}

void add_alias(Ratios& ratios) {
  add("random_reads", peer::random_reads);
  add("alias_10x10", [](benchmark::State& state) {
    sample(state, weights_of(CorrelatedGaussian{}), {10, 10});
  });
  add("alias_100",
      [](benchmark::State& state) { sample(state, weights_of(CorrelatedGaussian{}), {100}); });
  add("alias_1e8", [](benchmark::State& state) {
    std::mt19937_64 engine(1);
    std::vector<double> weights(100000000);
    for (double& weight : weights) weight = static_cast<double>(engine() >> 11);
    sample(state, weights, {weights.size()});
  });
  ratios.emplace_back("alias_1e8", "random_reads");
}

Ratios add_benchmarks() {
  Ratios ratios;
  add_fused(ratios);
  add_bulk(ratios);
  add_alias(ratios);
  add("set_up_2_20_streams", set_up);
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

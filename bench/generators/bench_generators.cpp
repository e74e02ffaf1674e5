// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares every generator on Kokkos' default backend with peers and with the machine's limits:
//
//   pi_      points per second of the fused pi kernels
//   bulk_    bytes per second into memory
//   alias_   samples per second from alias tables
//   set_up_  streams set up per second
//
// Names that end in _team use the team mapping; other pi_ and bulk_ names use lanes. The last lines
// are ratios from the same run, which scripts/bench puts into a table. Report medians
// (--benchmark_repetitions=5 --benchmark_enable_random_interleaving=true) and, on a CPU, use one
// core (OMP_NUM_THREADS=1).

#include <algorithm>

#include "bench_ratios.hpp"
#include "generators/ours.hpp"
#include "generators/peers.hpp"

namespace rivulet {
namespace {

template <class Run>
void register_benchmark(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
}

/// Returns the generators that support native seeding with the shipped parameter sets.
const std::vector<std::string>& ready_names() {
  static const std::vector<std::string> ready = [] {
    std::vector<std::string> names;
    for (const Generator* one : generators()) {
      try {
        static_cast<void>(ours::plan_of(*one, 1));
        names.emplace_back(one->name);
      } catch (const Error&) {  // a run with this generator reports the reason
      }
    }
    return names;
  }();
  return ready;
}

std::string mapping_suffix(StreamMapping mapping) {
  return mapping == StreamMapping::lane ? "" : "_" + std::string(name_of(mapping));
}

/// Registers peers. Returns the names or patterns that ratios refer to, without duplicates.
std::vector<std::string> register_peers(const std::vector<peer::Peer>& peers) {
  std::vector<std::string> reference_names;
  for (const peer::Peer& one : peers) {
    register_benchmark(one.name, one.run);
    if (std::ranges::find(reference_names, one.reference_name()) == reference_names.end())
      reference_names.push_back(one.reference_name());
  }
  return reference_names;
}

void add_ratios(Ratios& ratios, const std::string& name, const std::vector<std::string>& peers) {
  for (const std::string& one : peers) ratios.emplace_back(name, one);
}

void add_pi(Ratios& ratios) {
  const auto peers = register_peers(peer::pi());
  register_peers(peer::issue_rate_peers());
  for (const std::string& name : ready_names()) {
    for (const StreamMapping mapping : find_generator(name)->mappings) {
      const std::string benchmark_name = "pi_" + name + mapping_suffix(mapping);
      register_benchmark(benchmark_name,
                         [=](benchmark::State& state) { ours::pi(state, name, mapping); });
      add_ratios(ratios, benchmark_name, peers);
    }
  }
}

/// Returns the number types to measure, which depend on the bits of the generator's numbers.
std::vector<std::pair<std::string, NumberType>> types_of(const std::string& name) {
  if (find_generator(name)->bits == 24) return {{"float", NumberType::float32}};
  if (find_generator(name)->bits == 48) return {{"double", NumberType::float64}};
  return {{"uint32", NumberType::uint32},
          {"float", NumberType::float32},
          {"double", NumberType::float64}};
}

void add_bulk(Ratios& ratios) {
  const auto writes = register_peers(peer::writes());
  const std::vector<peer::Peer> bulk_peers = peer::bulk();
  const auto peers = register_peers(bulk_peers);
  for (const peer::Peer& one : bulk_peers) add_ratios(ratios, one.name, writes);
  for (const std::string& name : ready_names()) {
    for (const auto& [type_name, type] : types_of(name)) {
      for (const StreamMapping mapping : find_generator(name)->mappings) {
        const std::string benchmark_name =
            "bulk_" + name + "_" + type_name + mapping_suffix(mapping);
        register_benchmark(benchmark_name, [name, mapping, type = type](benchmark::State& state) {
          ours::bulk(state, name, mapping, type);
        });
        add_ratios(ratios, benchmark_name, writes);
        for (const std::string& one : peers) {
          if (one.ends_with("_" + type_name)) ratios.emplace_back(benchmark_name, one);
        }
      }
    }
  }
}

void add_alias(Ratios& ratios) {
  const std::vector<double> gaussian = weights_of(CorrelatedGaussian{});
  const auto peers = register_peers(peer::alias(gaussian));
  for (const std::string& name : ready_names()) {
    const std::string benchmark_name = "alias_" + name;
    register_benchmark(benchmark_name + "_100",
                       [=](benchmark::State& state) { ours::alias(state, name, gaussian, {100}); });
    add_ratios(ratios, benchmark_name + "_100", peers);
    register_benchmark(benchmark_name + "_10x10", [=](benchmark::State& state) {
      ours::alias(state, name, gaussian, {10, 10});
    });
  }
  register_benchmark("random_reads", peer::random_reads);
  register_benchmark("alias_hybrid_tausworthe_100000000", [](benchmark::State& state) {
    static const std::vector<double> weights = ours::random_weights(100000000);
    ours::alias(state, "hybrid_tausworthe", weights, {weights.size()});
  });
  ratios.emplace_back("alias_hybrid_tausworthe_100000000", "random_reads");
}

/// Registers the set-up of many streams, and of so few that a run begins at once.
void add_set_up() {
  constexpr std::uint64_t few = 4096;
  for (const std::string& name : ready_names()) {
    register_benchmark("set_up_" + name, [name](benchmark::State& state) {
      ours::set_up(state, name, ours::Amounts().streams_to_set_up(*find_generator(name)));
    });
    register_benchmark("set_up_" + name + "_" + std::to_string(few),
                       [name](benchmark::State& state) { ours::set_up(state, name, few); });
  }
}

Ratios register_all() {
  Ratios ratios;
  add_pi(ratios);
  add_bulk(ratios);
  add_alias(ratios);
  add_set_up();
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, &rivulet::register_all);
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Benchmarks every generator on Kokkos' default backend, beside peers and the machine's limits:
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
#include <iterator>

#include "bench_ratios.hpp"
#include "generators/ours.hpp"
#include "generators/peers.hpp"

namespace rivulet {
namespace {

template <class Run>
void add(const std::string& name, const Run& run) {
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

/// Returns the mapping's suffix in benchmark names.
std::string ending_of(StreamMapping mapping) {
  return mapping == StreamMapping::lane ? "" : "_" + std::string(name_of(mapping));
}

/// Registers peers. Returns the names or patterns that ratios refer to, without duplicates.
std::vector<std::string> add_all(const std::vector<peer::Peer>& peers) {
  std::vector<std::string> beside;
  for (const peer::Peer& one : peers) {
    add(one.name, one.run);
    if (std::ranges::find(beside, one.beside()) == beside.end()) beside.push_back(one.beside());
  }
  return beside;
}

std::vector<std::string> ending_with(const std::vector<std::string>& names,
                                     const std::string& ending) {
  std::vector<std::string> found;
  std::ranges::copy_if(names, std::back_inserter(found),
                       [&](const std::string& name) { return name.ends_with(ending); });
  return found;
}

void add_ratios(Ratios& ratios, const std::string& name, const std::vector<std::string>& peers) {
  for (const std::string& one : peers) ratios.emplace_back(name, one);
}

void add_pi(Ratios& ratios) {
  const auto peers = add_all(peer::pi());
  add_all(peer::issue());
  for (const std::string& name : ready_names()) {
    for (const StreamMapping mapping : find_generator(name)->mappings) {
      const std::string full = "pi_" + name + ending_of(mapping);
      add(full, [=](benchmark::State& state) { ours::pi(state, name, mapping); });
      add_ratios(ratios, full, peers);
    }
  }
}

/// Returns the number types to measure, which depend on the bits of the generator's numbers.
std::vector<std::pair<std::string, NumberType>> types_of(const std::string& name) {
  if (find_generator(name)->bits == 24) return {{"float", NumberType::float32}};
  if (find_generator(name)->bits == 48) {
    return {{"double", NumberType::float64}};
  }
  return {{"uint32", NumberType::uint32},
          {"float", NumberType::float32},
          {"double", NumberType::float64}};
}

void add_bulk(Ratios& ratios) {
  const auto writes = add_all(peer::writes());
  const std::vector<peer::Peer> others = peer::bulk();
  const auto peers = add_all(others);
  for (const peer::Peer& one : others) add_ratios(ratios, one.name, writes);
  for (const std::string& name : ready_names()) {
    for (const auto& [type_name, type] : types_of(name)) {
      for (const StreamMapping mapping : find_generator(name)->mappings) {
        const std::string full = "bulk_" + name + "_" + type_name + ending_of(mapping);
        add(full, [name, mapping, type = type](benchmark::State& state) {
          ours::bulk(state, {name, mapping, type});
        });
        add_ratios(ratios, full, writes);
        add_ratios(ratios, full, ending_with(peers, "_" + type_name));
      }
    }
  }
}

void add_alias(Ratios& ratios) {
  const std::vector<double> gaussian = weights_of(CorrelatedGaussian{});
  const auto peers = add_all(peer::alias(gaussian));
  for (const std::string& name : ready_names()) {
    const std::string full = "alias_" + name;
    add(full + "_100", [=](benchmark::State& state) { ours::alias(state, name, gaussian, {100}); });
    add_ratios(ratios, full + "_100", peers);
    add(full + "_10x10", [=](benchmark::State& state) {
      ours::alias(state, name, gaussian, {10, 10});
    });
  }
  add("random_reads", peer::random_reads);
  add("alias_hybrid_tausworthe_100000000", [](benchmark::State& state) {
    static const std::vector<double> weights = ours::random_weights(100000000);
    ours::alias(state, "hybrid_tausworthe", weights, {weights.size()});
  });
  ratios.emplace_back("alias_hybrid_tausworthe_100000000", "random_reads");
}

/// Registers set-up of many streams, and of few streams (a run then begins at once).
void add_set_up() {
  constexpr std::uint64_t few = 4096;
  for (const std::string& name : ready_names()) {
    add("set_up_" + name, [name](benchmark::State& state) {
      ours::set_up(state, name, ours::Amounts().set_up_of(*find_generator(name)));
    });
    add("set_up_" + name + "_" + std::to_string(few),
        [name](benchmark::State& state) { ours::set_up(state, name, few); });
  }
}

Ratios all() {
  Ratios ratios;
  add_pi(ratios);
  add_bulk(ratios);
  add_alias(ratios);
  add_set_up();
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) { return rivulet::kokkos_benchmarks(argc, argv, &rivulet::all); }

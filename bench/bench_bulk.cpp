// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bytes a second written to memory beyond the caches (far_) on one core (OMP_NUM_THREADS=1), beside
// the highest write bandwidth (write_streaming, write_each) and the rate of generation alone, which
// is the same numbers written again and again to the nearest cache (near_); the last lines are
// ratios, from this run. rows: streams interleaved, columns: each stream's numbers together.
// Machines are noisy, so quote medians:
// --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true.

#include <fmt/format.h>

#include "bench_kokkos.hpp"
#include "generators/ours.hpp"
#include "generators/peers.hpp"

namespace rivulet {
namespace {

struct Fill {
  std::string generator;
  StreamMapping mapping;
  NumberType type;
  std::uint64_t streams;
  bool rows;
  bool near;
};

/// Numbers of a stream that lie in the nearest cache.
constexpr std::uint64_t near_numbers = 2048;
constexpr std::uint64_t far_bytes = std::uint64_t{1} << 28;

void fill(benchmark::State& state, const Fill& what) {
  const Generator& generator = *find_generator(what.generator);
  const auto plan = ours::plan_of(generator, what.streams);
  const Space space;
  const auto source = make_number_source(space, *plan, {0, what.streams},
                                         {what.type, Interval::closed_open, what.mapping, 1});
  source->restart();
  const std::uint64_t period = source->period();
  const std::uint64_t each = far_bytes / source->number_bytes() / what.streams / period * period;
  const auto to = unit_view("numbers", far_bytes);
  // Near: rows over rows, or columns over columns, as many as are far.
  const std::uint64_t count =
      what.near && !what.rows ? std::min(each, near_numbers / period * period) : each;
  const NumberLayout layout = what.rows ? NumberLayout{1, what.near ? 0 : what.streams}
                                        : NumberLayout{what.near ? 0 : each, 1};
  std::uint64_t begin = 0;
  const auto draw = [&] {
    for (std::uint64_t done = 0; done < each; done += count) {
      const std::uint64_t now = std::min(count, each - done);
      source->draw({0, what.streams, begin, now}, layout, to.data());
      begin += now;
    }
    space.fence();
  };
  draw();  // new pages
  for (auto _ : state) draw();
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(each * what.streams * source->number_bytes()));
}

Ratios add_benchmarks() {
  Ratios ratios;
  for (const peer::Peer& one : peer::writes()) {
    benchmark::RegisterBenchmark(one.name.c_str(), one.run)->UseRealTime();
  }
  const auto add = [&](Fill what, const char* type) {
    const std::string name =
        fmt::format("{}_{}_{}_{}_{}", what.generator, type, name_of(what.mapping),
                    what.rows ? "rows" : "columns", what.streams);
    for (const bool near : {true, false}) {
      what.near = near;
      benchmark::RegisterBenchmark(((near ? "near_" : "far_") + name).c_str(),
                                   [what](benchmark::State& state) { fill(state, what); })
          ->UseRealTime();
    }
    ratios.emplace_back("far_" + name, "near_" + name);
    ratios.emplace_back("far_" + name, device_build ? "write_each" : "write_streaming");
  };
  for (const Generator* one : generators()) {
    const std::string name(one->name);
    if (name == "dcmt2203" || name == "dcmt4253") continue;
    for (const auto& [type_name, type] : {std::pair{"uint32", NumberType::uint32},
                                          {"uint64", NumberType::uint64},
                                          {"float", NumberType::float32},
                                          {"double", NumberType::float64}}) {
      for (const std::uint64_t streams :
           {std::uint64_t{1}, std::uint64_t{32}, std::uint64_t{1024}}) {
        if (one->has(StreamMapping::lane) && streams > 1) {
          add({name, StreamMapping::lane, type, streams, true, false}, type_name);
          add({name, StreamMapping::lane, type, streams, false, false}, type_name);
        }
        if (one->has(StreamMapping::team))
          add({name, StreamMapping::team, type, streams, false, false}, type_name);
      }
    }
  }
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

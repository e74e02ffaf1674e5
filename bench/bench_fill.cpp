// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers a second written to memory on one core (OMP_NUM_THREADS=1), beside the sequential
// generator in double precision that codes carry today; the last lines are ratios, from this run.
// One sequence: 10^7 doubles a fetch into one array. 32 sequences: a chunk that stays in the second
// cache, over and over. Machines are noisy, so quote medians:
// --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench_kokkos.hpp"
#include "kernels/generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "parameters/shipped.hpp"
#include "scalar_ranmar.hpp"

namespace rivulet {
namespace {

struct Fill {
  std::string generator;
  StreamMapping mapping;
  NumberType type;
  std::uint64_t streams;
  std::uint64_t numbers;  ///< of each stream, a fetch
  bool interleaved;       ///< else each stream's numbers lie together
  Interval interval = Interval::closed_open;
};

void fill(benchmark::State& state, const Fill& fill) {
  const Generator& generator = *find_generator(fill.generator);
  StreamRequest request;
  request.streams = fill.streams;
  const auto plan = generator.plan(request, io::Communicator::self());
  const Space space;
  const auto source = make_number_source(space, *plan, {0, fill.streams},
                                         {fill.type, fill.interval, fill.mapping, 1});
  source->restart();
  const Kokkos::View<std::byte*, Space> to("rivulet::numbers",
                                           fill.streams * fill.numbers * source->number_bytes());
  const NumberLayout layout =
      fill.interleaved ? NumberLayout{1, fill.streams} : NumberLayout{fill.numbers, 1};
  std::uint64_t begin = 0;
  for (auto _ : state) {
    source->draw({0, fill.streams, begin, fill.numbers}, layout, to.data());
    space.fence();
    begin += fill.numbers;
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(fill.streams * fill.numbers));
}

Ratios add_benchmarks() {
  constexpr auto lane = StreamMapping::lane;
  constexpr auto team = StreamMapping::team;
  constexpr auto real = NumberType::float64;
  constexpr std::uint64_t fetch = 10000000;
  // 32 x 2000 doubles are 512 KB.
  constexpr std::uint64_t chunk = 2000;
  const std::vector<std::pair<std::string, Fill>> fills{
      {"one_ranmar48", {"ranmar48", team, real, 1, fetch, false}},
      {"one_ranmar48x", {"ranmar48x", team, real, 1, fetch, false}},
      {"one_ranmar24", {"ranmar24", team, real, 1, fetch, false}},
      {"one_ranmar24_float", {"ranmar24", team, NumberType::float32, 1, fetch, false}},
      {"chunk_one_ranmar48", {"ranmar48", team, real, 1, 32 * chunk, false}},
      {"chunk_team_ranmar48", {"ranmar48", team, real, 32, chunk, false}},
      {"chunk_rows_ranmar48", {"ranmar48", lane, real, 32, chunk, true}},
      {"chunk_columns_ranmar48", {"ranmar48", lane, real, 32, chunk, false}},
      {"chunk_zero_replaced_ranmar48",
       {"ranmar48", lane, real, 32, chunk, true, Interval::zero_replaced}},
      {"chunk_team_ranmar24", {"ranmar24", team, real, 32, chunk, false}},
      {"chunk_rows_ranmar24", {"ranmar24", lane, real, 32, chunk, true}},
      {"chunk_columns_ranmar24", {"ranmar24", lane, real, 32, chunk, false}},
      {"chunk_rows_ranmar24_uint64", {"ranmar24", lane, NumberType::uint64, 32, chunk, true}},
      {"chunk_rows_dcmt521_uint32", {"dcmt521", lane, NumberType::uint32, 32, chunk, true}},
      {"chunk_columns_dcmt521_uint32", {"dcmt521", lane, NumberType::uint32, 32, chunk, false}},
      {"chunk_rows_dcmt521", {"dcmt521", lane, real, 32, chunk, true}},
      {"chunk_columns_dcmt521", {"dcmt521", lane, real, 32, chunk, false}},
      {"chunk_team_dcmt521", {"dcmt521", team, real, 32, chunk, false}},
  };
  Ratios ratios;
  benchmark::RegisterBenchmark("scalar_double", scalar_double);
  for (const auto& [name, one] : fills) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [one = one](benchmark::State& state) { fill(state, one); });
    ratios.emplace_back(name, "scalar_double");
  }
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Samples a second from alias tables on one core (OMP_NUM_THREADS=1), histogram included, and cells
// a second of building them, beside the GNU Scientific Library's gsl_ran_discrete with its mt19937
// and gsl_ran_discrete_preproc where CMake found it, and what memory alone allows; the last lines
// are ratios, from this run. Machines are noisy, so quote medians:
// --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench_ratios.hpp"
#include "generators/ours.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "sampling/distributions.hpp"
#include "sampling/large_view.hpp"
#if RIVULET_HAVE_GSL
#include "gsl_peer.hpp"
#endif

namespace rivulet {
namespace {

using Extents = std::vector<std::uint64_t>;

using ours::on_device;
using ours::random_weights;

WideAliasTable wide_table(const Space& space, const std::vector<double>& weights,
                          const Extents& extents) {
  const auto view = on_device(weights);
  const int exponent = weight_exponent(largest_weight(space, view), weights.size());
  return make_alias_table<WideAliasEntry>(space, ExactWeights<double>(view, exponent), extents);
}

/// bits: of the thresholds.
void sample(benchmark::State& state, const std::string& name, const std::vector<double>& weights,
            const Extents& extents, int bits = 32) {
  const Space space;
  const Generator& generator = *find_generator(name);
  const std::uint64_t streams = device_build ? 1 << 17 : 1024;
  const auto plan = ours::plan_of(generator, streams);
  const StreamRange all{0, streams};
  const auto sampler =
      bits == 64 ? make_alias_sampler(space, *plan, all, wide_table(space, weights, extents))
                 : make_alias_sampler(space, *plan, all,
                                      make_alias_table(space, on_device(weights), extents));
  sampler->restart();
  const std::uint64_t length = sampler->round_samples() * 128;
  const StreamShare endless{~std::uint64_t{0}, streams};
  std::uint64_t begin = 0;
  for (auto _ : state) {
    sampler->sample({endless, begin, begin + length});
    begin += length;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(length * streams));
}

/// What the memory allows of samples from that many cells: at random places one entry read and one
/// count raised, with no generator to speak of, all asked for 256 at a time as ours are.
void memory_bound(benchmark::State& state, std::uint64_t cells) {
  constexpr int together = 256;
  const auto entries = large_view<Kokkos::View<std::uint64_t*, Space>>("entries", cells);
  const auto counts = large_view<Kokkos::View<std::uint64_t*, Space>>("counts", cells);
  Kokkos::deep_copy(entries, std::uint64_t{1});
  Kokkos::deep_copy(counts, std::uint64_t{0});
  std::uint64_t* const entry = entries.data();
  std::uint64_t* const count = counts.data();
  std::uint64_t word = 1;
  std::uint64_t place[together];
  for (auto _ : state) {
    for (std::uint64_t& one : place) {
      word = word * 6364136223846793005 + 1442695040888963407;  // Knuth's MMIX generator
      one = (word >> 32) * cells >> 32;
      prefetch<false>(entry + one);
      prefetch<true>(count + one);
    }
    for (const std::uint64_t one : place) count[one] += entry[one];
  }
  state.SetItemsProcessed(state.iterations() * together);
}

void build_wide(benchmark::State& state, std::uint64_t cells) {
  const std::vector<double> weights = random_weights(cells);
  for (auto _ : state) benchmark::DoNotOptimize(wide_table(Space(), weights, {cells}).bytes());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells));
}

void build(benchmark::State& state, std::uint64_t cells) {
  const Space space;
  const auto weights = on_device(random_weights(cells));
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_alias_table(space, weights, {cells}).bytes());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells));
}

#if RIVULET_HAVE_GSL
using namespace peer;

/// A row from the marginal, then a column from the row's own table.
void gsl_sample_rows(benchmark::State& state, const std::vector<double>& weights,
                     std::uint64_t columns) {
  const std::uint64_t rows = weights.size() / columns;
  std::vector<double> sums(rows);
  std::vector<GslTable> tables;
  for (std::uint64_t i = 0; i < weights.size(); ++i) sums[i / columns] += weights[i];
  for (std::uint64_t r = 0; r < rows; ++r) {
    tables.push_back(gsl_table(&weights[r * columns], columns));
  }
  const GslTable marginal = gsl_table(sums.data(), rows);
  const GslGenerator generator = gsl_generator();
  std::vector<std::uint64_t> histogram(weights.size());
  for (auto _ : state) {
    for (std::int64_t i = 0; i < gsl_samples; ++i) {
      const std::size_t row = gsl_ran_discrete(generator.get(), marginal.get());
      ++histogram[row * columns + gsl_ran_discrete(generator.get(), tables[row].get())];
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * gsl_samples);
}

void gsl_build(benchmark::State& state, std::uint64_t cells) {
  const std::vector<double> weights = random_weights(cells);
  for (auto _ : state) benchmark::DoNotOptimize(gsl_table(weights.data(), cells).get());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells));
}
#endif

using Bench = std::function<void(benchmark::State&)>;

/// Ours and, where GSL is, the peer's, and their ratio.
void add(Ratios& ratios, const std::string& name, const Bench& ours, const Bench& gsl) {
  benchmark::RegisterBenchmark(name.c_str(), ours);
  if (!gsl) return;
  benchmark::RegisterBenchmark(("gsl_" + name).c_str(), gsl);
  ratios.emplace_back(name, "gsl_" + name);
}

/// Thresholds of 64 bits beside those of 32.
void add_wide(Ratios& ratios, const std::vector<double>& gaussian) {
  for (const auto& [name, extents] :
       {std::pair{"gaussian_flat", Extents{100}}, {"gaussian_rows", {10, 10}}}) {
    const std::string wide = fmt::format("wide_{}", name);
    benchmark::RegisterBenchmark(wide.c_str(), [=, of = extents](benchmark::State& state) {
      sample(state, "dcmt521", gaussian, of, 64);
    });
    ratios.emplace_back(wide, name);
  }
  benchmark::RegisterBenchmark("wide_build_1000000", build_wide, 1000000);
  ratios.emplace_back("wide_build_1000000", "build_1000000");
}

Ratios add_benchmarks() {
  Ratios ratios;
  const auto gaussian = weights_of(CorrelatedGaussian{});
  const auto peer = [](const std::vector<double>& weights) -> Bench {
#if RIVULET_HAVE_GSL
    return [weights](benchmark::State& state) { gsl_sample(state, weights); };
#else
    (void)weights;
    return {};
#endif
  };
  Bench gsl_rows;
#if RIVULET_HAVE_GSL
  gsl_rows = [gaussian](benchmark::State& state) { gsl_sample_rows(state, gaussian, 10); };
#endif
  for (const std::uint64_t cells : {std::uint64_t{100}, std::uint64_t{10000000}}) {
    const auto weights = random_weights(cells);
    add(
        ratios, fmt::format("flat_{}", cells),
        [=](benchmark::State& state) { sample(state, "dcmt521", weights, {cells}); },
        peer(weights));
  }
  benchmark::RegisterBenchmark("memory_bound", memory_bound, 10000000);
  ratios.emplace_back("flat_10000000", "memory_bound");
  add(
      ratios, "gaussian_flat",
      [=](benchmark::State& state) { sample(state, "dcmt521", gaussian, {100}); }, peer(gaussian));
  add(
      ratios, "gaussian_rows",
      [=](benchmark::State& state) {
        sample(state, "dcmt521", gaussian, {10, 10});
      },
      gsl_rows);
  add_wide(ratios, gaussian);
  for (std::uint64_t cells = 1000; cells <= 100000000; cells *= 10) {
    Bench gsl;
#if RIVULET_HAVE_GSL
    gsl = [cells](benchmark::State& state) { gsl_build(state, cells); };
#endif
    add(
        ratios, fmt::format("build_{}", cells),
        [cells](benchmark::State& state) { build(state, cells); }, gsl);
  }
  return ratios;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  return rivulet::kokkos_benchmarks(argc, argv, rivulet::add_benchmarks);
}

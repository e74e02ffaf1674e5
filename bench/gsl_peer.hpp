// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// The GNU Scientific Library's alias sampling, gsl_ran_discrete with its mt19937, on one core.

namespace rivulet::peer {

using GslTable = std::unique_ptr<gsl_ran_discrete_t, decltype(&gsl_ran_discrete_free)>;
using GslGenerator = std::unique_ptr<gsl_rng, decltype(&gsl_rng_free)>;

inline GslTable gsl_table(const double* weights, std::size_t cells) {
  return {gsl_ran_discrete_preproc(cells, weights), gsl_ran_discrete_free};
}
inline GslGenerator gsl_generator() { return {gsl_rng_alloc(gsl_rng_mt19937), gsl_rng_free}; }

constexpr std::int64_t gsl_samples = 1 << 20;

/// Samples with a histogram.
inline void gsl_sample(benchmark::State& state, const std::vector<double>& weights) {
  const GslTable table = gsl_table(weights.data(), weights.size());
  const GslGenerator generator = gsl_generator();
  std::vector<std::uint64_t> histogram(weights.size());
  for (auto _ : state) {
    for (std::int64_t i = 0; i < gsl_samples; ++i) {
      ++histogram[gsl_ran_discrete(generator.get(), table.get())];
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * gsl_samples);
}

}  // namespace rivulet::peer

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "rng/ranmar_sequential.hpp"

namespace rivulet {

/// The implementation that codes carry today, outside the timed loop.
class ScalarDouble {
 public:
  [[gnu::noinline]] void fill(double* to, std::size_t count) { generator_.fill(to, count); }

 private:
  RanmarSequential generator_{{1802, 9373}};
};

/// Numbers a second, or bytes if a number counts as many.
inline void scalar_double(benchmark::State& state, std::int64_t counts_as = 1) {
  ScalarDouble generator;
  std::array<double, 1000> numbers;
  for (auto _ : state) {
    generator.fill(numbers.data(), numbers.size());
    double sum = 0;
    for (const double number : numbers) sum += number;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * counts_as *
                          static_cast<std::int64_t>(numbers.size()));
}

}  // namespace rivulet

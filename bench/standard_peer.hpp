// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>

#include "kernels/pi/pi_point.hpp"

namespace rivulet::peer {

/// Points of std::mt19937 on one core, counted as ours are.
inline void standard_pi(benchmark::State& state) {
  constexpr std::int64_t points = 1 << 22;
  std::mt19937 generator;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t i = 0; i < points; ++i) {
      PackedCentred::count(static_cast<std::uint32_t>(generator()), std::uint32_t{0}, hits);
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

}  // namespace rivulet::peer

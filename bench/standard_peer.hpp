// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

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

/// Its words in an array of `count`: bytes a second.
inline void standard_words(benchmark::State& state, std::size_t count) {
  std::mt19937 generator;
  std::vector<std::uint32_t> words(count);
  for (auto _ : state) {
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * words.size()));
}

}  // namespace rivulet::peer

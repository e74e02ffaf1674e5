// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <dSFMT.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "kernels/pi/pi_point.hpp"
#include "past_caches.hpp"

// dSFMT, the twister that makes doubles of 52 random bits, on one core. It is fastest when it fills
// arrays.

namespace rivulet::peer {

template <std::size_t count>
struct alignas(Lines::bytes) DsfmtNumbers {
  double number[count];
};
/// The header does not know that its library was compiled with vector instructions.
struct alignas(16) Dsfmt {
  Dsfmt() { dsfmt_init_gen_rand(&state, 1234); }
  dsfmt_t state;
};

/// A point a number, of its 32 highest random bits, from an array that stays in the nearest cache.
inline void dsfmt_pi(benchmark::State& state) {
  constexpr std::int64_t points = 1 << 22;
  constexpr int size = 1024;
  static_assert(size >= DSFMT_N64);  // the least that it fills
  Dsfmt generator;
  DsfmtNumbers<size> some;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t done = 0; done < points; done += size) {
      dsfmt_fill_array_close1_open2(&generator.state, some.number, size);
      for (const double& number : some.number) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        PackedCentred::count(static_cast<std::uint32_t>(bits >> 20), std::uint32_t{0}, hits);
      }
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

/// Doubles in [0, 1).
inline void dsfmt_bulk(benchmark::State& state) {
  constexpr int count = 1 << 25;
  const auto all = std::make_unique<DsfmtNumbers<count>>();
  Dsfmt generator;
  for (auto _ : state) {
    dsfmt_fill_array_close_open(&generator.state, all->number, count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{8} * count);
}

}  // namespace rivulet::peer

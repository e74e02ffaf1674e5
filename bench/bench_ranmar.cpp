// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers a second of RANMAR on one core, summed as they are drawn, beside a loop written by hand
// for vector registers and the sequential generator in double precision that codes carry today; the
// last lines are ratios, from this run. Then times of skipping. Machines are noisy, so quote
// medians:
// --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "bench_ratios.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_jump.hpp"
#include "rng/word.hpp"
#include "scalar_ranmar.hpp"

namespace rivulet {
namespace {

/// Blocks of 97 numbers of every lane a repetition.
constexpr std::uint64_t blocks = 10000;

template <class Variant>
using LaneWord = WordOf<typename Variant::Integer>;

template <class Variant>
Ranmar<Variant, LaneWord<Variant>> lane_engine() {
  using Traits = WordTraits<LaneWord<Variant>>;
  std::array<RanmarState<Variant>, static_cast<std::size_t>(lanes<LaneWord<Variant>>)> alone;
  for (std::size_t l = 0; l < alone.size(); ++l) alone[l] = native_start<Variant>(1, l);
  RanmarState<Variant, LaneWord<Variant>> state;
  for (int k = 0; k < state.words; ++k) {
    state.x[k] = Traits::generate([&](int l) { return alone[static_cast<std::size_t>(l)].x[k]; });
  }
  return Ranmar<Variant, LaneWord<Variant>>(state);
}

template <class Variant>
[[gnu::noinline]] LaneWord<Variant> fused_sum(Ranmar<Variant, LaneWord<Variant>>& engine) {
  using W = LaneWord<Variant>;
  auto local = engine;
  W sum(0U);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    local.round([&sum](auto, W number) RIVULET_INLINE_LAMBDA { sum += number; });
  }
  engine = local;
  return sum;
}

template <class Variant>
void fused(benchmark::State& state) {
  auto engine = lane_engine<Variant>();
  for (auto _ : state) {
    auto sum = fused_sum<Variant>(engine);
    benchmark::DoNotOptimize(sum);
  }
  constexpr auto numbers = static_cast<std::int64_t>(blocks) * ranmar_words;
  state.SetItemsProcessed(state.iterations() * numbers * lanes<LaneWord<Variant>>);
}

/// The bound: 64 sequences of ranmar24 as plain arrays, which compilers turn into whole registers.
struct HandWritten {
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t words = 97;

  std::uint32_t x[words][lanes];
  std::uint32_t c = 362436;

  HandWritten() {
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto start = native_start<Ranmar24>(1, l);
      for (std::size_t k = 0; k < words; ++k) x[k][l] = start.x[k];
    }
  }

  void draw_and_add(std::size_t k, std::size_t younger, std::uint32_t* sum) {
    c = c < 7654321U ? c - 7654321U + 16777213U : c - 7654321U;
    for (std::size_t l = 0; l < lanes; ++l) {
      x[k][l] -= x[younger][l];
      sum[l] += (x[k][l] - c) & 0xffffffU;
    }
  }

  [[gnu::noinline]] std::array<std::uint32_t, lanes> sum(std::uint64_t rounds) {
    std::array<std::uint32_t, lanes> total{};
    for (std::uint64_t i = 0; i < rounds; ++i) {
      for (std::size_t k = 0; k < 33; ++k) draw_and_add(k, k + 64, total.data());
      for (std::size_t k = 33; k < words; ++k) draw_and_add(k, k - 33, total.data());
    }
    return total;
  }
};

void hand_fused(benchmark::State& state) {
  HandWritten hand;
  constexpr std::uint64_t rounds = blocks / 4;
  for (auto _ : state) {
    auto sum = hand.sum(rounds);
    benchmark::DoNotOptimize(sum);
  }
  constexpr auto numbers = static_cast<std::int64_t>(rounds * HandWritten::words);
  state.SetItemsProcessed(state.iterations() * numbers * std::int64_t{HandWritten::lanes});
}

/// To a jumped state, jump polynomial included.
void skip(benchmark::State& state, std::uint64_t multiplier, unsigned log2) {
  auto start = native_start<Ranmar48x>(1, 1);
  for (auto _ : state) {
    start = ranmar_jump(start, LaggedFibonacciJump(multiplier, log2));
    benchmark::DoNotOptimize(start);
  }
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  using namespace rivulet;
  benchmark::RegisterBenchmark("scalar_double", scalar_double);
  benchmark::RegisterBenchmark("hand_fused", hand_fused);
  benchmark::RegisterBenchmark("fused_ranmar24", fused<Ranmar24>);
  benchmark::RegisterBenchmark("fused_ranmar48", fused<Ranmar48>);
  benchmark::RegisterBenchmark("fused_ranmar48_scaled", fused<Ranmar48Scaled>);
  benchmark::RegisterBenchmark("fused_ranmar48x", fused<Ranmar48x>);
  const auto skips = [](const char* name, std::uint64_t multiplier, unsigned log2) {
    benchmark::RegisterBenchmark(name, skip, multiplier, log2)->Unit(benchmark::kMicrosecond);
  };
  skips("skip_million", 1000000, 0);
  skips("skip_1e18", 1000000000000000000, 0);
  skips("skip_2_to_100", 1, 100);
  return run_benchmarks(argc, argv,
                        {{"fused_ranmar24", "hand_fused"},
                         {"fused_ranmar24", "scalar_double"},
                         {"fused_ranmar48", "fused_ranmar24"},
                         {"fused_ranmar48x", "fused_ranmar24"},
                         {"fused_ranmar48x", "scalar_double"}});
}

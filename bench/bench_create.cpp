// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <benchmark/benchmark.h>

#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "parameters/shipped.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"

namespace rivulet {
namespace {

/// A set from nothing: search, proof, masks and all k(v). One iteration is one set; the time is an
/// average over ids, which differ widely.
void create_set(benchmark::State& state) {
  const int p = static_cast<int>(state.range(0));
  std::uint32_t id = 0;
  for (auto _ : state) {
    const DcmtSet set = create_dcmt_set(p, id++ % dcmt_id_limit, shipped_dcmt_seed);
    benchmark::DoNotOptimize(dimensions_of_equidistribution(dcmt_shape(p), set));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(create_set)->Unit(benchmark::kMillisecond)->Arg(521)->Arg(607)->Iterations(64);
BENCHMARK(create_set)->Unit(benchmark::kMillisecond)->Arg(1279)->Iterations(32);
BENCHMARK(create_set)->Unit(benchmark::kMillisecond)->Arg(2203)->Iterations(4);

void tempering(benchmark::State& state) {
  const DcmtSets sets = shipped_dcmt(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_tempering(dcmt_shape(sets.p), sets.sets[i++ % 512].a));
  }
}
BENCHMARK(tempering)->Unit(benchmark::kMillisecond)->Arg(521)->Arg(607)->Iterations(64);

void dimensions(benchmark::State& state) {
  const DcmtSets sets = shipped_dcmt(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        dimensions_of_equidistribution(dcmt_shape(sets.p), sets.sets[i++ % 512]));
  }
}
BENCHMARK(dimensions)->Unit(benchmark::kMillisecond)->Arg(521)->Arg(607);

void proof(benchmark::State& state) {
  const DcmtSets sets = shipped_dcmt(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) prove(dcmt_shape(sets.p), sets.sets[i++ % 512]);
}
BENCHMARK(proof)->Unit(benchmark::kMillisecond)->Arg(521)->Arg(607);

/// The polynomials that move 256 streams of one set to their starts.
void jump_polynomials(benchmark::State& state) {
  const DcmtSets sets = shipped_dcmt(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    const auto phi = dcmt_characteristic_polynomial(dcmt_shape(sets.p), sets.sets[i++ % 512].a);
    benchmark::DoNotOptimize(JumpPolynomials(phi, IrregularStarts(64), 255));
  }
}
BENCHMARK(jump_polynomials)->Unit(benchmark::kMillisecond)->Arg(521)->Arg(607);

/// A RANMAR state of 48 bits moved by multiplier * 2^log2 numbers, jump polynomial included.
void ranmar_skip(benchmark::State& state, std::uint64_t multiplier, unsigned log2) {
  auto start = native_start<Ranmar48x>(1, 1);
  for (auto _ : state) {
    start = ranmar_jump(start, LaggedFibonacciJump(multiplier, log2));
    benchmark::DoNotOptimize(start);
  }
}
BENCHMARK_CAPTURE(ranmar_skip, million, 1000000, 0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(ranmar_skip, 1e18, 1000000000000000000, 0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(ranmar_skip, 2_to_100, 1, 100)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rivulet

BENCHMARK_MAIN();

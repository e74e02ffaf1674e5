// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <curand.h>
#include <curand_kernel.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <stdexcept>

// cuRAND's generators and tables.

namespace rivulet {

using CurandPhilox = curandStatePhilox4_32_10_t;
using CurandXorwow = curandStateXORWOW_t;

/// The kernel constructs these states, as it does Rivulet's Philox streams. Neither needs memory.
struct CurandPhiloxes {
  std::uint64_t seed;
  __device__ CurandPhilox open(std::uint64_t thread) const {
    CurandPhilox state;
    curand_init(seed, thread, 0, &state);
    return state;
  }
  __device__ void close(std::uint64_t, const CurandPhilox&) const {}
};

/// The states are kept in memory, because their set-up takes longer than thousands of draws.
struct CurandXorwows {
  std::uint64_t seed;
  Kokkos::View<CurandXorwow*> states;

  CurandXorwows(std::uint64_t threads, std::uint64_t of) : seed(of), states("xorwow", threads) {
    using Threads = Kokkos::RangePolicy<Kokkos::IndexType<std::uint64_t>>;
    Kokkos::parallel_for("xorwow", Threads(0, threads), *this);
  }
  __device__ void operator()(std::uint64_t thread) const {
    curand_init(seed, thread, 0, &states(thread));
  }
  __device__ CurandXorwow open(std::uint64_t thread) const { return states(thread); }
  __device__ void close(std::uint64_t thread, const CurandXorwow& state) const {
    states(thread) = state;
  }
};

// minus_log() converts uniform numbers in (0, 1] to exponential numbers, which cuRAND lacks.

__device__ inline float minus_log(float u) { return -logf(u); }
__device__ inline double minus_log(double u) { return -log(u); }
__device__ inline float4 minus_log(float4 u) {
  return {minus_log(u.x), minus_log(u.y), minus_log(u.z), minus_log(u.w)};
}
__device__ inline double2 minus_log(double2 u) { return {minus_log(u.x), minus_log(u.y)}; }

/// The table is never freed.
inline curandDiscreteDistribution_t curand_poisson_table(double mean) {
  curandDiscreteDistribution_t table = nullptr;
  if (curandCreatePoissonDistribution(mean, &table) != CURAND_STATUS_SUCCESS) {
    throw std::runtime_error("cuRAND makes no table");
  }
  return table;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <curand_kernel.h>

#include <cmath>

#include "slab.hpp"

namespace slab {

/// Uniform in (0, 1]: cuRAND's own, of 32 bits with this generator, or of 53.
template <int bits>
__device__ double curand_number(curandStatePhilox4_32_10_t& rng) {
  if constexpr (bits == 32) return curand_uniform_double(&rng);
  const std::uint64_t high = curand(&rng) >> 5;
  return static_cast<double>((high << 26 | curand(&rng) >> 6) + 1) * 0x1p-53;
}

/// cuRAND's Philox, initialised in the kernel.
template <int bits>
inline Tallies with_curand(std::uint64_t seed) {
  Tallies tallies;
  Kokkos::parallel_reduce(
      "slab::with_curand", Histories(0, histories),
      [=] __device__(const std::uint64_t history, std::uint64_t& transmitted,
                     std::uint64_t& reflected, std::uint64_t& absorbed) {
        curandStatePhilox4_32_10_t rng;
        curand_init(seed, history, 0, &rng);
        double depth = 0;
        double direction = 1;
        while (true) {
          depth += direction * -std::log(curand_number<bits>(rng));
          if (depth < 0) {
            ++reflected;
            break;
          }
          if (depth >= thickness) {
            ++transmitted;
            break;
          }
          if (curand_number<bits>(rng) <= absorption) {
            ++absorbed;
            break;
          }
          direction = 2 * curand_number<bits>(rng) - 1;
        }
      },
      tallies.transmitted, tallies.reflected, tallies.absorbed);
  return tallies;
}

}  // namespace slab

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Random.hpp>
#include <cmath>

#include "slab.hpp"

namespace slab {

/// A generator of Kokkos' pool a history, as its users write it: any one that is free.
inline Tallies with_pool(const Kokkos::Random_XorShift64_Pool<>& pool) {
  Tallies tallies;
  Kokkos::parallel_reduce(
      "slab::with_pool", Histories(0, histories),
      KOKKOS_LAMBDA(const std::uint64_t, std::uint64_t& transmitted, std::uint64_t& reflected,
                    std::uint64_t& absorbed) {
        auto rng = pool.get_state();
        double depth = 0;
        double direction = 1;
        while (true) {
          depth += direction * -std::log(1 - rng.drand());
          if (depth < 0) {
            ++reflected;
            break;
          }
          if (depth >= thickness) {
            ++transmitted;
            break;
          }
          if (rng.drand() < absorption) {
            ++absorbed;
            break;
          }
          direction = rng.drand(-1, 1);
        }
        pool.free_state(rng);
      },
      tallies.transmitted, tallies.reflected, tallies.absorbed);
  return tallies;
}

}  // namespace slab

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <rivulet/rivulet.hpp>

#include "slab.hpp"

namespace slab {

/// A stream a history, opened and closed.
template <class Streams>
inline Tallies with_streams(const Streams& streams) {
  Tallies tallies;
  Kokkos::parallel_reduce(
      "slab::with_streams", Histories(0, histories),
      KOKKOS_LAMBDA(const std::uint64_t history, std::uint64_t& transmitted,
                    std::uint64_t& reflected, std::uint64_t& absorbed) {
        auto rng = streams.open(history);
        const rivulet::Exponential<double> path;
        const rivulet::Uniform<double> cosine(-1, 1);
        double depth = 0;
        double direction = 1;
        while (true) {
          depth += direction * path(rng);
          if (depth < 0) {
            ++reflected;
            break;
          }
          if (depth >= thickness) {
            ++transmitted;
            break;
          }
          if (rivulet::Bernoulli(absorption)(rng)) {
            ++absorbed;
            break;
          }
          direction = cosine(rng);
        }
        streams.close(history, rng);
      },
      tallies.transmitted, tallies.reflected, tallies.absorbed);
  return tallies;
}

}  // namespace slab

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particles enter a slab from the left, and fly exponentially distributed distances. At each
// collision, a particle is absorbed, or scatters in any direction. This example counts the
// particles that are transmitted, reflected and absorbed. Each history draws from its own stream,
// which depends only on the seed and on the history's number. The counts are therefore the same
// with any number of threads, and on a GPU.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);

  constexpr std::uint64_t seed = 42;
  constexpr std::uint64_t histories = 1000000;
  constexpr double thickness = 5;     // in mean free paths
  constexpr double absorption = 0.1;  // probability per collision

  std::uint64_t transmitted = 0;
  std::uint64_t reflected = 0;
  std::uint64_t absorbed = 0;
  // Integer counts do not depend on the order of the threads.
  Kokkos::parallel_reduce(
      "slab", Kokkos::RangePolicy<Kokkos::IndexType<std::uint64_t>>(0, histories),
      KOKKOS_LAMBDA(const std::uint64_t history, std::uint64_t& transmissions,
                    std::uint64_t& reflections, std::uint64_t& absorptions) {
        // Each history has its own stream, which needs no memory or set-up.
        rivulet::Stream<rivulet::Philox4x32> rng(seed, history);
        // Distributions are small value types. Their results are bitwise the same on CPUs and GPUs.
        const rivulet::Exponential<double> path;
        const rivulet::Uniform<double> cosine(-1, 1);

        double depth = 0;
        double direction = 1;  // the cosine of the angle to the slab's normal
        while (true) {
          // Compilers may contract this expression to an FMA, which rounds once instead of twice. A
          // count would change only if a particle ended within a rounding error of a face.
          depth += direction * path(rng);
          if (depth < 0) {
            ++reflections;
            break;
          }
          if (depth >= thickness) {
            ++transmissions;
            break;
          }
          if (rivulet::Bernoulli(absorption)(rng)) {
            ++absorptions;
            break;
          }
          direction = cosine(rng);
        }
      },
      transmitted, reflected, absorbed);

  std::printf("transmitted %llu\n", static_cast<unsigned long long>(transmitted));
  std::printf("reflected %llu\n", static_cast<unsigned long long>(reflected));
  std::printf("absorbed %llu\n", static_cast<unsigned long long>(absorbed));
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particles fall on a slab from the left, fly exponentially distributed distances, are absorbed or
// scatter into any direction, and are counted where they end. Each history draws from a stream of
// its own, which is made where it is used and is a function of the seed and the history's number:
// so the counts are the same with any number of threads, and on a GPU.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);

  constexpr std::uint64_t seed = 42;
  constexpr std::uint64_t histories = 1000000;
  constexpr double thickness = 5;     // in mean free paths
  constexpr double absorption = 0.1;  // of a collision, its probability

  std::uint64_t transmitted = 0;
  std::uint64_t reflected = 0;
  std::uint64_t absorbed = 0;
  // Counts are integers, whose sums do not depend on the order of the threads.
  Kokkos::parallel_reduce(
      "slab", Kokkos::RangePolicy<Kokkos::IndexType<std::uint64_t>>(0, histories),
      KOKKOS_LAMBDA(const std::uint64_t history, std::uint64_t& through, std::uint64_t& back,
                    std::uint64_t& stopped) {
        // No memory, no set-up: a stream a history, however many there are.
        rivulet::Stream<rivulet::Philox4x32> rng(seed, history);
        // Distributions are small values. They come out bitwise the same on CPUs and GPUs.
        const rivulet::Exponential<double> path;
        const rivulet::Uniform<double> cosine(-1, 1);

        double depth = 0;
        double direction = 1;  // the cosine of the angle to the slab's normal
        while (true) {
          // Compilers may round this once or twice. A count would only depend on it if a particle
          // ended within a last bit of a face.
          depth += direction * path(rng);
          if (depth < 0) {
            ++back;
            break;
          }
          if (depth >= thickness) {
            ++through;
            break;
          }
          if (rivulet::Bernoulli(absorption)(rng)) {
            ++stopped;
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

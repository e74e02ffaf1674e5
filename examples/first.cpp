// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// README.md shows this code first.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  std::uint64_t inside = 0;
  // clang-format off
  Kokkos::parallel_reduce("pi", 1000000, KOKKOS_LAMBDA(std::uint64_t i, std::uint64_t& sum) {
    rivulet::Stream<rivulet::Philox4x32> rng(42, i);  // history i of seed 42: no set-up
    const rivulet::Uniform<double> uniform;
    const double x = uniform(rng), y = uniform(rng);
    if (x * x + y * y < 1) ++sum;
  }, inside);
  // clang-format on
  std::printf("pi is about %.6f\n", 4e-6 * static_cast<double>(inside));
}

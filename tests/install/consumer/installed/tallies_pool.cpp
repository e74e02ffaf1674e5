// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::Random_XorShift64_Pool<> pool(42);
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "tally", Kokkos::RangePolicy<>(0, 1000),
      KOKKOS_LAMBDA(const int, std::uint64_t& partial) {
        auto rng = pool.get_state();
        for (int i = 0; i < 100; ++i) partial += rng.urand();
        pool.free_state(rng);
      },
      sum);
  std::printf("Kokkos' pool: %llu\n", static_cast<unsigned long long>(sum));
  return sum > 0 ? 0 : 1;
}

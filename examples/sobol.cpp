// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Estimates an integral over eight dimensions with random points and with Owen-scrambled Sobol
// points. The standard error is estimated from 16 replicates with different seeds. The
// integral's exact value is 1.

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>
#include <rivulet/sobol.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Points = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint64_t>>;

constexpr std::uint64_t dimensions = 8;
constexpr std::uint64_t replicates = 16;

// The integrand is the product of these factors over d. Each factor has mean 1.
KOKKOS_FUNCTION double factor(double x, std::uint64_t d) {
  return 1 + (3 * x * x - 1) / static_cast<double>(d + 1);
}

// Returns f in units of 2^-32, because sums of integers do not depend on the order of their terms.
KOKKOS_FUNCTION std::uint64_t units(double f) { return static_cast<std::uint64_t>(f * 0x1p32); }

std::uint64_t quasi_random_sum(const rivulet::Sobol<>& sobol, std::uint64_t from,
                               std::uint64_t end) {
  std::uint64_t total = 0;
  Kokkos::parallel_reduce(
      "quasi_random", Points(from, end),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        double f = 1;
        for (std::uint64_t d = 0; d < dimensions; ++d) f *= factor(sobol.uniform(i, d), d);
        sum += units(f);
      },
      total);
  return total;
}

std::uint64_t random_sum(std::uint64_t seed, std::uint64_t from, std::uint64_t end) {
  std::uint64_t total = 0;
  Kokkos::parallel_reduce(
      "random", Points(from, end),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        rivulet::Stream<rivulet::Philox4x32> rng(seed, i);
        const rivulet::Uniform<double> uniform;
        double f = 1;
        for (std::uint64_t d = 0; d < dimensions; ++d) f *= factor(uniform(rng), d);
        sum += units(f);
      },
      total);
  return total;
}

// Prints the absolute error of the replicates' mean, and the standard error of this mean.
void print(const std::uint64_t (&sums)[replicates], std::uint64_t points) {
  double mean = 0;
  double squares = 0;
  for (const std::uint64_t sum : sums) {
    const double error = static_cast<double>(sum) * 0x1p-32 / static_cast<double>(points) - 1;
    mean += error / replicates;
    squares += error * error;
  }
  const double variance = (squares - replicates * mean * mean) / (replicates - 1);
  std::printf(" %13.1e %14.1e", std::abs(mean), std::sqrt(variance / replicates));
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const rivulet::Sobol<> sobol(dimensions);
  std::uint64_t random_sums[replicates] = {};
  std::uint64_t quasi_random_sums[replicates] = {};
  std::printf("%7s %28s %28s\n", "points", "random", "quasi-random");
  std::printf("%7s %13s %14s %13s %14s\n", "", "error", "standard error", "error",
              "standard error");
  std::uint64_t from = 0;
  for (std::uint64_t end = 1 << 10; end <= 1 << 18; end *= 2) {
    for (std::uint64_t seed = 0; seed < replicates; ++seed) {
      random_sums[seed] += random_sum(seed, from, end);
      quasi_random_sums[seed] += quasi_random_sum(sobol.with_seed(seed), from, end);
    }
    from = end;
    std::printf("%7llu", static_cast<unsigned long long>(end));
    print(random_sums, end);
    print(quasi_random_sums, end);
    std::printf("\n");
  }
}

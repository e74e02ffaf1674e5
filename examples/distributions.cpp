// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Draws from each distribution that the other examples do not use.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>
#include <vector>

using Rng = rivulet::Stream<rivulet::Philox4x64>;

namespace {

void counts(Rng rng) {
  const auto hits = static_cast<unsigned>(rivulet::Binomial(100, 0.25)(rng));
  const auto misses = static_cast<unsigned>(rivulet::Geometric(0.1)(rng));
  const double weights[3] = {1, 2, 1};
  std::uint64_t cells[3];
  rivulet::Multinomial(1000, 3, weights)(rng, cells);
  std::printf("%u hits of 100, %u misses before a hit, cells of 1000: %u %u %u\n", hits, misses,
              static_cast<unsigned>(cells[0]), static_cast<unsigned>(cells[1]),
              static_cast<unsigned>(cells[2]));
}

void reals(Rng rng) {
  const double mass = rivulet::Cauchy<double>(91.188, 1.248)(rng);  // GeV: Z mass and half-width
  const double cells = rivulet::LogNormal<double>(2, 0.5)(rng);
  const double cut = rivulet::TruncatedNormal<double>(0, 1, 3, 4)(rng);
  std::printf("Cauchy %.4f, log-normal %.4f, truncated normal %.4f\n", mass, cells, cut);
  const double gamma = rivulet::Gamma<double>(2.5, 2)(rng);
  const double chi_square = rivulet::ChiSquare<double>(5)(rng);
  const double student = rivulet::Student<double>(4)(rng);
  const double beta = rivulet::Beta<double>(2, 3)(rng);
  std::printf("gamma %.4f, chi-square %.4f, Student %.4f, beta %.4f\n", gamma, chi_square, student,
              beta);
}

void several_at_a_time(Rng rng) {
  const double angle = rivulet::VonMises<double>(0, 4)(rng);
  const rivulet::Direction<double> on_sphere = rivulet::UnitVector<double>()(rng);
  const rivulet::DiskPoint<double> on_disk = rivulet::OnDisk<double>()(rng);
  double square = 0;
  rivulet::OnDisk<double>::point(rng, square);
  std::printf("angle %.4f, direction %.4f %.4f %.4f, on the disk %.4f %.4f, squared %.4f\n", angle,
              on_sphere.x, on_sphere.y, on_sphere.z, on_disk.x, on_disk.y, square);
  double parts[3];
  rivulet::Simplex<double>(3)(rng, parts);
  const double mean[2] = {1, -1};
  const double factor[4] = {2, 0, 0.5, 1};  // covariance (4, 1; 1, 1.25)
  double correlated[2];
  rivulet::MultivariateNormal<double>(2, mean, factor)(rng, correlated);
  std::printf("parts %.4f %.4f %.4f, correlated %.4f %.4f\n", parts[0], parts[1], parts[2],
              correlated[0], correlated[1]);
}

// Builds a table once. Kernels of the table's execution space can then draw from it.
void indices() {
  const std::vector<double> weights = {1, 2, 3, 4};
  const rivulet::DiscreteTable<> table(Kokkos::DefaultExecutionSpace(), weights,
                                       rivulet::ThresholdBits::wide);
  const rivulet::Discrete discrete = table.distribution();
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "indices", 10000,
      KOKKOS_LAMBDA(const int i, std::uint64_t& to) {
        Rng rng(42, static_cast<std::uint64_t>(i));
        to += discrete(rng);
      },
      sum);
  const bool is_exact = table.largest_change() < 1e-15;
  std::printf("%u cells, %d bits, exact: %s, mean of 10000 indices: %.4f\n", table.cells(),
              table.bits(), is_exact ? "yes" : "no", static_cast<double>(sum) / 1e4);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const rivulet::Streams<rivulet::Philox4x64> streams({.count = 3, .seed = 42, .first = 10});
  counts(Rng(streams.seed(), streams.first()));
  reals(Rng(42, 11));
  several_at_a_time(streams.child(2, 0));  // each child is a separate stream
  indices();
}

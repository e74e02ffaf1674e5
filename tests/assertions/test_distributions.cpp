// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "rivulet/rivulet.hpp"
#include "rivulet/sobol.hpp"

namespace rivulet {
namespace {

// What distributions, permutations and Sobol's points assert of their parameters, on the host.

TEST(DistributionsDeathTest, Parameters) {
  EXPECT_DEATH(Gamma<double>(0), "2\\^-50 to 2\\^50");
  EXPECT_DEATH(Gamma<double>(1, -1), "positive scale");
  EXPECT_DEATH(ChiSquare<double>(std::nan("")), "half the degrees of freedom");
  EXPECT_DEATH(Student<double>(1e18), "half the degrees of freedom");
  EXPECT_DEATH(Beta<double>(1, 0), "2\\^-50 to 2\\^50");
  EXPECT_DEATH(LogNormal<double>(0, -1), "standard deviation");
  EXPECT_DEATH(Cauchy<double>(0, 0), "positive scale");
  EXPECT_DEATH(VonMises<double>(0, -1), "from 0 to 2\\^100");
  EXPECT_DEATH(TruncatedNormal<double>(0, 1, 2, 2), "low < high");
  EXPECT_DEATH(TruncatedNormal<double>(0, 0, 1, 2), "sigma > 0");
  EXPECT_DEATH(Binomial(10, 1.5), "2\\^50 trials and a probability");
  EXPECT_DEATH(Binomial((std::uint64_t{1} << 50) + 1, 0.5), "2\\^50 trials");
  EXPECT_DEATH(Geometric(0), "at least 2\\^-58");
  EXPECT_DEATH(Simplex<double>(0), "has a number");
  EXPECT_DEATH(MultivariateNormal<double>(0, nullptr, nullptr), "has a number");
  EXPECT_DEATH(Multinomial(1, 0, nullptr), "has a cell");
  const double weights[] = {1, -1};
  const double nothing[] = {0, 0};
  std::uint64_t counts[2];
  Stream<Philox4x32> engine(1, 1);
  EXPECT_DEATH(Multinomial(1, 2, weights)(engine, counts), "not negative");
  EXPECT_DEATH(Multinomial(1, 2, nothing)(engine, counts), "have a sum");
}

TEST(PermutationDeathTest, Places) {
  EXPECT_DEATH(Permutation(1, 2, 0), "n > 0");
  EXPECT_DEATH(Permutation(1, 2, 5)(5), "below n");
  EXPECT_DEATH(Permutation(1, 2, 5).inverse(7), "below n");
}

TEST(SobolDeathTest, PointsAndDimensions) {
  const Sobol<Kokkos::HostSpace> sobol(2);
  EXPECT_DEATH(sobol.word(std::uint64_t{1} << 32, 0), "0 \\.\\. 2\\^32 - 1");
  EXPECT_DEATH(sobol.uniform<float>(0, 2), "as many dimensions");
}

}  // namespace
}  // namespace rivulet

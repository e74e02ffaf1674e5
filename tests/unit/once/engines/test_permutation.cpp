// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "distribution_engines.hpp"
#include "rivulet/permutation.hpp"

namespace rivulet {
namespace {

TEST(Permutation, GoesToEachPlaceOnceAndBack) {
  std::vector<std::uint64_t> seen;
  for (std::uint64_t n = 1; n <= 2100; ++n) {
    const Permutation permutation(7, n % 3, n);
    seen.assign(n, n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t k = permutation(i);
      ASSERT_LT(k, n);
      ASSERT_EQ(seen[k], n) << n;
      seen[k] = i;
      ASSERT_EQ(permutation.inverse(k), i) << n;
    }
  }
  EXPECT_EQ(Permutation(7, 0, 5).size(), 5U);
}

TEST(Permutation, OfManyNumbers) {
  const auto most = std::numeric_limits<unsigned long long>::max();
  std::mt19937_64 engine(1);
  for (const std::uint64_t n : {(1ULL << 32) - 1, 1ULL << 32, (1ULL << 32) + 1, 1ULL << 63, most}) {
    const Permutation permutation(7, 1, n);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t k = i == 0 ? n - 1 : engine() % n;
      ASSERT_LT(permutation(k), n);
      ASSERT_EQ(permutation.inverse(permutation(k)), k);
      ASSERT_EQ(permutation(permutation.inverse(k)), k);
    }
  }
}

/// Golden numbers must be the same on every machine and in every version.
TEST(Permutation, GoldenNumbers) {
  const Permutation ten(1, 2, 10);
  std::vector<std::uint64_t> all(10);
  for (std::uint64_t i = 0; i < 10; ++i) all[i] = ten(i);
  EXPECT_EQ(all, (std::vector<std::uint64_t>{9, 6, 2, 0, 3, 4, 1, 5, 7, 8}));
  // 16 is the largest size whose indices fit in 4 bits.
  EXPECT_EQ(Permutation(1, 2, 16)(0), 15U);
  EXPECT_EQ(Permutation(1, 2, 16)(15), 4U);
  EXPECT_EQ(Permutation(1, 2, 1000000)(123456), 67163U);
  EXPECT_EQ(Permutation(1, 2, ~std::uint64_t{0})(0), 1863328696383334019U);
}

TEST(Permutation, DependsOnSeedIdAndSize) {
  const std::uint64_t n = std::uint64_t{1} << 60;
  const std::uint64_t at = Permutation(1, 2, n)(3);
  EXPECT_NE(Permutation(2, 2, n)(3), at);
  EXPECT_NE(Permutation(1, 3, n)(3), at);
  EXPECT_NE(Permutation(1, 2, n - 1)(3), at);
  EXPECT_NE(Permutation((std::uint64_t{1} << 32) + 1, 2, n)(3), at);
  EXPECT_NE(Permutation(1, (std::uint64_t{1} << 32) + 2, n)(3), at);
}

#ifdef NDEBUG
TEST(Permutation, OfNothingAndBeyond) {
  EXPECT_EQ(Permutation(1, 2, 0)(5), 5U);
  EXPECT_EQ(Permutation(1, 2, 5)(5), 5U);
  EXPECT_EQ(Permutation(1, 2, 5).inverse(7), 7U);
}
#endif

TEST(Shuffle, DrawsOneNumberLessThanThereAre) {
  TestEngine<32> engine(52);
  int numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  shuffle(engine, numbers, 10);
  EXPECT_EQ(engine.drawn(), 9);
  EXPECT_EQ(std::vector<int>(numbers, numbers + 10),
            (std::vector<int>{2, 6, 3, 5, 0, 4, 7, 8, 1, 9}));
  shuffle(engine, numbers, 1);
  shuffle(engine, numbers, 0);
  EXPECT_EQ(engine.drawn(), 9);
  // If each number drawn is the largest possible, all elements stay in place.
  ScriptedEngine<32> largest({0xffffffff});
  std::vector<int> some{1, 2, 3};
  shuffle(largest, some.begin(), 3);
  EXPECT_EQ(some, (std::vector<int>{1, 2, 3}));
  std::vector<std::unique_ptr<int>> movable(3);
  for (int i = 0; i < 3; ++i) movable[static_cast<std::size_t>(i)] = std::make_unique<int>(i);
  shuffle(engine, movable.begin(), 3);
  int sum = 0;
  for (const auto& one : movable) sum += *one;
  EXPECT_EQ(sum, 3);
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "distribution_checks.hpp"
#include "rivulet/permutation.hpp"

namespace rivulet {
namespace {

constexpr int orders = 400000;

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

/// The same on every machine and in every version.
TEST(Permutation, GoldenNumbers) {
  const Permutation ten(1, 2, 10);
  std::vector<std::uint64_t> all(10);
  for (std::uint64_t i = 0; i < 10; ++i) all[i] = ten(i);
  EXPECT_EQ(all, (std::vector<std::uint64_t>{9, 6, 2, 0, 3, 4, 1, 5, 7, 8}));
  // As many as 4 bits hold.
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

/// The number of a permutation of m places, 0 .. m! - 1.
template <std::size_t m>
std::size_t rank_of(const std::array<std::uint64_t, m>& places) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < m; ++i) {
    rank *= m - i;
    for (std::size_t j = i + 1; j < m; ++j) rank += places[j] < places[i] ? 1 : 0;
  }
  return rank;
}

/// All m! permutations of m numbers, of consecutive seeds, and of consecutive ids. With 8 rounds
/// instead of those that permutation.hpp states, two fail, by p < 1e-30; with 12 none does.
template <std::size_t m>
void expect_all_permutations() {
  std::size_t all = 1;
  for (std::size_t i = 2; i <= m; ++i) all *= i;
  std::vector<std::uint64_t> of_seeds(all);
  std::vector<std::uint64_t> of_ids(all);
  for (std::uint64_t key = 0; key < orders / 2; ++key) {
    std::array<std::uint64_t, m> a;
    std::array<std::uint64_t, m> b;
    const Permutation of_seed(key, 0, m);
    const Permutation of_id(9, key, m);
    for (std::size_t i = 0; i < m; ++i) {
      a[i] = of_seed(i);
      b[i] = of_id(i);
    }
    ++of_seeds[rank_of(a)];
    ++of_ids[rank_of(b)];
  }
  const std::vector<double> expected(all, orders / 2.0 / static_cast<double>(all));
  expect_counts(of_seeds, expected, "permutations by seed");
  expect_counts(of_ids, expected, "permutations by id");
}

TEST(Permutation, AllOfFewNumbersAreEquallyLikely) {
  expect_all_permutations<4>();
  expect_all_permutations<5>();
  expect_all_permutations<6>();
}

/// Without the exchange by the key, Feistel networks of 16 numbers are even.
TEST(Permutation, IsOddAsOftenAsEven) {
  for (const std::uint64_t n : {4, 16, 64}) {
    std::vector<std::uint64_t> counts(2);
    for (std::uint64_t seed = 0; seed < orders / 8; ++seed) {
      const Permutation permutation(seed, 3, n);
      std::uint64_t places[64];
      for (std::uint64_t i = 0; i < n; ++i) places[i] = permutation(i);
      std::uint64_t inversions = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = i + 1; j < n; ++j) inversions += places[j] < places[i] ? 1 : 0;
      }
      ++counts[inversions % 2];
    }
    expect_counts(counts, {orders / 16.0, orders / 16.0}, "parity of " + std::to_string(n));
  }
}

TEST(Permutation, PlacesAreUniformOverSeeds) {
  for (const std::uint64_t n : {7ULL, 16ULL, 64ULL, 100ULL, 1000ULL, 1ULL << 40}) {
    const std::uint64_t cells = std::min<std::uint64_t>(n, 1000);
    const auto cell = [=](std::uint64_t i) {
      return n == cells ? i : static_cast<std::uint64_t>(1.0L * i / n * cells);
    };
    std::vector<std::uint64_t> first(cells);
    std::vector<std::uint64_t> last(cells);
    std::vector<std::uint64_t> apart(cells);
    std::vector<std::uint64_t> far_apart(cells);
    for (std::uint64_t seed = 0; seed < orders; ++seed) {
      const Permutation permutation(seed, 5, n);
      const std::uint64_t a = permutation(0);
      const std::uint64_t b = permutation(1);
      const std::uint64_t c = permutation(n - 1);
      ++first[cell(a)];
      ++last[cell(c)];
      ++apart[cell(a < b ? b - a : n - a + b)];
      ++far_apart[cell(a < c ? c - a : n - a + c)];
    }
    const std::string what = "permutation of " + std::to_string(n);
    std::vector<double> expected(cells, orders / static_cast<double>(cells));
    expect_counts(first, expected, what + ", 0");
    expect_counts(last, expected, what + ", n - 1");
    if (n == cells) {  // a distance of 0 does not occur
      expected.assign(cells, orders / static_cast<double>(cells - 1));
      expected[0] = 0;
    }
    expect_counts(apart, expected, what + ", 1 - 0");
    expect_counts(far_apart, expected, what + ", (n - 1) - 0");
  }
}

/// Of one seed, places that follow each other: their pairs on a grid of 32 x 32.
TEST(Permutation, NeighboursAreIndependent) {
  const std::uint64_t n = 3000017;
  const Permutation permutation(11, 13, n);
  std::vector<std::uint64_t> counts(1024);
  std::uint64_t before = permutation(0);
  for (std::uint64_t i = 1; i <= orders; ++i) {
    const std::uint64_t place = permutation(i);
    ++counts[before * 32 / n * 32 + place * 32 / n];
    before = place;
  }
  expect_counts(counts, std::vector<double>(1024, orders / 1024.0), "neighbours");
}

#ifdef NDEBUG
TEST(Permutation, OfNothingAndBeyond) {
  EXPECT_EQ(Permutation(1, 2, 0)(5), 5U);
  EXPECT_EQ(Permutation(1, 2, 5)(5), 5U);
  EXPECT_EQ(Permutation(1, 2, 5).inverse(7), 7U);
}
#endif

TEST(Shuffle, AllOrdersAreEquallyLikely) {
  std::mt19937 engine(51);
  std::vector<std::uint64_t> counts(120);
  for (int i = 0; i < orders; ++i) {
    std::array<std::uint64_t, 5> order{0, 1, 2, 3, 4};
    shuffle(engine, order.begin(), 5);
    ++counts[rank_of(order)];
  }
  expect_counts(counts, std::vector<double>(120, orders / 120.0), "shuffle");
}

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
  // The largest numbers leave all in place, the least put the first last, and so on.
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

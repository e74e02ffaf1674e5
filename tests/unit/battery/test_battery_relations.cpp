// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "battery/families/family.hpp"
#include "battery_words.hpp"

namespace rivulet {
namespace {

BatteryTest relations_of(int t, std::uint64_t rows, int length) {
  return {"", 0, TestKind::relations, 1, rows, 0, 0, t, 0, length};
}
constexpr int near_places = 15 * 48 + 48, far_places = 15 * 1680 + 48;

double p_of(Words& words, const BatteryTest& test) {
  return class_of(test).judge(test, counted(words, 0, test).counts, {}).front().p;
}

/// Returns words from successive calls of draw().
Words words_from(const std::function<std::uint32_t()>& draw) {
  std::vector<std::uint32_t> words(2 * far_places);
  for (std::uint32_t& word : words) word = draw();
  return {given_words(words), 1U << 16};
}

/// The latest 64 numbers; [k] is the number drawn k draws ago.
struct Lagged {
  std::array<std::uint32_t, 64> ring = {};
  std::uint32_t at = 64;

  explicit Lagged(int bits) {
    std::mt19937 seeds(7);
    for (std::uint32_t& one : ring) one = static_cast<std::uint32_t>(seeds()) >> (32 - bits);
  }
  std::uint32_t operator[](std::uint32_t k) const { return ring[(at - k) % 64]; }
  std::uint32_t push(std::uint32_t next) { return ring[at++ % 64] = next; }
};

std::int64_t square(const std::vector<std::int64_t>& vector) {
  return std::inner_product(vector.begin(), vector.end(), vector.begin(), std::int64_t{0});
}

// Compares the squared lengths of RANDU's shortest vectors, for the modulus 2^29, with those in
// Knuth, The Art of Computer Programming 2, 3.3.4.
TEST(BatteryRelations, ReducesLattices) {
  const std::int64_t shortest[] = {536936458, 118, 116, 116, 116};
  for (std::size_t size = 2; size <= 6; ++size) {
    constexpr std::int64_t modulus = 1 << 29;
    detail::Lattice basis(size, std::vector<std::int64_t>(size));
    basis[0][0] = modulus;
    std::int64_t power = 1;
    for (std::size_t i = 1; i < size; ++i) {
      power = power * 65539 % modulus;
      basis[i][0] = modulus - power;
      basis[i][i] = 1;
    }
    const detail::Lattice found = detail::reduced(basis);
    EXPECT_EQ(square(found.front()), shortest[size - 2]);
    for (const std::vector<std::int64_t>& vector : found) {
      std::int64_t sum = 0;
      for (std::size_t i = size; i-- > 0;) sum = (sum * 65539 + vector[i]) % modulus;
      EXPECT_EQ(sum, 0);
    }
  }
}

TEST(BatteryRelations, ReducesIntegerPointsToUnitVectors) {
  constexpr std::size_t size = 64;
  std::mt19937 random(3);
  detail::Lattice basis(size, std::vector<std::int64_t>(size));
  for (std::size_t i = 0; i < size; ++i) {
    basis[i][i] = 1;
    for (std::size_t j = i + 1; j < size; ++j)
      basis[i][j] = static_cast<std::int64_t>(random() % 3) - 1;
  }
  for (const std::vector<std::int64_t>& vector : detail::reduced(basis)) {
    EXPECT_EQ(square(vector), 1);
  }
}

TEST(BatteryRelations, TakesFarPlacesInLongRows) {
  const auto step = [](std::uint64_t length, std::size_t t) {
    const detail::RelationPlaces places = detail::relation_places(length, t);
    EXPECT_EQ(places.count, t / 3);
    return places.step;
  };
  EXPECT_EQ(step(7 * 1680 + 24, 24), 1680U);
  EXPECT_EQ(step(7 * 1680 + 23, 24), 240U);
  EXPECT_EQ(step(15 * 240 + 48, 48), 240U);
  EXPECT_EQ(step(15 * 240 + 47, 48), 48U);
  // A length that is too short is raised to the shortest that suffices.
  const BatteryTest test = relations_of(48, 3, 100);
  EXPECT_EQ(class_of(test).words(test), 3U * near_places);
  EXPECT_EQ(class_of(test).min_chunk_words(test), std::uint64_t{near_places});
}

TEST(BatteryRelations, FindsRelationsOfNeighbours) {
  std::uint64_t state = 1;
  Words congruential = words_from([&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::uint32_t>(state >> 32);
  });
  Lagged near(32), distant(32), borrowing(24);
  Words near_lags = words_from([&] { return near.push(near[17] + near[5]); });
  Words distant_lags = words_from([&] { return distant.push(distant[31] + distant[13]); });
  // This is RANLUX's subtract-with-borrow recurrence of 24 bits, without discarded numbers.
  std::uint32_t borrow = 0;
  Words ranlux = words_from([&] {
    const std::uint32_t next = borrowing[10] - borrowing[24] - borrow;
    borrow = next >> 31;
    return borrowing.push(next & 0xffffff) << 8;
  });
  Words mixmax("mixmax17", false, 1, {}, 1U << 16);
  for (const int length : {near_places, far_places}) {
    for (const int t : {24, 48}) {
      const BatteryTest test = relations_of(t, 2, length);
      EXPECT_LT(p_of(congruential, test), 1e-30) << t;
      EXPECT_LT(p_of(near_lags, test), 1e-30) << t;
    }
    const BatteryTest test = relations_of(48, 2, length);
    EXPECT_LT(p_of(distant_lags, test), 1e-30);
    EXPECT_LT(p_of(ranlux, test), 1e-30);
    EXPECT_LT(p_of(mixmax, test), 1e-30);
    // The relation involves 33 of any 48 consecutive numbers.
    EXPECT_EQ(counted(mixmax, 7, test).counts.back(), 2U);
  }
}

TEST(BatteryRelations, FindsNoneInGoodGenerators) {
  for (const std::string name : {"ranluxpp", "mrg32k3a", "philox4x32", "pcg64dxsm", "dcmt521",
                                 "ranmar48", "xoshiro256pp", "lfsr113"}) {
    if (find_generator(name) == nullptr) continue;
    Words words(name, false, 1, {}, 1U << 16);
    EXPECT_GT(p_of(words, relations_of(24, 8, near_places)), 1e-5) << name;
    EXPECT_GT(p_of(words, relations_of(24, 8, far_places)), 1e-5) << name;
    // mrg32k3a has relations with larger coefficients, which the reduction finds in half of the
    // rows.
    EXPECT_EQ(p_of(words, relations_of(48, name == "mrg32k3a" ? 6 : 1, near_places)), 0.5) << name;
  }
}

/// In few dimensions, the bound is close to the probability.
TEST(BatteryRelations, BoundsTheProbabilityOfShortVectors) {
  constexpr double rows = 4000;
  Words words("philox4x32", false, 1, {}, 1U << 16);
  const std::vector<std::uint64_t> found =
      counted(words, 0, relations_of(12, static_cast<std::uint64_t>(rows), 0)).counts;
  double above = rows;
  for (std::size_t c = 1; c < 10; ++c) {
    above -= static_cast<double>(found[c - 1]);
    const double expected = std::ldexp(rows, -static_cast<int>(c));
    const double deviation = std::sqrt(expected);
    EXPECT_LT(above, expected + 3 * deviation) << c;
    EXPECT_GT(above, (c > 3 ? 1 : 0.5) * expected - 4 * deviation) << c;
  }
}

TEST(BatteryRelations, JudgesTheBestOfAllRows) {
  BatteryTest test = relations_of(24, 500, 0);
  test.N = 2;
  std::vector<std::uint64_t> counts(256);
  const auto judged = [&] { return class_of(test).judge(test, counts, {}).front(); };
  counts[0] = counts[128] = 500;
  EXPECT_EQ(judged().p, 0.5);
  counts[128 + 20] = 1;
  EXPECT_EQ(judged().value, 20);
  EXPECT_NEAR(judged().p, 1000 * std::exp2(-20), 1e-6);
  counts[127] = 1;
  EXPECT_EQ(judged().value, 127);
  EXPECT_NEAR(judged().p * std::exp2(127), 1000, 1e-6);
}

}  // namespace
}  // namespace rivulet

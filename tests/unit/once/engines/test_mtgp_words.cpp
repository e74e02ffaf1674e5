// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The recurrence of MTGP32-11213, its sets and their polynomials, against what its authors publish.

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/mtgp_polynomial.hpp"
#include "rivulet/detail/rng/mtgp_sets.hpp"
#include "sha1.hpp"

namespace rivulet {
namespace {

using Recurrence = Mtgp11213Recurrence;
using detail::mtgp_set_count;
using detail::mtgp_sets;
constexpr std::size_t n = Recurrence::n;

YAML::Node reference() { return YAML::LoadFile(RIVULET_TEST_DATA "/mtgp11213.json"); }

/// The first numbers from a state.
std::vector<std::uint32_t> numbers_of(const MtgpSet& set, std::vector<std::uint32_t> x,
                                      std::size_t count) {
  const MtgpTables tables = mtgp_tables(set);
  const auto pos = static_cast<std::size_t>(set.pos);
  std::vector<std::uint32_t> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    x.push_back(Recurrence::step(set, x[k], x[k + 1], x[k + pos], tables.table()));
    numbers.push_back(Recurrence::temper(x.back(), x[k + pos - 1], tables.temper()));
  }
  return numbers;
}

TEST(MtgpWords, AreTheAuthorsAndCurands) {
  int rows = 0;
  for (const auto& row : reference()["rows"]) {
    const auto number = row[0].as<std::uint64_t>();
    const std::uint32_t seed = published_mtgp_seed(row[1].as<std::uint64_t>(), number);
    EXPECT_EQ(seed, row[2].as<std::uint32_t>());
    const MtgpSet& set = mtgp_sets[number];
    std::vector<std::uint32_t> x(n);
    mtgp_init_state(x, set, seed);
    const auto numbers = numbers_of(set, x, 100000);
    EXPECT_EQ(std::vector<std::uint32_t>(numbers.begin(), numbers.begin() + 10),
              row[3].as<std::vector<std::uint32_t>>())
        << number;
    EXPECT_EQ(numbers.back(), row[4].as<std::uint32_t>()) << number;
    std::uint32_t sum = 0;
    for (const std::uint32_t one : numbers) sum ^= one;
    EXPECT_EQ(sum, row[5].as<std::uint32_t>()) << number;
    ++rows;
  }
  EXPECT_EQ(rows, 28);
}

TEST(MtgpWords, SeedsOf64BitsAreFolded) {
  EXPECT_EQ(published_mtgp_seed(0x0000000500000007u, 3), (5u ^ 7u) + 4u);
}

TEST(MtgpWords, TablesAreSumsOfTheirBits) {
  for (const MtgpSet& set : mtgp_sets) {
    const MtgpTables tables = mtgp_tables(set);
    for (std::uint32_t i = 0; i < 32; ++i) {
      std::uint32_t table = 0;
      std::uint32_t temper = 0;
      for (int bit = 0; bit < 4; ++bit) {
        if ((i >> bit & 1) == 0) continue;
        table ^= set.table[bit];
        temper ^= set.temper[bit];
      }
      ASSERT_EQ(tables.table()(i), table);
      ASSERT_EQ(tables.temper()(i), temper);
      ASSERT_EQ(MtgpSums(set.table)(i), table);
    }
  }
}

TEST(MtgpWords, SetsAreWhatEnginesRelyOn) {
  EXPECT_EQ(mtgp_set_count, 200U);
  for (const MtgpSet& set : mtgp_sets) {
    EXPECT_GE(set.pos, Recurrence::least_pos);
    EXPECT_LE(set.pos, Recurrence::most_pos);
    EXPECT_TRUE(set.sh1 > 0 && set.sh1 < 32 && set.sh2 > 0 && set.sh2 < 32);
  }
}

/// The text that published sums are of.
std::string digits_of(const Gf2Polynomial& polynomial) {
  std::string digits;
  for (int i = 0; i <= polynomial.degree(); ++i) digits += polynomial.coefficient(i) ? '1' : '0';
  return digits;
}

TEST(MtgpWords, PolynomialsAreThePublishedOnesAndDiffer) {
  EXPECT_EQ(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");  // FIPS 180-4's example
  const auto sums = reference()["polynomials_sha1"].as<std::vector<std::string>>();
  ASSERT_EQ(sums.size(), mtgp_set_count);
  for (std::size_t i = 0; i < mtgp_set_count; ++i) {
    EXPECT_EQ(sha1(digits_of(detail::mtgp_polynomial(mtgp_sets[i]))), sums[i]) << i;
  }
  EXPECT_EQ(std::set<std::string>(sums.begin(), sums.end()).size(), mtgp_set_count);
}

/// All sets: tests/nightly.
TEST(MtgpWords, PolynomialsAreIrreducible) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{107}, mtgp_set_count - 1}) {
    EXPECT_TRUE(is_irreducible(detail::mtgp_polynomial(mtgp_sets[i]))) << i;
  }
}

TEST(MtgpWords, ReduciblePolynomialsOfPrimeDegreeAreFound) {
  detail::Gf2Words terms = detail::mtgp_polynomial(mtgp_sets[0]).words();
  terms[1] ^= 8;
  EXPECT_FALSE(is_irreducible(Gf2Polynomial(terms)));
  terms[1] ^= 16;  // an odd number of terms again: it has no root
  EXPECT_FALSE(is_irreducible(Gf2Polynomial(terms)));
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests MTGP32-11213's recurrence, parameter sets and polynomials against its authors'
// publications, and the starts, mappings and plan of mtgp11213's streams.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "message_of.hpp"
#include "ring_streams.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/mtgp_sets.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "sha1.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

constexpr int n = Mtgp11213Recurrence::n;
using Recurrence = Mtgp11213Recurrence;
using detail::mtgp_set_count;
using detail::mtgp_sets;

YAML::Node reference() { return test_data("mtgp11213.json"); }

/// Compares the first ten of 100000 numbers, the last one, and the XOR of all.
void expect_reference(const Numbers& numbers, const YAML::Node& row) {
  EXPECT_EQ(Numbers(numbers.begin(), numbers.begin() + 10), row[3].as<Numbers>()) << row[0];
  EXPECT_EQ(numbers.back(), row[4].as<std::uint32_t>()) << row[0];
  std::uint32_t sum = 0;
  for (const std::uint32_t number : numbers) sum ^= number;
  EXPECT_EQ(sum, row[5].as<std::uint32_t>()) << row[0];
}

TEST(MtgpWords, SeedsOf64BitsAreFolded) {
  EXPECT_EQ(published_mtgp_seed(0x0000000500000007u, 3), (5u ^ 7u) + 4u);
}

TEST(MtgpWords, SetsAreWhatEnginesRelyOn) {
  EXPECT_EQ(mtgp_set_count, 200U);
  for (const MtgpSet& set : mtgp_sets) {
    EXPECT_GE(set.pos, Recurrence::least_pos);
    EXPECT_LE(set.pos, Recurrence::most_pos);
    EXPECT_TRUE(set.sh1 > 0 && set.sh1 < 32 && set.sh2 > 0 && set.sh2 < 32);
  }
}

/// Returns a polynomial as the string of digits whose SHA-1 the authors publish.
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

/// tests/nightly tests all sets.
TEST(MtgpWords, PolynomialsAreIrreducible) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{107}, mtgp_set_count - 1}) {
    EXPECT_TRUE(is_irreducible(detail::mtgp_polynomial(mtgp_sets[i]))) << i;
  }
}

TEST(MtgpWords, ReduciblePolynomialsOfPrimeDegreeAreFound) {
  detail::Gf2Words terms = detail::mtgp_polynomial(mtgp_sets[0]).words();
  terms[1] ^= 8;
  EXPECT_FALSE(is_irreducible(Gf2Polynomial(terms)));
  terms[1] ^= 16;  // again an odd number of terms, so there is no root
  EXPECT_FALSE(is_irreducible(Gf2Polynomial(terms)));
}

constexpr std::uint64_t sets = mtgp_set_count;
using Streams = RingStreams<MtgpGenerator>;

std::vector<StreamMapping> mappings() { return generator_of<MtgpGenerator>().mappings; }

TEST(Mtgp, PublishedStreamsAreTheAuthorsAndCurands) {
  ASSERT_EQ(reference()["rows"].size(), 28U);
  for (const StreamMapping mapping : mappings()) {
    for (const auto& row : reference()["rows"]) {
      const auto set = row[0].as<std::uint64_t>();
      EXPECT_EQ(published_mtgp_seed(row[1].as<std::uint64_t>(), set), row[2].as<std::uint32_t>());
      const Streams one(published_ring(row[1].as<std::uint64_t>(), sets), {set, 1});
      const Numbers drawn = draw<std::uint32_t>(one.streams, mapping, 0, 100000).front();
      expect_reference(drawn, row);
    }
  }
}

TEST(Mtgp, NativeSeedingIsInitByArrayOfSeedAndSet) {
  const Streams all(native_ring(sets));
  for (const std::uint32_t stream : {0u, 1u, 199u}) {
    const MtgpSet& set = all.plan.set(stream);
    Numbers state(n);
    const std::uint32_t key[] = {
        0x89abcdef,   0x01234567,   stream,       11213,       static_cast<std::uint32_t>(set.pos),
        set.table[0], set.table[1], set.table[2], set.table[3]};
    init_by_array(state, n, key, 9);
    EXPECT_EQ(all.state(stream), state);
  }
}

TEST(MtgpPlan, SaysWhyStreamsAreDisjoint) {
  const MtgpPlan plan(native_ring(1000));
  const auto lines = plan.certificate();
  EXPECT_THAT(lines.back().second, testing::HasSubstr("5 streams start at irregular places, at "
                                                      "least 2^128 steps apart"));
  EXPECT_THAT(lines.back().second, testing::HasSubstr("5 * 2^130 <= 2^11213"));
  EXPECT_EQ(MtgpPlan(native_ring(200)).certificate().back().second, "one stream per set");
  EXPECT_TRUE(plan.warnings().empty());
  const auto columns = plan.columns({398, 3});
  ASSERT_EQ(columns.size(), 3U);
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(columns[0].values, (Values{198, 199, 0}));
  EXPECT_EQ(columns[1].values, (Values{198, 199, 0}));
  EXPECT_EQ(columns[2].values, (Values{1, 1, 2}));
  EXPECT_EQ(MtgpPlan(published_ring(42, 200)).columns({3, 2})[1].values, (Values{46, 47}));
}

TEST(MtgpPlan, PublishedSeedingHasAStreamASet) {
  EXPECT_NO_THROW(MtgpPlan{published_ring(1, 200)});
  EXPECT_NO_THROW(MtgpPlan{native_ring(201)});
  EXPECT_EQ(message_of([&] { const MtgpPlan plan(published_ring(1, 201)); }),
            "201 streams are more than 200 parameter sets can make disjoint under the "
            "published seeding (it gives every stream a seed of its own, so two streams on "
            "one set would overlap by chance). Keep streams.first + streams.count at or below "
            "200, or set streams.seeding=native.");
}

}  // namespace
}  // namespace rivulet

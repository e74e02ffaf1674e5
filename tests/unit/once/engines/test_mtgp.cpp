// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams of mtgp11213: starts, jumps, mappings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ring_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr int n = Mtgp11213Recurrence::n;
constexpr std::uint64_t sets = detail::mtgp_set_count;
using Streams = RingStreams<MtgpGenerator>;

std::vector<StreamMapping> mappings() { return generator_of<MtgpGenerator>().mappings; }

TEST(Mtgp, HasTeamsAlone) { EXPECT_EQ(mappings(), std::vector{StreamMapping::team}); }

TEST(Mtgp, PublishedStreamsAreTheAuthorsAndCurands) {
  const YAML::Node data = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/mtgp11213.json");
  for (const StreamMapping mapping : mappings()) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}}) {
      const Streams all(published_ring(seed, sets));
      const auto rows = draw<std::uint32_t>(all.streams, mapping, 0, 100000 / 25);
      int compared = 0;
      for (const auto& row : data["rows"]) {
        if (row[1].as<std::uint64_t>() != seed) continue;
        const auto expected = row[3].as<Numbers>();
        const Numbers& drawn = rows[row[0].as<std::size_t>()];
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), drawn.begin())) << row[0];
        ++compared;
      }
      EXPECT_EQ(compared, 14);
    }
  }
}

TEST(Mtgp, ReferenceNumbersFarOn) {
  const YAML::Node data = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/mtgp11213.json");
  for (const auto& row : data["rows"]) {
    const auto set = row[0].as<std::uint64_t>();
    const Streams one(published_ring(row[1].as<std::uint64_t>(), sets), {set, 1});
    const Numbers numbers =
        draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 100000).front();
    EXPECT_EQ(numbers.back(), row[4].as<std::uint32_t>());
    std::uint32_t sum = 0;
    for (const std::uint32_t number : numbers) sum ^= number;
    EXPECT_EQ(sum, row[5].as<std::uint32_t>());
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

/// Whether every one of 11213 squarings is right, and the polynomial primitive.
TEST(Mtgp, AWholePeriodAndOneIsOneStep) {
  const MtgpPlan plan(native_ring(1));
  const Gf2Polynomial jump = power_of_t(1, 11213, plan.polynomial(7));
  EXPECT_EQ(jump, Gf2Polynomial({2}));
}

TEST(Mtgp, StreamsStartWhereThePlanSays) {
  const Streams all(native_ring(3 * sets + 7));
  for (const std::uint64_t s : {sets, sets + 5, 2 * sets - 1, 2 * sets + 1, 3 * sets + 6}) {
    const Streams one(native_ring(3 * sets + 7), {s % sets, 1});
    const std::uint64_t index = s / sets;
    for (unsigned r = 0; index >> r != 0; ++r) {
      if ((index >> r & 1) == 0) continue;
      // J_r = 2^r (2^129 + d) + o_r
      for (unsigned twice = 0; twice < 2u << r; ++twice) {
        one.jump(Uint128{1} << 127);
        one.jump(Uint128{1} << 127);
      }
      one.jump((Uint128{IrregularStarts::distance_low} << r) + IrregularStarts::offset(r));
    }
    one.jump(Uint128{IrregularStarts::hashed_steps(index)});
    EXPECT_EQ(all.state(s), one.state(0)) << s;
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
  try {
    const MtgpPlan plan(published_ring(1, 201));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "201 streams are more than 200 parameter sets can make disjoint under the "
                 "published seeding (it gives every stream a seed of its own, so two streams on "
                 "one set would overlap by chance). Ask for at most 200 streams, or set "
                 "streams.seeding=native.");
  }
}

}  // namespace
}  // namespace rivulet

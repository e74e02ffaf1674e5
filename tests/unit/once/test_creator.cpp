// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "message_of.hpp"
#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/error.hpp"
#include "rivulet/streams.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

/// Returns the next set of a search, with its tempering masks.
DcmtSet next_tempered(Dc062Search& search, int p) {
  DcmtSet set = search.next();
  const TemperingMasks masks = find_tempering(dcmt_shape(p), set.a);
  set.b = masks.b;
  set.c = masks.c;
  return set;
}

void expect_dc062(int p, const std::vector<DcmtSet>& expected) {
  Dc062Search search(p, 0, 4172);
  for (const DcmtSet& set : expected) EXPECT_EQ(next_tempered(search, p), set);
}

std::vector<DcmtSet> compat_rows(const std::string& name) {
  std::vector<DcmtSet> sets;
  for (const auto& row : test_data("dc062_compat.json")[name]) {
    sets.push_back({row[0].as<std::uint32_t>(), row[1].as<std::uint32_t>(),
                    row[2].as<std::uint32_t>(), row[3].as<std::uint32_t>()});
  }
  return sets;
}

/// The Dynamic Creator that made the published sets kept only 6 bits of the id.
constexpr std::uint32_t published_id_mask = 0x3f;

TEST(Creator, FindsTheDynamicCreatorsSetsOfExponent521) {
  const auto expected = compat_rows("p521");
  ASSERT_EQ(expected.size(), 12u);
  expect_dc062(521, expected);
}

TEST(Creator, FindsTheDynamicCreatorsSetsOfExponent607) {
  const auto expected = compat_rows("p607");
  ASSERT_EQ(expected.size(), 4u);
  expect_dc062(607, expected);

  std::vector<DcmtSet> more;
  for (const auto& set : test_data("dc_p607_8sets.json")["sets"]) {
    more.push_back({set["index"].as<std::uint32_t>(), set["aaa"].as<std::uint32_t>(),
                    set["maskB"].as<std::uint32_t>(), set["maskC"].as<std::uint32_t>()});
  }
  ASSERT_EQ(more.size(), 8u);
  expect_dc062(607, more);
}

TEST(Creator, TemperingOfTheLargerExponents) {
  for (const int p : {1279, 2203}) {
    const DcmtSet set = create_dcmt_set(p, 65535, 1);
    EXPECT_NO_THROW(prove(dcmt_shape(p), set));
    const DcmtSet untempered{set.id, set.a, 0, 0};
    EXPECT_LT(total_defect(p, dimensions_of_equidistribution(dcmt_shape(p), set)),
              total_defect(p, dimensions_of_equidistribution(dcmt_shape(p), untempered)) / 2);
  }
}

TEST(Creator, NativeSetsAreAFunctionOfSeedExponentAndId) {
  const DcmtSet set = create_dcmt_set(521, 77, 5);
  EXPECT_EQ(create_dcmt_set(521, 77, 5), set);
  EXPECT_NE(create_dcmt_set(521, 77, 6).a, set.a);
  EXPECT_NE(create_dcmt_set(521, 77, 5 + (std::uint64_t{1} << 40)).a, set.a);
  EXPECT_NE(create_dcmt_set(521, 78, 5).a >> 16, set.a >> 16);
  EXPECT_NE(create_dcmt_set(607, 77, 5).a, set.a);
}

TEST(Creator, NativeSetsCarryTheirIdAndDiffer) {
  for (const int p : {521, 607}) {
    std::set<std::vector<std::uint64_t>> polynomials;
    for (const std::uint32_t id : {0u, 1u, 2u, 255u, 65535u}) {
      const DcmtSet set = create_dcmt_set(p, id, 20261120);
      EXPECT_EQ(set.id, id);
      EXPECT_EQ(set.a & 0xffffu, id);
      EXPECT_NE(set.a & 0x80000000u, 0u);
      EXPECT_NO_THROW(prove(dcmt_shape(p), set));
      EXPECT_EQ(find_tempering(dcmt_shape(p), set.a), (TemperingMasks{set.b, set.c}));
      polynomials.insert(dcmt_characteristic_polynomial(dcmt_shape(p), set.a).words());
    }
    EXPECT_EQ(polynomials.size(), 5u);
  }
}

TEST(Creator, RefusesOtherExponentsAndIds) {
  EXPECT_THROW(create_dcmt_set(520, 0, 1), Error);
  EXPECT_THROW(create_dcmt_set(2281, 0, 1), Error);
  EXPECT_THROW(create_dcmt_set(521, 65536, 1), Error);
  EXPECT_THROW(Dc062Search(523, 0, 1), Error);
  Dc062Search last(521, 65535, 1);
  EXPECT_NO_THROW(last.next());
  EXPECT_THROW(last.next(), Error);
}

TEST(Creator, ProofNamesReducibleSets) {
  const DcmtShape shape = dcmt_shape(521);
  DcmtSet set = published_dcmt521().sets[4];
  EXPECT_NO_THROW(prove(shape, set, published_id_mask));
  set.a ^= 0x10000;
  const std::string reducible = message_of([&] { prove(shape, set, published_id_mask); });
  EXPECT_NE(reducible.find("id 4"), std::string::npos) << reducible;
  EXPECT_NE(reducible.find("reducible"), std::string::npos) << reducible;
}

TEST(Creator, ProofNamesSetsOfAnotherId) {
  const DcmtShape shape = dcmt_shape(521);
  DcmtSet set = published_dcmt521().sets[4];
  set.id = 5;
  EXPECT_THROW(prove(shape, set, published_id_mask), Error);
  const DcmtSet shipped = create_dcmt_set(521, 3, 1);
  EXPECT_THROW(prove(shape, {4, shipped.a, shipped.b, shipped.c}), Error);
}

TEST(Creator, PublishedSetsHoldTheirIdInSixBits) {
  for (const DcmtSet& set : published_dcmt521().sets) {
    EXPECT_NO_THROW(prove(dcmt_shape(521), set, published_id_mask));
  }
  EXPECT_THROW(prove(dcmt_shape(521), published_dcmt521().sets[1]), Error);
}

TEST(Creator, DigestIsOfTheSetsAlone) {
  DcmtSets sets{521, "here", {{1, 2, 3, 4}, {5, 6, 7, 8}}};
  // Python's hashlib computed this SHA-256 of struct.pack("<2Q8I", 521, 2, 1, 2, 3, 4, 5, 6, 7, 8).
  const std::string expected = "265334ab1529c9f778117e00c1e1122fcda195fbfb40c497b0fb034adbc162e2";
  EXPECT_EQ(digest(sets), expected);
  sets.source = "elsewhere";
  EXPECT_EQ(digest(sets), expected);
  std::swap(sets.sets[0], sets.sets[1]);
  EXPECT_NE(digest(sets), expected);
  sets.sets.pop_back();
  EXPECT_NE(digest(sets), expected);
}

using testing::AllOf;
using testing::HasSubstr;

TEST(CreateSets, AreThoseOfTheirIds) {
  const DcmtSets sets = create_dcmt_sets(607, 65533, 3, 9);
  EXPECT_EQ(sets.p, 607);
  ASSERT_EQ(sets.sets.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sets.sets[i], create_dcmt_set(607, 65533 + i, 9)) << i;
  }
}

TEST(CreateSets, AreWhatStreamsTake) {
  const Kokkos::DefaultExecutionSpace exec;
  const DcmtSets sets = create_dcmt_sets(1279, 0, 1, 1);
  const Streams<Dcmt1279> streams(exec, {.count = 2, .sets = sets});
  EXPECT_EQ(streams.count(), 2u);
  EXPECT_THAT(message_of([&] { Streams<Dcmt521>(exec, {.sets = sets}); }),
              HasSubstr("parameter sets of exponent 1279 were given for dcmt521"));
}

TEST(CreateSets, RefusesWhatDoesNotExist) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(message_of([] { create_dcmt_sets(520, 0, 1, 1); }), HasSubstr("is not supported"));
  EXPECT_THAT(message_of([] { create_dcmt_sets(521, 0, 0, 1); }), HasSubstr("count is 0"));
  for (const auto& [first, count] :
       {std::pair<std::uint64_t, std::uint64_t>{65536, 1}, {65535, 2}, {1, most}, {most, 2}}) {
    EXPECT_THAT(message_of([&] { create_dcmt_sets(521, first, count, 1); }),
                AllOf(HasSubstr(std::to_string(first)), HasSubstr("0 to 65535")));
  }
}

TEST(CreateSets, SaysWhichFileCannotBeRead) {
  EXPECT_THAT(message_of([] { read_dcmt_sets("/nowhere/sets.h5"); }),
              HasSubstr("/nowhere/sets.h5"));
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "message_of.hpp"
#include "parameters/creator.hpp"
#include "rivulet/create.hpp"
#include "rivulet/streams.hpp"

namespace rivulet {
namespace {

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

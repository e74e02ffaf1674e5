// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "companies.hpp"

namespace rivulet::independence {
namespace {

/// More words, more bits and more numbers of streams than the normal suite has time for: 25
/// matrices of 1200 x 1200, and complexity as in TestU01's Crush.
const Extent extent{4505600, 120000};
const std::vector<std::uint64_t> counts{1, 2, 3, 8, 64, 1000, 4096, 65536};

class LargeArrangements : public testing::TestWithParam<Subject> {};

INSTANTIATE_TEST_SUITE_P(Native, LargeArrangements, testing::ValuesIn(subjects()), name_of);

/// Of a large state fewer streams, and fewer bits than twice the 11213 of MTGP, the least of them,
/// from which on every recurrence over GF(2) is seen.
bool has_large_state(const Subject& subject) { return subject.most_streams() < counts.back(); }
const Extent extent_of_large_states{extent.words, 22000};
const std::vector<std::uint64_t> counts_of_large_states{1, 2, 3, 8, 64, 1000, 4096};

TEST_P(LargeArrangements, FailWhatRandomStatesFail) {
  const Subject& subject = GetParam();
  if (has_large_state(subject)) {
    EXPECT_EQ(
        failures(company_of(subject), subject.look, extent_of_large_states, counts_of_large_states),
        subject.must_fail);
    return;
  }
  const Failures found = failures(company_of(subject), subject.look, extent, counts);
  if (subject.name == "hybrid_tausworthe_listing") {
    for (const std::uint64_t streams : counts) {
      EXPECT_TRUE(found.contains(std::to_string(streams) + ": repeats")) << streams;
    }
    return;
  }
  Failures expected;
  if (subject.random_states.draw) {
    expected = failures(subject.random_states, subject.look, extent, counts);
  }
  // Random states have their chances at what is near the threshold.
  Failures more = found;
  for (const std::string& one : expected) more.erase(one);
  EXPECT_EQ(more, Failures{});
}

/// Streams of dcmt521 interleaved, with as many bits as TestU01's Crush and BigCrush take: 10 and
/// 19 have a complexity below half of them, 11 and 20 do not.
TEST(LargeComplexity, OfTwistersInterleaved) {
  LibraryStreams twisters{"dcmt521"};
  twisters.sets = shipped_dcmt(521);
  const auto complexity = [&](std::uint64_t streams, std::size_t bits) {
    const auto row = arranged(drawn(twisters, ids(streams), bits / streams + 1), 1);
    return complexity_profile(bit_sequence(std::span(row).first(bits), 0));
  };
  EXPECT_EQ(complexity(10, 120000).complexity, 10U * 10 * 521);
  EXPECT_GT(complexity_p_value(complexity(11, 120000)), threshold);
  EXPECT_EQ(complexity(19, 400020).complexity, 19U * 19 * 521);
  EXPECT_GT(complexity_p_value(complexity(20, 400020)), threshold);
}

}  // namespace
}  // namespace rivulet::independence

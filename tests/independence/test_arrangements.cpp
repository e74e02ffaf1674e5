// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "companies.hpp"
#include "known_words.hpp"

namespace rivulet::independence {
namespace {

/// 1, 64, 4096 and 65536 streams in the orders (number, stream), (stream, number) and blocked:
/// ranks of bit matrices and linear complexity.
class Arrangements : public testing::TestWithParam<Subject> {};

INSTANTIATE_TEST_SUITE_P(Native, Arrangements, testing::ValuesIn(subjects()), name_of);

TEST_P(Arrangements, FailWhatTheyMustAndNothingElse) {
  std::vector<std::uint64_t> counts{1, 64, 4096};
  if (GetParam().most_streams() >= 65536) counts.push_back(65536);
  EXPECT_EQ(failures(company_of(GetParam()), GetParam().look, {}, counts), GetParam().must_fail);
}

/// What starts are measured by: as much as must fail, and no more. (Of all generators: nightly.)
TEST(RandomStates, FailTheSameTests) {
  EXPECT_EQ(failures(tausworthe_of_random_states<Lfsr113>("lfsr113")), must_fail::lfsr113);
  EXPECT_EQ(failures(tausworthe_of_random_states<HybridTausworthe>("hybrid"), at_lowest_bit),
            must_fail::lowest_bit);
}

TEST(KnownWords, GoodOnesPass) { EXPECT_EQ(failures(hashed_words()), Failures{}); }

Failures more_than(const Failures& least, const Company& company, const Look& look = {}) {
  Failures more = failures(company, look, {}, {64, 4096});
  for (const std::string& one : least) more.erase(one);
  return more;
}

using testing::IsSupersetOf;

TEST(KnownWords, TausworthesInProgressionFail) {
  EXPECT_THAT(more_than({}, tausworthe_in_progression<HybridTausworthe>("hybrid in progression")),
              IsSupersetOf({"64 interleaved: rank 160", "64 blocked: rank 320",
                            "4096 interleaved: rank 160", "4096 interleaved: complexity",
                            "4096 by stream: rank 160"}));
  EXPECT_THAT(more_than(must_fail::lfsr113, tausworthe_in_progression<Lfsr113>("lfsr113")),
              IsSupersetOf({"64 interleaved: rank 160", "64 blocked: rank 320",
                            "4096 interleaved: rank 160", "4096 interleaved: complexity"}));
  EXPECT_THAT(more_than(must_fail::lowest_bit,
                        tausworthe_in_progression<HybridTausworthe>("hybrid"), at_lowest_bit),
              IsSupersetOf({"64 interleaved: rank 160", "64 blocked: rank 160"}));
}

TEST(KnownWords, TwistersInProgressionFail) {
  EXPECT_THAT(more_than(must_fail::small_twister_on_one_set,
                        twister_in_progression<521>("dcmt521", shipped_dcmt(521).sets[0])),
              IsSupersetOf({"4096 interleaved: rank 1200", "4096 interleaved: complexity",
                            "4096 blocked: complexity"}));
}

}  // namespace
}  // namespace rivulet::independence

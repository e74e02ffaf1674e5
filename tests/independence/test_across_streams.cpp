// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>

#include "companies.hpp"
#include "known_words.hpp"

namespace rivulet::independence {
namespace {

constexpr std::uint64_t length = 8192;  ///< of a row of streams: more than 2 * 2203

/// Number i of streams 0, d, 2 d, ... as a sequence of bits: a recurrence from stream to stream is
/// a low linear complexity. Starts in arithmetic progression have one of the state's degree.
Failures complexity_across(const Company& company, const Look& look,
                           std::uint64_t most_stride = 8) {
  constexpr std::uint64_t numbers[] = {0, 1, 14};
  const WordTable table = company.draw(ids(length * most_stride), 15);
  Failures failures;
  for (std::uint64_t stride = 1; stride <= most_stride; stride *= 2) {
    for (const std::uint64_t number : numbers) {
      std::vector<std::uint32_t> row;
      for (std::uint64_t s = 0; s < length; ++s) row.push_back(table(s * stride, number));
      for (const int bit : {look.bits.first, 31}) {
        if (linear_complexity_p_value(bit_sequence(row, bit)) < threshold) {
          failures.insert("every " + std::to_string(stride) + ", number " + std::to_string(number));
        }
      }
    }
  }
  return failures;
}

/// Matrices of a row for each stream, made of its first numbers.
Failures ranks_across(const Company& company, const Look& look) {
  const WordTable table = company.draw(ids(4800), 320);
  Failures failures;
  for (const int size : look.sizes) {
    const int row_words = (size + look.bits.count - 1) / look.bits.count;
    const auto row = arranged(table, static_cast<std::uint64_t>(row_words));
    const auto once = std::span(row).first(static_cast<std::size_t>(4800 * row_words));
    if (rank_p_value(once, size, look.bits) < threshold) {
      failures.insert("rank " + std::to_string(size));
    }
  }
  return failures;
}

class AcrossStreams : public testing::TestWithParam<Subject> {};

INSTANTIATE_TEST_SUITE_P(Native, AcrossStreams, testing::ValuesIn(subjects()), name_of);

TEST_P(AcrossStreams, NoRecurrence) {
  const Failures found = complexity_across(company_of(GetParam()), GetParam().look,
                                           GetParam().most_streams() / length);
  if (GetParam().name == "hybrid_tausworthe_listing") {
    EXPECT_TRUE(found.contains("every 1, number 0"));
  } else {
    EXPECT_EQ(found, Failures{});
  }
}

/// Where all streams share one recurrence of k bits, a row is a linear function of them: no matrix
/// has a rank above k, whatever the starts are. (For dcmt1279 see must_fail. All RANMAR sequences
/// have the same arithmetic part, which is one more row, so that the lowest bits have a rank
/// of 98.)
Failures ranks_that_must_fail(const Subject& subject) {
  if (subject.name == "lfsr113") return {"rank 160", "rank 320", "rank 1200"};
  if (subject.name.starts_with("lowest")) return {"rank 160", "rank 320"};
  const bool is_small = subject.linear_dimension > 0 && subject.linear_dimension < 1300;
  return is_small ? Failures{"rank 1200"} : Failures{};
}

TEST_P(AcrossStreams, RanksAreThoseOfTheState) {
  EXPECT_EQ(ranks_across(company_of(GetParam()), GetParam().look),
            ranks_that_must_fail(GetParam()));
}

TEST(RandomStates, HaveTheSameRanks) {
  for (const Subject& subject : subjects()) {
    if (!subject.random_states.draw) continue;
    EXPECT_EQ(ranks_across(subject.random_states, subject.look), ranks_that_must_fail(subject))
        << subject.name;
  }
}

/// Complexity of the degree of the state, at every distance.
TEST(KnownWords, ProgressionsObeyARecurrence) {
  const Failures all{"every 1, number 0", "every 1, number 1", "every 1, number 14",
                     "every 2, number 0", "every 2, number 1", "every 2, number 14"};
  EXPECT_EQ(complexity_across(tausworthe_in_progression<Lfsr113>("lfsr113"), {}, 2), all);
  EXPECT_EQ(complexity_across(tausworthe_in_progression<HybridTausworthe>("hybrid"), {}, 2), all);
  const DcmtSet set = shipped_dcmt(607).sets[0];
  EXPECT_EQ(complexity_across(twister_in_progression<607>("dcmt607", set), {}, 2), all);
  EXPECT_EQ(complexity_across(hashed_words(), {}, 2), Failures{});
}

}  // namespace
}  // namespace rivulet::independence

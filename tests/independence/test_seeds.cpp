// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "battery/laws/distributions.hpp"
#include "known_words.hpp"
#include "library_words.hpp"

namespace rivulet::independence {
namespace {

// These tests compare streams of different seeds and of different generators number by number.
// tests/cli/battery_failures.py interleaves neighbouring seeds.

/// About 2000 p-values are compared with this threshold, so good streams fail with probability
/// 2e-5. The seeds are fixed.
constexpr double threshold = 1e-8;

/// Compares pairs of streams, number by number, over the first `numbers` numbers of each.
class PairSums {
 public:
  explicit PairSums(std::uint64_t numbers) : numbers_(numbers) {}

  /// Adds a pair: stream s of table `a` and stream t of table `b`.
  void add(const WordTable& a, std::uint64_t s, const WordTable& b, std::uint64_t t) {
    int differing = 0;
    for (std::uint64_t i = 0; i < numbers_; ++i) {
      differing += std::popcount(a(s, i) ^ b(t, i));
      product_ += centred(a(s, i)) * centred(b(t, i));
    }
    const double off = differing - 16 * static_cast<double>(numbers_);
    off_ += off;
    squares_ += off * off;
    ++pairs_;
  }

  /// Returns the smallest of three p-values. The first two belong to the sum and the spread of
  /// Hamming distances, which are binomial with mean 16 and variance 8 per word. The third belongs
  /// to the sum of products of words scaled to (-1/2, 1/2); each product has variance 1/144.
  double p_value() const {
    const double spread = detail::chi_square_p(squares_ / (8 * static_cast<double>(numbers_)),
                                               static_cast<double>(pairs_));
    return std::min({normal_p_value(off_ / std::sqrt(8 * words())),
                     2 * std::min(spread, 1 - spread),
                     normal_p_value(12 * product_ / std::sqrt(words()))});
  }

 private:
  /// The two-sided p-value of a standard normal variable.
  static double normal_p_value(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }
  static double centred(std::uint32_t word) { return std::ldexp(word + 0.5, -32) - 0.5; }
  double words() const { return static_cast<double>(pairs_ * numbers_); }

  std::uint64_t numbers_;
  std::uint64_t pairs_ = 0;
  double off_ = 0;
  double squares_ = 0;
  double product_ = 0;
};

/// Compares streams s and s + distance of a table for every s. Returns the smallest of three
/// p-values.
double neighbours_p_value(const WordTable& table, std::uint64_t distance, std::uint64_t numbers) {
  PairSums sums(numbers);
  for (std::uint64_t s = 0; s + distance < table.streams(); ++s) {
    sums.add(table, s, table, s + distance);
  }
  return sums.p_value();
}

/// Compares the streams at equal places of two tables. Returns the smallest of three p-values.
double side_by_side_p_value(const WordTable& a, const WordTable& b, std::uint64_t numbers) {
  PairSums sums(numbers);
  for (std::uint64_t s = 0; s < std::min(a.streams(), b.streams()); ++s) sums.add(a, s, b, s);
  return sums.p_value();
}

class Seeds : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Native, Seeds, testing::ValuesIn(ready_names()),
                         [](const auto& info) { return info.param; });

/// Compares stream 0 of 256 seeds that differ in their upper bits, by SplitMix64's increment, or
/// by one.
TEST_P(Seeds, AreNotAlike) {
  const TableFunction make_table = table_of_seeds({.generator = GetParam()});
  for (const std::uint64_t apart :
       {std::uint64_t{1} << 55, splitmix64_increment, std::uint64_t{1}}) {
    const WordTable table = make_table(ids(256, 0, apart), 8);
    for (std::uint64_t distance = 1; distance < table.streams(); distance *= 2) {
      EXPECT_GT(neighbours_p_value(table, distance, 1), threshold) << apart << ", " << distance;
      EXPECT_GT(neighbours_p_value(table, distance, 8), threshold) << apart << ", " << distance;
    }
  }
}

/// Compares streams with ids far apart, which the battery never interleaves as neighbours.
TEST_P(Seeds, StreamsFarAwayAreNotAlike) {
  const TableFunction streams = table_of_streams({.generator = GetParam()});
  const WordTable first = streams(ids(1024), 8);
  for (const int log2 : {20, 27, 31}) {
    const WordTable far = streams(ids(1024, std::uint64_t{1} << log2), 8);
    EXPECT_GT(side_by_side_p_value(first, far, 1), threshold) << log2;
    EXPECT_GT(side_by_side_p_value(first, far, 8), threshold) << log2;
  }
}

/// Compares two generators with the same seed and the same streams.
void expect_unlike(const WordTable& a, const WordTable& b, const std::string& which) {
  for (const std::uint64_t numbers : {1, 2, 16}) {
    EXPECT_GT(side_by_side_p_value(a, b, numbers), threshold) << which << ", first " << numbers;
  }
}

TEST(GeneratorsOfOneSeed, AreNotAlike) {
  const std::vector<std::string>& all = ready_names();
  std::vector<WordTable> tables;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tables.push_back(drawn({.generator = all[i]}, ids(4096), 16));
    for (std::size_t j = 0; j < i; ++j) expect_unlike(tables[i], tables[j], all[i] + ", " + all[j]);
  }
}

DcmtSets part_of(const DcmtSets& sets, std::ptrdiff_t first, std::ptrdiff_t count) {
  return {sets.p, sets.source, {sets.sets.begin() + first, sets.sets.begin() + first + count}};
}

/// Compares a generator on two disjoint parts of its sets, as from two parameter files.
TEST(GeneratorsOfOneSeed, AreNotAlikeOnOtherSets) {
  for (const int p : {521, 607}) {
    LibraryStreams one{.generator = "dcmt" + std::to_string(p)};
    LibraryStreams other = one;
    one.sets = part_of(shipped_dcmt(p), 0, 256);
    other.sets = part_of(shipped_dcmt(p), 256, 256);
    expect_unlike(drawn(one, ids(4096), 16), drawn(other, ids(4096), 16), "halves");
    one.sets = shipped_dcmt(p);
    other.sets = part_of(shipped_dcmt(p), 1, 511);
    expect_unlike(drawn(one, ids(4096), 16), drawn(other, ids(4096), 16), "one less");
  }
}

TEST(KnownWords, GeneratorsOfOneStateAreAlike) {
  const auto p_value = [](const TableFunction& a, const TableFunction& b, std::uint64_t numbers) {
    return side_by_side_p_value(a(ids(4096), 16), b(ids(4096), 16), numbers);
  };
  EXPECT_LT(p_value(ranmar_of_random_starts<Ranmar48>(), ranmar_of_random_starts<Ranmar48x>(), 16),
            1e-300);
  EXPECT_LT(p_value(twisters_of_random_states<521>(part_of(shipped_dcmt(521), 0, 256)),
                    twisters_of_random_states<521>(part_of(shipped_dcmt(521), 256, 256)), 16),
            1e-100);
}

}  // namespace
}  // namespace rivulet::independence

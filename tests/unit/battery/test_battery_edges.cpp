// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks which words the battery reads, and checks battery tests that end early, join the counts of
// parts, or have little memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "battery/families/family.hpp"
#include "battery/job/test_schedule.hpp"
#include "battery/run_tests.hpp"
#include "battery/test_class.hpp"
#include "battery_words.hpp"
#include "sequences/sequence.hpp"

namespace rivulet {
namespace {

TEST(Battery, EndsGapsThatAreTooLong) {
  Words words("philox4x32", false, 7, {}, 1000);
  // No word here is below 1, so the first gap is too long after n + 1 words.
  const Replication none = detail::count_gaps({words.tiles(), 0, 5000}, 0, 1, 10);
  EXPECT_EQ(none.words, 5001U);
  EXPECT_THAT(none.counts, testing::Each(0));
  // One word in 64 is below the limit. A gap of 150 words therefore occurs soon, within a lane or
  // across lanes and tiles.
  const std::vector<std::uint32_t> all = Words("philox4x32", false, 7, {}, 100000).read(0, 100000);
  const std::uint64_t limit = std::uint64_t{1} << 26;
  for (const std::uint64_t n : {100, 150, 200, 300}) {
    std::uint64_t gaps = 0, begin = 0, length = 0;
    for (std::size_t i = 0; gaps < n && length < n; ++i) {
      if (all[i] >= limit) {
        ++length;
        continue;
      }
      ++gaps;
      begin = i + 1;
      length = 0;
    }
    const Replication found = detail::count_gaps({words.tiles(), 0, n}, 0, limit, 10);
    std::uint64_t sum = 0;
    for (const std::uint64_t one : found.counts) sum += one;
    EXPECT_EQ(sum, gaps) << n;
    EXPECT_EQ(found.words, gaps < n ? begin + n + 1 : begin) << n;
  }
}

/// Counts gaps of n - 1 to n + 1 words that begin anywhere, in tiles that are too small for the
/// gaps.
TEST(Battery, EndsGapsExactly) {
  constexpr std::uint64_t n = 50;
  for (const std::uint64_t length : {n - 1, n, n + 1}) {
    for (std::uint64_t begin = 0; begin < n - 1; ++begin) {
      std::vector<std::uint32_t> all(begin, 0);
      all.resize(begin + length, ~std::uint32_t{0});
      all.push_back(0);
      Words words(given_words(all), 40);
      const Replication found = detail::count_gaps({words.tiles(), 0, n}, 0, 1, 60);
      SCOPED_TRACE(testing::Message() << length << " words from " << begin << " on");
      EXPECT_EQ(found.words, length >= n ? begin + n + 1 : n + length);
      EXPECT_EQ(found.counts[0], length >= n ? begin : n - 1);
      EXPECT_EQ(found.counts[length], length >= n ? 0U : 1U);
    }
  }
}

/// Judges pooled tests of good words with the minimum number and size of chunks that the battery
/// accepts.
TEST(Battery, JudgesGoodWordsOfTheLeastLength) {
  std::set<std::string> done;
  std::uint64_t position = 0;
  Words words("philox4x32", false, 7, {}, std::uint64_t{1} << 18);
  for (const BatteryTest& test : tests_named("small beyond long")) {
    const TestClass& kind = class_of(test);
    if (!kind.pools || !done.insert(std::string(kind.name) + parameters_of(test)).second) continue;
    const std::uint64_t chunk = std::max(std::uint64_t{4096}, kind.min_chunk_words(test));
    BatteryTest shared = fitted(test, chunk);
    ASSERT_GT(shared.n, 0U) << test.name();
    shared.N = 1;
    shared.pooled = true;
    const std::uint64_t chunks = (kind.min_items(shared) - 1) / shared.n + 1;
    if (chunks * chunk > 300000) continue;
    std::vector<std::uint64_t> counts(kind.counters(shared));
    for (std::uint64_t k = 0; k < chunks; ++k) {
      const Replication one = kind.count(words.tiles(), position, shared);
      std::ranges::transform(counts, one.counts, counts.begin(), std::plus());
      position += chunk;
    }
    shared.N = chunks;
    EXPECT_TRUE(is_judgeable(shared));
    for (const PValue& one : kind.judge(shared, counts, {})) {
      EXPECT_GT(tail_of(one), 1e-6) << name_of(test, one) << ", " << chunks << " x " << chunk;
    }
  }
  EXPECT_GT(done.size(), 40U);
}

/// Checks that tests with few items are not judged. For example, a single matrix has a rank, but no
/// distribution.
TEST(Battery, JudgesNoTestsOfFewItems) {
  for (const auto& [name, chunk, least] :
       {std::tuple{"long.9", 128U, 80U}, {"beyond.50", 4096U, 4096U}, {"beyond.9", 2048U, 16U}}) {
    BatteryTest test = fitted(tests_named(name).front(), chunk);
    EXPECT_TRUE(is_judgeable(test)) << name;
    test.pooled = true;
    test.N = least - 1;
    EXPECT_FALSE(is_judgeable(test)) << name;
    test.N = least;
    EXPECT_TRUE(is_judgeable(test)) << name;
  }
}

#ifdef __GLIBC__
TEST(Battery, CountsWithoutThreads) {
  const BatteryTest test{"", 0, TestKind::complexities, 3, 5, 0, 0, 0, 1, 64};
  Words words("philox4x32", false, 7, {}, 1000);
  const std::vector<Replication> expected = class_of(test).count_all(words.tiles(), 0, test)();
  pthread_attr_t before, huge;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  // No machine has room for such stacks.
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 46), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  std::vector<Replication> found;
  EXPECT_NO_THROW(found = class_of(test).count_all(words.tiles(), 0, test)());
  ASSERT_EQ(pthread_setattr_default_np(&before), 0);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(found[k].counts, expected[k].counts);
}
#endif

/// Checks that each rank reports progress as if all ranks had progressed equally far.
TEST(Battery, ProgressIsThatOfAllRanks) {
  BatteryOptions options;
  options.tests = "small long";
  TestSchedule tests(options);
  double all = 0;
  for (const BatteryTest& test : tests.tests()) {
    all += static_cast<double>(TestSchedule::usual_words_of(test));
  }
  for (const int ranks : {1, 4}) {
    tests.share_among(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      double own = 0;
      for (std::uint64_t at = 0; at < tests.size(); ++at) {
        if (tests.owner_of(at) != rank) continue;
        own += static_cast<double>(TestSchedule::usual_words_of(tests.test(tests.test_at(at))));
      }
      EXPECT_DOUBLE_EQ(own * tests.load_ratio(rank), all);
    }
  }
}

/// Counts a run of ones that covers all parts of a block and extends over two blocks.
TEST(Battery, JoinsRunsOfOnes) {
  constexpr int block = 4096;
  std::vector<std::uint32_t> all(2 * block, ~std::uint32_t{0});
  all[5] = 0;
  Words words(given_words(all), 2 * block);
  const Replication found =
      counted(words, 0, {"", 0, TestKind::longest_head_run, 1, 2, 0, 0, 0, 32, 32 * block});
  EXPECT_EQ(found.counts[found.counts.size() - 2], 2U);
  EXPECT_EQ(found.counts.back(), (2 * block - 6) * 32U);
}

/// Checks that the last spacing leads back to the first point. In a circle of 16 cells, the points
/// 0, 5 and 11 have the spacings 5, 6 and 5.
TEST(Battery, SpacingsAreACircle) {
  Words words(given_words(std::vector<std::uint32_t>{11U << 28, 0, 5U << 28}), 10);
  const BatteryTest test{"", 0, TestKind::birthday_spacings, 1, 3, 0, 16, 1};
  EXPECT_EQ(counted(words, 0, test).counts[0], 1U);
}

/// Counts segments without a complete set of coupons. Chains of such segments never merge.
TEST(Battery, CountsSegmentsOfWhichNoneIsComplete) {
  Words words("philox4x32", false, 7, {}, 60000);
  // Any 61 draws miss some of the 64 values.
  const Replication found = counted(words, 0, {"", 0, TestKind::coupon_collector, 1, 20000, 0, 64});
  EXPECT_EQ(found.words, 20000U * 61);
  EXPECT_EQ(found.counts.back(), 20000U);
}

/// Returns the rank of a matrix that is given by rows of bits.
int plain_rank(std::vector<std::vector<bool>> rows) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && !rows[pivot][column]) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[rank]);
    for (std::size_t i = rank + 1; i < rows.size(); ++i) {
      if (!rows[i][column]) continue;
      for (std::size_t k = column; k < rows[i].size(); ++k)
        rows[i][k] = rows[i][k] != rows[rank][k];
    }
    ++rank;
  }
  return static_cast<int>(rank);
}

/// Compares the ranks of large matrices with those from plain elimination. Matrices of a stream
/// with a short recurrence have low ranks, and columns without pivots.
TEST(Battery, RanksOfLargeMatricesAreThoseOfPlainElimination) {
  Words linear("lfsr113", false, 1, {}, 5000);
  Words random("philox4x32", false, 1, {}, 5000);
  for (const auto& [size, s] : {std::pair{66, 32}, {300, 30}, {131, 7}, {200, 1}, {521, 13}}) {
    for (Words* const words : {&linear, &random}) {
      SCOPED_TRACE(size);
      const int each = (size + s - 1) / s;
      const auto count = static_cast<std::uint64_t>(size * each);
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(size) + 1);
      for (std::uint64_t k = 0; k < 3; ++k) {
        const std::vector<std::uint32_t> all = words->read(k * count, count);
        std::vector<std::vector<bool>> rows(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < all.size(); ++i) {
          std::vector<bool>& row = rows[i / static_cast<std::size_t>(each)];
          for (int b = 0; b < s && row.size() < static_cast<std::size_t>(size); ++b) {
            row.push_back((all[i] >> (31 - b) & 1) != 0);
          }
        }
        ++expected[static_cast<std::size_t>(plain_rank(std::move(rows)))];
      }
      const BatteryTest test{"", 0, TestKind::matrix_rank, 1, 3, 0, 0, 0, s, size};
      EXPECT_EQ(counted(*words, 0, test).counts, expected);
    }
  }
}

/// Searches for close pairs among numbers of two bits. There are too few pairs of equal numbers to
/// fill the list, so pairs at a distance of one step, of which there are enough, fill the rest.
TEST(Battery, FindsPairsOfNumbersOfFewBits) {
  Words words("philox4x32", false, 7, {}, 100000);
  const Replication found = counted(words, 0, {"", 0, TestKind::close_pairs, 1, 5000, 30, 0, 16});
  EXPECT_EQ(found.counts[0], 30U);
  EXPECT_EQ(found.counts.back(), 1U << 30);
  EXPECT_LT(std::ranges::count(found.counts, 0U), 30);
}

/// Counts segments whose sum never exceeds g. TestU01 would continue to draw numbers for such
/// segments.
TEST(Battery, CountsSegmentsThatAreTooLong) {
  Words words("philox4x32", false, 7, {}, 5000);
  const Replication found = counted(words, 0, {"", 0, TestKind::sum_collector, 1, 500, 0, 1024});
  EXPECT_EQ(found.words, 500U * 1024);
  EXPECT_EQ(found.counts.back(), 500U);
}

/// Compares the counts in tiles of the usual size with those in the smallest tiles, which hold only
/// the words that a test needs together.
TEST(Battery, CountsTheSameInTheSmallestTiles) {
  const BatteryTest all[] = {{"", 0, TestKind::serial_over, 1, 300, 0, 4, 5},
                             {"", 0, TestKind::collision_over, 1, 300, 0, 4, 5},
                             {"", 0, TestKind::number_run, 1, 300, 28, 0, 1},
                             {"", 0, TestKind::number_run, 1, 300, 28},
                             {"", 0, TestKind::appearance_spacings, 1, 90, 0, 60, 0, 30, 10},
                             {"", 0, TestKind::appearance_spacings, 1, 90, 0, 60, 0, 3, 7},
                             {"", 0, TestKind::sum_collector, 1, 300, 0, 10},
                             {"", 0, TestKind::longest_head_run, 1, 30, 0, 0, 0, 3, 1000},
                             {"", 0, TestKind::bit_run, 1, 300, 0, 0, 0, 3},
                             {"", 0, TestKind::bit_run, 1, 1000, 0, 0, 0, 30}};
  for (const BatteryTest& test : all) {
    const TestClass& kind = class_of(test);
    SCOPED_TRACE(std::string(kind.name) + ", " + parameters_of(test));
    Words small("lfsr113", false, 5, {}, kind.item_words(test));
    Words large("lfsr113", false, 5, {}, 100000);
    for (const std::uint64_t position : {0, 1237}) {
      const Replication found = kind.count(small.tiles(), position, test);
      const Replication expected = kind.count(large.tiles(), position, test);
      EXPECT_EQ(found.counts, expected.counts);
      EXPECT_EQ(found.reals, expected.reals);
      EXPECT_EQ(found.words, expected.words);
    }
  }
}

/// Returns words of a sequence of the C++ library.
std::vector<std::uint32_t> sequence_of(const std::string& generator, Order order,
                                       std::uint64_t block, std::uint64_t count) {
  std::vector<std::uint32_t> words(count);
  Sequence({.generator = generator,
            .type = NumberType::uint32,
            .order = order,
            .instances = 7,
            .block_length = block})
      .get(count, words.data());
  return words;
}

TEST(Battery, ReadsTheWordsOfASequenceAnywhere) {
  constexpr std::uint64_t count = 20000;
  for (const char* generator : {"dcmt521", "ranmar24", "philox4x32"}) {
    for (const Order order : {Order::interleaved, Order::blocked}) {
      SCOPED_TRACE(generator);
      const std::vector<std::uint32_t> all = sequence_of(generator, order, 7 * 13, count);
      Words words(generator, false, 7, {.run = order == Order::blocked ? 13U : 0U}, 3000);
      for (const std::uint64_t at : {0, 100, 3000, 4001, 4000, 16999, 5, 5, 9000, 11000}) {
        for (const std::uint64_t length : {1, 500, 3000}) {
          const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
          EXPECT_THAT(words.read(at, length),
                      testing::ElementsAreArray(first, first + static_cast<std::ptrdiff_t>(length)))
              << length << " at " << at;
        }
      }
    }
  }
}

TEST(Battery, ReadsLongRunsOfStreams) {
  // In the first case, memory holds a group of all streams. In the second case, it holds a group of
  // four streams. In the third case, it holds a single stream, whose runs are cut.
  for (const auto& [streams, run] : {std::pair{8U, 5003U}, {8U, 1U << 22}, {3U, (1U << 23) + 5}}) {
    Words in_runs("philox4x32", false, streams, {.run = run}, 2000);
    Words interleaved("philox4x32", false, streams, {}, 2000);
    for (const std::uint64_t turn : {0U, 1U, streams - 1, streams, 2 * streams + 1, 1U}) {
      const std::uint64_t end = (turn + 1) * run;
      for (const std::uint64_t at : {end - run, end - 1300, end - 3}) {
        const std::vector<std::uint32_t> found = in_runs.read(at, 1500);
        for (std::uint64_t i = 0; i < 1500; i += 249) {
          const std::uint64_t t = (at + i) / run;
          const std::uint64_t number = t / streams * run + (at + i) % run;
          EXPECT_EQ(found[i], interleaved.read(number * streams + t % streams, 1).front())
              << i << " behind " << at;
        }
      }
    }
  }
}

TEST(Battery, MakesWordsOfLowBits) {
  Words all("dcmt521", false, 7, {}, 40000);
  for (const auto& [bits, width] : {std::pair{WordBits::low8, 8U}, {WordBits::low1, 1U}}) {
    Words low("dcmt521", false, 7, {.bits = bits}, 1000);
    const std::uint64_t each = 32 / width;
    for (const std::uint64_t at : {0, 900, 20001, 100}) {
      const std::vector<std::uint32_t> words = all.read(at * each, 1000 * each);
      const std::vector<std::uint32_t> found = low.read(at, 1000);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::uint32_t expected = 0;
        for (std::size_t j = 0; j < each; ++j) {
          expected |= words[i * each + j] % (1U << width) << (j * width);
        }
        EXPECT_EQ(found[i], expected) << at + i;
      }
    }
  }
}

TEST(Battery, ReversesTheBitsOfWords) {
  Words as_they_are("philox4x32", false, 7, {}, 1000);
  Words reversed("philox4x32", false, 7, {.bits = WordBits::reversed}, 1000);
  for (const std::uint64_t at : {0, 900, 1500, 100}) {
    const std::vector<std::uint32_t> words = as_they_are.read(at, 1000);
    const std::vector<std::uint32_t> found = reversed.read(at, 1000);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint32_t expected = 0;
      for (int b = 0; b < 32; ++b) expected |= (words[i] >> b & 1) << (31 - b);
      EXPECT_EQ(found[i], expected) << at + i;
    }
  }
}

}  // namespace
}  // namespace rivulet

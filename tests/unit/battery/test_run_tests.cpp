// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks the battery on words that a caller's program supplies from streams of the C++ library or
// from a C function. test_battery.cpp tests the counts.

#include "battery/run_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "capi/calls.hpp"
#include "generators/generators.hpp"
#include "kernels/correlation/batch_transforms.hpp"
#include "library_own_generators.hpp"
#include "machine/out_of_memory.hpp"
#include "message_of.hpp"
#include "ready_generators.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t streams = 7;
// The word count of the first test, and thus the start of the next one, depends on the words.
constexpr const char* some = "small.3 small.8 small.10";

/// Returns the words of philox4x32 as the battery job draws them.
WordSupply job_words() {
  static const auto plan =
      built_generator("philox4x32")
          .plan({.streams = streams, .numbers_per_stream = 1U << 30}, io::Communicator::self());
  return make_word_supply(Space(), {plan.get()}, {0, streams}, plan->generator().mappings.front(),
                          0, {});
}

/// Returns the p-values that the test classes compute for these words.
std::vector<BatteryPValue> expected(const std::vector<BatteryTest>& tests) {
  WordTiles tiles(Space(), job_words());
  tiles.allocate(1U << 20);
  std::vector<BatteryPValue> all;
  std::uint64_t position = 0;
  for (const BatteryTest& test : tests) {
    std::vector<std::uint64_t> counters;
    std::vector<double> reals;
    for (const Replication& one : class_of(test).count_all(tiles, position, test)()) {
      counters.insert(counters.end(), one.counts.begin(), one.counts.end());
      reals.insert(reals.end(), one.reals.begin(), one.reals.end());
      position += one.words;
    }
    for (const PValue& one : class_of(test).judge(test, counters, reals)) {
      const std::string name = test.name() + " " + std::string(class_of(test).name);
      all.push_back(
          {one.statistic.empty() ? name : name + " " + one.statistic, one.value, one.p, false});
    }
  }
  return all;
}

void expect_equal(const std::vector<BatteryPValue>& found, const std::vector<BatteryPValue>& all) {
  ASSERT_EQ(found.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(found[i].name, all[i].name);
    EXPECT_EQ(found[i].statistic, all[i].statistic) << all[i].name;
    EXPECT_EQ(found[i].p, all[i].p) << all[i].name;
  }
}

TEST(OwnBattery, JudgesStreamsAsTheJobDoes) {
  const std::vector<BatteryPValue> all = expected(tests_named(some));
  const Streams<Philox4x32> philox({.count = streams});
  const std::vector<BatteryPValue> found = battery(philox, some);
  expect_equal(found, all);
  EXPECT_EQ(all.size(), 7U);
  for (const BatteryPValue& one : found) EXPECT_FALSE(one.fails) << one.name;
}

std::int64_t from_sequence(void* user, std::int64_t count, std::uint32_t* words) {
  const auto sequence = *static_cast<rivulet_sequence*>(user);
  return rivulet_get_uint32(sequence, count, words) == RIVULET_OK ? count : 0;
}

std::vector<BatteryPValue> reported;
void report(void*, const char* name, double statistic, double p, int fails) {
  reported.push_back({name, statistic, p, fails != 0});
}

/// Compares the p-values for a C function with those of the battery job. The function draws from a
/// sequence, which uses all threads for large requests.
TEST(OwnBattery, JudgesAFunctionOfCAsTheJobDoes) {
  rivulet_options options;
  rivulet_sequence sequence = 0;
  ASSERT_EQ(rivulet_options_default(&options), RIVULET_OK);
  options.generator = "philox4x32";
  options.type = RIVULET_UINT32;
  options.instances = streams;
  ASSERT_EQ(rivulet_create("words", &options, &sequence), RIVULET_OK);
  reported.clear();
  ASSERT_EQ(rivulet_battery(some, from_sequence, report, &sequence), RIVULET_OK)
      << rivulet_message();
  expect_equal(reported, expected(tests_named(some)));
  ASSERT_EQ(rivulet_destroy(sequence), RIVULET_OK);
}

TEST(OwnBattery, ContinuesAfterConcurrentTests) {
  std::vector<BatteryTest> tests{{"parse", 1, TestKind::lempel_ziv, 3, 1, 0, 0, 16, 30}};
  tests.push_back(tests_named("small.8").front());
  std::vector<BatteryPValue> all;
  run_tests(job_words(), tests, 1000, [&](const BatteryPValue& one) { all.push_back(one); });
  expect_equal(all, expected(tests));
}

/// Checks that streams of 24-bit numbers whose engine has no discard() continue from their
/// positions.
TEST(OwnBattery, ReadsTheNextWordsOfOwnStreams) {
  const Streams<Padded24> own({.count = streams});
  const Kokkos::View<std::uint32_t*> first("first", 3 * streams);
  const Kokkos::View<std::uint32_t*> next("next", 8000000);
  fill(Kokkos::DefaultExecutionSpace(), own, first);
  fill(Kokkos::DefaultExecutionSpace(), own, next);
  const auto words = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next);
  std::vector<BatteryPValue> all;
  std::uint64_t at = 0;
  const ReadWords read = [&](std::span<std::uint32_t> to) {
    const std::uint64_t there = std::min<std::uint64_t>(to.size(), words.size() - at);
    std::copy_n(words.data() + at, there, to.begin());
    at += there;
    return there;
  };
  run_tests(make_word_supply(Space(), read), tests_named("small.8"), 1000,
            [&](const BatteryPValue& one) { all.push_back(one); });
  const Streams<Padded24> again({.count = streams});
  fill(Kokkos::DefaultExecutionSpace(), again, first);
  expect_equal(battery(again, "small.8"), all);
}

// Writes words whose values are their indices.
void draw_indices(std::uint64_t from, std::uint64_t count, std::uint32_t* to) {
  Kokkos::parallel_for(
      "rivulet::test_words", count,
      KOKKOS_LAMBDA(const std::uint64_t i) { to[i] = static_cast<std::uint32_t>(from + i); });
}
std::uint64_t right_indices(std::uint64_t from, std::uint64_t count, const std::uint32_t* words) {
  std::uint64_t right = 0;
  Kokkos::parallel_reduce(
      "rivulet::test_sum", count,
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        if (words[i] == from + i) ++sum;
      },
      right);
  return right;
}

/// A supply that only draws forward must skip the words between reads.
TEST(OwnBattery, LeavesOutWordsThatNoTestReads) {
  std::uint64_t drawn = 0;
  const DrawWords draw = [&](std::uint64_t units, std::uint32_t* to) {
    draw_indices(drawn, 10 * units, to);
    drawn += 10 * units;
  };
  std::uint64_t given = 0;
  const ReadWords read = [&](std::span<std::uint32_t> to) {
    for (std::uint32_t& word : to) word = static_cast<std::uint32_t>(given++);
    return to.size();
  };
  for (const bool by_host : {false, true}) {
    WordTiles tiles(Space(),
                    by_host ? make_word_supply(Space(), read) : make_word_supply(10, draw));
    tiles.allocate(100);
    for (const std::uint64_t at : {0, 5, 105, 777, 100000, 2000000}) {
      EXPECT_EQ(right_indices(at, 100, tiles.read(at, 100)), 100U) << at;
    }
  }
}

/// A weak generator that ends after `left` words.
struct Ending {
  std::uint64_t left;
  std::uint32_t state = 1;
};
std::int64_t from_ending(void* user, std::int64_t count, std::uint32_t* words) {
  auto& ending = *static_cast<Ending*>(user);
  const std::uint64_t there = std::min(static_cast<std::uint64_t>(count), ending.left);
  for (std::uint64_t i = 0; i < there; ++i) {
    words[i] = ending.state = ending.state * 1103515245 + 12345;
  }
  ending.left -= there;
  return static_cast<std::int64_t>(there);
}

TEST(OwnBattery, TellsWhereWordsEnd) {
  constexpr std::uint64_t ranks = 20000 * 60 * 6;  // words of small.8
  for (const std::uint64_t words : {ranks, ranks + 5000}) {
    Ending enough{words};
    reported.clear();
    EXPECT_EQ(rivulet_battery("small.8", from_ending, report, &enough), RIVULET_OK);
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_TRUE(reported[0].fails);
    const double p = reported[0].p;
    Ending too_few{words};
    reported.clear();
    EXPECT_EQ(rivulet_battery("small.8 small.10", from_ending, report, &too_few),
              RIVULET_ERROR_OUT_OF_RANGE);
    EXPECT_EQ(rivulet_message(), "the words ended after " + std::to_string(words) +
                                     " (small.10 needs more). Supply more words, or name smaller "
                                     "tests.");
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_EQ(reported[0].p, p);
  }
  for (const std::uint64_t words : {std::uint64_t{0}, std::uint64_t{1}, ranks - 1}) {
    Ending too_few{words};
    reported.clear();
    EXPECT_EQ(rivulet_battery("small.8", from_ending, report, &too_few),
              RIVULET_ERROR_OUT_OF_RANGE);
    EXPECT_EQ(rivulet_message(), "the words ended after " + std::to_string(words) +
                                     " (small.8 needs more). Supply more words, or name smaller "
                                     "tests.");
    EXPECT_TRUE(reported.empty());
  }
}

/// Checks that equal words fail quickly, although all pairs of points are close.
TEST(OwnBattery, FailsWordsThatAreAllEqual) {
  std::vector<BatteryTest> tests{{"close", 1, TestKind::close_pairs, 2, 1000000, 0, 0, 2}};
  // The spectra are 0 except at the frequency that the test omits.
  if (have_batch_transforms)
    tests.push_back({"fourier", 1, TestKind::fourier3, 1, 2000, 0, 0, 12, 30});
  std::vector<BatteryPValue> all;
  const ReadWords zeros = [](std::span<std::uint32_t> to) {
    std::ranges::fill(to, 0U);
    return to.size();
  };
  run_tests(make_word_supply(Space(), zeros), tests, 1000,
            [&](const BatteryPValue& one) { all.push_back(one); });
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].name, "close.1 ClosePairs NP");
  EXPECT_TRUE(all[0].fails);
  EXPECT_TRUE(all.back().fails);
}

TEST(OwnBattery, RefusesWhatItCannotRun) {
  const Streams<Philox4x32> philox({.count = streams});
  EXPECT_THAT(message_of([&] { battery(philox, "gap"); }), testing::HasSubstr("no test 'gap'"));
  EXPECT_EQ(message_of([] { battery(Streams<Philox4x32>(), "small.8"); }),
            "there are no streams to be tested (these Streams are empty). Set "
            "StreamsOptions::count to 1 or more.");
  EXPECT_THAT(message_of([] {
                detail::run_battery(
                    std::uint64_t{1} << 50, [](std::uint64_t, std::uint32_t*) {}, "small.8");
              }),
              testing::StartsWith("no memory for a tile of words ("));
  EXPECT_EQ(capi::guarded([] { throw OutOfMemory("no memory for it", 1, "Ask for less."); }),
            RIVULET_ERROR_OUT_OF_MEMORY);
}

TEST(OwnBattery, CorrectsForTheNumberOfPValues) {
  for (const double p : {4e-11, 1 - 4e-11}) {
    EXPECT_TRUE(fails(tail_of({"", 0, p}), 1)) << p;
    EXPECT_FALSE(fails(tail_of({"", 0, p}), 2)) << p;
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "battery/battery_test.hpp"
#include "battery/counting/kept_windows.hpp"
#include "battery/test_class.hpp"
#include "battery/words/separated_streams.hpp"
#include "battery_words.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"

namespace rivulet {
namespace {

using WordOf = std::function<std::uint32_t(std::uint64_t stream, std::uint64_t number)>;

std::uint32_t random_word(std::uint64_t stream, std::uint64_t number) {
  return static_cast<std::uint32_t>(splitmix64_mix(splitmix64_mix(stream + 1) + number));
}

/// Supplies the words of interleaved streams, computed by a function.
WordSupply interleaved_words(const Interleaving& turns, const WordOf& word) {
  WordSupply supply;
  supply.turns = turns;
  supply.draw = [=](std::uint64_t first, std::uint64_t count, std::uint32_t* to) {
    std::vector<std::uint32_t> words;
    for (std::uint64_t i = first; i < first + count; ++i) {
      words.push_back(word(turns.stream_of(i), turns.number_of(i)));
    }
    Kokkos::deep_copy(Borrowed<std::uint32_t>(to, count),
                      Borrowed<const std::uint32_t, Kokkos::HostSpace>(words.data(), count));
    return no_end;
  };
  return supply;
}

struct OverlapResult {
  Replication counted;
  std::vector<PValue> p;
};

OverlapResult overlaps(const Interleaving& turns, const WordOf& word, std::uint64_t n,
                       std::uint64_t position = 0, std::uint64_t tile = 5000) {
  const BatteryTest test{"", 0, TestKind::overlaps, 1, n};
  Words words(interleaved_words(turns, word), tile);
  OverlapResult found{counted(words, position, test), {}};
  found.p = judged(test, found.counted.counts, {}, {found.counted.windows, turns});
  return found;
}

constexpr std::uint64_t count = 40000;

TEST(BatteryOverlaps, FindsStreamsThatAreTheSame) {
  for (const Interleaving& turns :
       {Interleaving{16, 1}, Interleaving{16, 2}, Interleaving{5, 7}, Interleaving{4, 500}}) {
    SCOPED_TRACE(turns.run);
    const OverlapResult found = overlaps(
        turns,
        [](auto stream, auto number) { return random_word(stream == 3 ? 1 : stream, number); },
        count);
    EXPECT_LT(found.p[0].p, 1e-100);
    EXPECT_EQ(found.p[0].note, "streams 1 and 3 are the same from words 0 and 0 on");
    const std::uint64_t windows = found.counted.counts[0];
    EXPECT_NEAR(found.p[0].value, static_cast<double>(windows / turns.streams), 1000);
  }
}

TEST(BatteryOverlaps, FindsDelayedStreams) {
  const auto delayed = [](auto stream, auto number) {
    return stream == 3 ? random_word(1, number + 1000) : random_word(stream, number);
  };
  const OverlapResult found = overlaps({4, 1}, delayed, count);
  EXPECT_LT(found.p[0].p, 1e-100);
  EXPECT_EQ(found.p[0].note, "streams 1 and 3 are the same from words 1000 and 0 on");
  // The reported word numbers are relative to the streams' starts, whatever the position.
  EXPECT_EQ(overlaps({4, 1}, delayed, count, 4000).p[0].note,
            "streams 1 and 3 are the same from words 2000 and 1000 on");
}

TEST(BatteryOverlaps, FindsStreamsThatRepeatThemselves) {
  const OverlapResult found = overlaps(
      {1, 1}, [](auto, auto number) { return random_word(0, number % 30000); }, count);
  EXPECT_EQ(found.p[0].value, 10000 - 3);
  EXPECT_EQ(found.p[0].note, "streams 0 and 0 are the same from words 0 and 30000 on");
}

TEST(BatteryOverlaps, NamesThreePairs) {
  const OverlapResult found = overlaps(
      {16, 1}, [](auto stream, auto number) { return random_word(stream / 2, number); }, count);
  EXPECT_THAT(found.p[0].note, testing::EndsWith("streams 4 and 5 are the same from words 0 and 0 "
                                                 "on, and 5 more pairs"));
}

TEST(BatteryOverlaps, PassesStreamsThatDiffer) {
  const OverlapResult found = overlaps({16, 1}, random_word, count);
  EXPECT_EQ(found.p[0].value, 0);
  EXPECT_EQ(found.p[0].p, 0.5);
  EXPECT_EQ(found.p[0].note, "");
  EXPECT_GT(found.p[1].p, 1e-6);
  EXPECT_LT(found.p[1].p, 1 - 1e-6);
  EXPECT_EQ(found.counted.counts[0], count - 3 * 16);
}

TEST(BatteryOverlaps, KeepsTheSameWindowsInAllTiles) {
  const std::uint64_t n = std::uint64_t{3} << 20;  // the test keeps about half of the windows
  const OverlapResult some = overlaps({2, 1}, random_word, n, 7, 70000),
                      all = overlaps({2, 1}, random_word, n, 7, n);
  ASSERT_EQ(some.counted.windows.size(), all.counted.windows.size());
  EXPECT_NEAR(static_cast<double>(all.counted.windows.size()), static_cast<double>(n) / 2, 5000);
  for (std::size_t i = 0; i < all.counted.windows.size(); ++i) {
    ASSERT_EQ(some.counted.windows[i].hash, all.counted.windows[i].hash);
    ASSERT_EQ(some.counted.windows[i].packed, all.counted.windows[i].packed);
    ASSERT_GE(all.counted.windows[i].level(), 1);
  }
  KeptWindows thinned = all.counted.windows;
  thin(thinned, 3);
  EXPECT_NEAR(static_cast<double>(thinned.size()), static_cast<double>(n) / 8, 3000);
}

TEST(BatteryOverlaps, FailsWordsThatAreAllEqual) {
  const OverlapResult found = overlaps(
      {2, 1}, [](auto, auto) { return 7U; }, count);
  const double smallest_tail = std::min(found.p[0].p, std::min(found.p[1].p, 1 - found.p[1].p));
  EXPECT_LT(smallest_tail, 1e-100);
}

TEST(BatteryOverlaps, TakesStreamsApart) {
  for (const Interleaving& turns : {Interleaving{8, 1}, Interleaving{8, 3}}) {
    Words words(interleaved_words(turns, random_word), 50);
    const std::uint64_t round = turns.streams * turns.run,
                        position = turns.run == 1 ? 5 * round : 5 * round - 1;
    Words separated(separated_streams(words.tiles(), position, 4, 30), 120);
    const std::vector<std::uint32_t> found = separated.read(0, 120);
    for (std::uint64_t i = 0; i < 120; ++i) {
      EXPECT_EQ(found[i], random_word(i / 30 * 2, 5 * turns.run + i % 30)) << i;
    }
  }
}

TEST(BatteryOverlaps, ArrangesTests) {
  BatteryTest gaps{"", 0, TestKind::gap, 1, 1U << 20, 0, 16};
  gaps.stream_order = StreamOrder::all_streams;
  const BatteryTest all = arranged(gaps, {1000, 1}, 1U << 28);
  EXPECT_EQ(all.streams, 1000U);
  EXPECT_EQ(all.length, (1U << 24) / 1000U);
  EXPECT_EQ(all.span, all.length * 1000);
  gaps.stream_order = StreamOrder::sampled;
  const BatteryTest some = arranged(gaps, {1000, 2}, 1U << 28);
  EXPECT_EQ(some.streams, 16U);
  EXPECT_EQ(some.length, ((1U << 28) - 2000U) / 1000U);
  EXPECT_LE(some.n * 16, 16 * some.length);
}

}  // namespace
}  // namespace rivulet

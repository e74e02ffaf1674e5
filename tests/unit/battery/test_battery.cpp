// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "battery/test_class.hpp"
#include "battery_words.hpp"
#include "message_of.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

// Returns TestU01's counts for the same words (tests/data/battery_counts.json).
const YAML::Node& reference() {
  static const YAML::Node node = test_data("battery_counts.json");
  return node;
}

#define RIVULET_NAMED_KIND(kind) {#kind, TestKind::kind},
const std::map<std::string, TestKind> kinds{RIVULET_TEST_CLASSES(RIVULET_NAMED_KIND)};
#undef RIVULET_NAMED_KIND

BatteryTest test_of(const YAML::Node& node) {
  const auto number = [&](const char* key) { return node[key].as<int>(); };
  const auto wide = [&](const char* key) { return node[key].as<std::uint64_t>(); };
  return {.set = {},
          .id = 0,
          .kind = kinds.at(node["kind"].as<std::string>()),
          .N = wide("N"),
          .n = wide("n"),
          .r = number("r"),
          .d = wide("d"),
          .t = number("t"),
          .s = number("s"),
          .L = number("L")};
}

Words words_of(const YAML::Node& node, std::uint64_t tile) {
  return {node["generator"].as<std::string>(),
          node["seeding"].as<std::string>() == "published",
          node["streams"].as<std::uint64_t>(),
          {},
          tile};
}

/// Compares the counters of a replication, or of some of its classes, with TestU01's groups. A
/// group is [last class, count]; the last group covers all remaining classes.
void expect_groups(const YAML::Node& groups, std::span<const std::uint64_t> counters) {
  std::size_t at = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool is_last = g + 1 == groups.size();
    const std::size_t end = is_last ? counters.size() : groups[g][0].as<std::size_t>() + 1;
    std::uint64_t sum = 0;
    for (; at < end; ++at) sum += counters[at];
    EXPECT_EQ(sum, groups[g][1].as<std::uint64_t>()) << "up to class " << end - 1;
  }
}

/// Runs a test from a position, compares its results with TestU01's, and returns the position
/// after the test's last word.
std::uint64_t expect_as_testu01(Words& words, std::uint64_t position, const BatteryTest& test,
                                const YAML::Node& expected) {
  const TestClass& kind = class_of(test);
  std::vector<std::uint64_t> counters, last, each;
  std::vector<double> reals;
  std::uint64_t used = 0;
  for (std::uint64_t k = 0; k < test.N; ++k) {
    const Replication found = kind.count(words.tiles(), position + used, test);
    EXPECT_EQ(found.counts.size(), kind.counters(test));
    EXPECT_LE(found.words, kind.max_words(test));
    used += found.words;
    counters.insert(counters.end(), found.counts.begin(), found.counts.end());
    reals.insert(reals.end(), found.reals.begin(), found.reals.end());
    each.push_back(found.counts.front());
    last = found.counts;
  }
  EXPECT_EQ(used, expected["words"].as<std::uint64_t>());
  const std::vector<PValue> judged = kind.judge(test, counters, reals);
  const YAML::Node& results = expected["results"];
  EXPECT_EQ(judged.size(), results.size());
  for (std::size_t i = 0; i < std::min(judged.size(), results.size()); ++i) {
    const YAML::Node& one = results[i];
    const std::string statistic = one["statistic"].as<std::string>();
    SCOPED_TRACE(statistic);
    EXPECT_EQ(judged[i].statistic, statistic);
    if (one["counts"]) {
      EXPECT_EQ(each, one["counts"].as<std::vector<std::uint64_t>>());
    }
    if (one["distances"]) {  // last[0] is the number of distances
      const auto distances = one["distances"].as<std::vector<std::uint64_t>>();
      EXPECT_TRUE(std::equal(distances.begin(), distances.end(), last.begin() + 1));
    }
    if (one["hash"]) {
      std::uint64_t hash = 0;
      for (const std::uint64_t count : last) hash = hash * 1000003 + count;
      EXPECT_EQ(hash, one["hash"].as<std::uint64_t>());
    }
    if (one["groups"]) {
      // The last counter of LongestHeadRun is the longest run.
      const bool is_longest = test.kind == TestKind::longest_head_run;
      const std::size_t cells = is_longest ? last.size() - 1 : last.size() / results.size();
      expect_groups(one["groups"], std::span(last).subspan(i * cells, cells));
    }
    // TestU01 interpolates tables for the Anderson-Darling statistic. For few collisions, it uses
    // the exact distribution instead of Poisson's.
    const bool is_table = statistic == "AD" || statistic.find("NP") != std::string::npos;
    const double error = is_table ? 1e-2 : test.kind == TestKind::collision ? 1e-4 : 1e-9;
    if (judged[i].testu01) {
      EXPECT_NEAR(*judged[i].testu01, one["p"].as<double>(), is_table ? 1e-2 : 1e-9);
      continue;
    }
    if (!is_table) {
      const double value = one["value"].as<double>();
      EXPECT_NEAR(judged[i].value, value, 1e-9 * std::abs(value));
    }
    EXPECT_NEAR(judged[i].p, one["p"].as<double>(), error);
  }
  return position + used;
}

TEST(Battery, CountsWhatTestU01Counts) {
  const YAML::Node& tests = reference()["tests"];
  for (const YAML::Node& sequence : reference()["sequences"]) {
    for (const std::uint64_t tile : {std::uint64_t{30000}, std::uint64_t{1} << 20}) {
      Words words = words_of(sequence, tile);
      std::uint64_t position = 0;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        SCOPED_TRACE(sequence["generator"].as<std::string>() + " " +
                     tests[i]["name"].as<std::string>());
        position = expect_as_testu01(words, position, test_of(tests[i]), sequence["results"][i]);
      }
    }
  }
}

/// Supplies a generator's words; each can be read only once.
WordSupply once_only(Words& words) {
  WordSupply supply{.is_sequential = true};
  supply.draw = [&tiles = words.tiles(), next = std::uint64_t{0}](
                    std::uint64_t first, std::uint64_t count, std::uint32_t* to) mutable {
    EXPECT_GE(first, next);
    next = first + count;
    for (std::uint64_t done = 0; done < count; done += tiles.capacity()) {
      const std::uint64_t some = std::min(tiles.capacity(), count - done);
      Kokkos::deep_copy(Borrowed<std::uint32_t>(to + done, some),
                        Borrowed<const std::uint32_t>(tiles.read(first + done, some), some));
    }
    return no_end;
  };
  return supply;
}

TEST(Battery, NeedsEachWordOnce) {
  const YAML::Node& sequence = reference()["sequences"][0];
  for (const std::uint64_t tile : {std::uint64_t{30000}, std::uint64_t{1} << 20}) {
    Words words = words_of(sequence, tile);
    Words once(once_only(words), tile);
    std::uint64_t position = 0;
    for (std::size_t i = 0; i < reference()["tests"].size(); ++i) {
      const YAML::Node& test = reference()["tests"][i];
      SCOPED_TRACE(test["name"].as<std::string>());
      position = expect_as_testu01(once, position, test_of(test), sequence["results"][i]);
    }
  }
}

/// A replication with too few runs of ones fails with p = 0, but has no TestU01 p-value.
TEST(Battery, FailsBitsWithoutRuns) {
  const BatteryTest test{"", 0, TestKind::bit_run, 1, 1000, 0, 0, 0, 30};
  const TestClass& kind = class_of(test);
  const std::vector<std::uint64_t> none(kind.counters(test));
  for (const PValue& one : kind.judge(test, none, {})) {
    EXPECT_EQ(one.p, 0);
    EXPECT_FALSE(one.testu01);
  }
}

std::string refusal(const std::string& names) {
  return message_of([&] { tests_named(names); });
}

TEST(Battery, NamesItsTests) {
  EXPECT_EQ(tests_named("small").size(), 10U);
  EXPECT_EQ(tests_named("crush").size(), 96U);
  EXPECT_EQ(tests_named("big").size(), 106U);
  const std::vector<BatteryTest> some = tests_named(" big.20   small.3 ");
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].name(), "big.20");
  EXPECT_EQ(some[1].kind, TestKind::gap);
  EXPECT_THAT(refusal(""), testing::HasSubstr("battery.tests is empty"));
  EXPECT_THAT(refusal("small.3 small"), testing::HasSubstr("small.3 twice"));
  EXPECT_THAT(refusal("big.107"), testing::HasSubstr("no test 'big.107'"));
  EXPECT_THAT(refusal("small.11"), testing::HasSubstr("no test 'small.11'"));
  EXPECT_THAT(refusal("gap"), testing::HasSubstr("no test 'gap'"));
  EXPECT_THAT(refusal("smal"), testing::HasSubstr("Did you mean 'small'?"));
}

TEST(Battery, KnowsItsTests) {
  for (const BatteryTest& test : battery_tests()) {
    const TestClass& kind = class_of(test);
    SCOPED_TRACE(test.name());
    EXPECT_GT(kind.counters(test), 0U);
    EXPECT_LE(kind.words(test), kind.max_words(test));
    EXPECT_LE(kind.item_words(test), kind.words(test));
    EXPECT_FALSE(parameters_of(test).empty());
    EXPECT_LE(test.r + test.s, 32);
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/battery_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

std::size_t index_in(const std::vector<BatteryTest>& list, const BatteryTest& test) {
  return static_cast<std::size_t>(std::ranges::find(list, test.name(), &BatteryTest::name) -
                                  list.begin());
}

}  // namespace

Portion portion_of(const BatteryOptions& part, const std::string& path) {
  if (part.turns() == TestTurns::testu01) {
    throw Error(fmt::format("'{}' was run with battery.sequence=testu01", path),
                "each test begins where the one before it ended, so in a merged list it would have "
                "read other words",
                "Run the parts with battery.sequence=each or shared.");
  }
  if (part.is_shared()) {
    return {.unit = "word",
            .keys = {"battery.first_word", "battery.bytes"},
            .ids = {{part.first_word, part.chunks() * part.chunk_words()}},
            .bytes_per_id = sizeof(std::uint32_t)};
  }
  Portion tests{.unit = "test", .keys = {"battery.tests"}};
  for (const BatteryTest& test : part.list()) {
    tests.ids.push_back({index_in(battery_tests(), test), 1});
    tests.names.push_back(test.name());
  }
  return tests;
}

BatteryCounts expand_part(const BatteryOptions& battery, const MergeInput& part,
                          BatteryCounts counts) {
  if (battery.is_shared()) {
    const std::uint64_t chunks = BatteryLayout::chunks(counts);
    if (chunks * battery.chunk_words() == part.portion.ids.front().count) return counts;
    part.fail_damaged(
        fmt::format("it counted {} chunks, which are not its {}", chunks, part.portion.text()));
  }
  BatteryOptions options = battery;
  options.tests = fmt::format("{}", fmt::join(part.portion.names, " "));
  const std::vector<BatteryTest> tests = options.all_tests();
  const std::vector<BatteryTest> list = battery.list();
  const std::size_t each = tests.size() / battery.repeat;
  const BatteryLayout from(tests);
  const BatteryLayout to(battery.all_tests());
  BatteryCounts all = to.none();
  all.windows = counts.windows;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (from.words(counts, i) == 0) part.fail_damaged(tests[i].name() + " read no words");
    const std::size_t index = i / each * list.size() + index_in(list, tests[i]);
    to.words(all, index) = from.words(counts, i);
    std::ranges::copy(from.counters(counts, i), to.counters(all, index).begin());
    std::ranges::copy(from.reals(counts, i), to.reals(all, index).begin());
  }
  return all;
}

}  // namespace rivulet

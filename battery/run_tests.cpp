// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/run_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/correlation/batch_transforms.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr double failing = 1e-10;

std::vector<PValue> judge(const BatteryTest& test, const std::vector<Replication>& replications,
                          const Interleaving& turns) {
  std::vector<std::uint64_t> counters;
  std::vector<double> reals;
  KeptWindows windows;
  for (const Replication& replication : replications) {
    counters.insert(counters.end(), replication.counts.begin(), replication.counts.end());
    reals.insert(reals.end(), replication.reals.begin(), replication.reals.end());
    windows.insert(windows.end(), replication.windows.begin(), replication.windows.end());
  }
  return judged(test, counters, reals, {windows, turns});
}

/// Returns the tests, arranged for interleaved streams. Omits tests that need a missing transform
/// library. For a single stream, also omits tests that read streams separately.
std::vector<BatteryTest> runnable_tests(const Interleaving& turns,
                                        const std::vector<BatteryTest>& tests) {
  std::vector<BatteryTest> all;
  for (BatteryTest test : tests) {
    if (lacks_transforms(test)) continue;
    if (test.stream_order != StreamOrder::in_turn) test = arranged(test, turns, separated_words);
    if (test.stream_order == StreamOrder::in_turn || (turns.streams > 1 && test.n > 0))
      all.push_back(test);
  }
  return all;
}

/// Returns the results of the tests for which the words suffice.
std::vector<TestClass::Result> count(WordTiles& tiles, const std::vector<BatteryTest>& tests) {
  std::vector<TestClass::Result> results;
  std::uint64_t position = 0;
  try {
    for (const BatteryTest& test : tests) {
      const TestClass& kind = class_of(test);
      TestClass::Result result = kind.count_all(tiles, position, test);
      if (kind.runs_concurrently()) {
        position += test.N * usual_words_of(test);
      } else {
        for (const Replication& replication : result()) position += replication.words;
      }
      if (position > tiles.end()) break;
      results.push_back(std::move(result));
    }
  } catch (const SequenceEnded&) {  // the words ended inside a test
  }
  return results;
}

}  // namespace

double tail_of(const PValue& found) { return std::min(found.p, 1 - found.p); }

bool fails(double tail, std::size_t all) { return 2 * tail * static_cast<double>(all) < failing; }

std::string name_of(const BatteryTest& test, const PValue& found) {
  return fmt::format("{} {}{}{}", test.name(), class_of(test).name,
                     found.statistic.empty() ? "" : " ", found.statistic);
}

bool lacks_transforms(const BatteryTest& test) {
  const bool needs = test.kind == TestKind::fourier3 || test.kind == TestKind::lags;
  return needs && !have_batch_transforms;
}

void require_transforms_for(const std::vector<BatteryTest>& tests) {
  for (const BatteryTest& test : tests) {
    if (!lacks_transforms(test) || test.set == "default") continue;
    throw Error(fmt::format("battery.tests: {} in a build without FFTW", test.name()),
                "FFTW was not found, or was turned off",
                "Name other tests, or build with FFTW (docs/install.md).");
  }
}

void run_tests(WordSupply words, const std::vector<BatteryTest>& wanted, std::uint64_t tile,
               const std::function<void(const BatteryPValue&)>& report) {
  const std::vector<BatteryTest> tests = runnable_tests(words.turns, wanted);
  for (const BatteryTest& test : tests) {
    tile = std::max(tile, words_together(test, words.turns));
  }
  WordTiles tiles(Space(), std::move(words));
  tiles.allocate(tile);
  const std::vector<TestClass::Result> results = count(tiles, tests);
  std::vector<std::pair<std::string, PValue>> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (PValue& p_value : judge(tests[i], results[i](), tiles.turns())) {
      all.emplace_back(name_of(tests[i], p_value), std::move(p_value));
    }
  }
  for (const auto& [name, p_value] : all)
    report({name, p_value.value, p_value.p, fails(tail_of(p_value), all.size())});
  if (results.size() == tests.size()) return;
  throw Error(fmt::format("the words ended after {}", tiles.end()),
              fmt::format("{} needs more", tests[results.size()].name()),
              "Supply more words, or name smaller tests.");
}

std::vector<BatteryPValue> detail::run_battery(
    std::uint64_t unit, const std::function<void(std::uint64_t, std::uint32_t*)>& draw,
    const std::string& tests) {
  if (unit == 0) {
    throw Error("there are no streams to be tested", "these Streams are empty",
                "Set StreamsOptions::count to 1 or more.");
  }
  const std::vector<BatteryTest> wanted = tests_named(tests);
  require_transforms_for(wanted);
  std::vector<BatteryPValue> all;
  WordSupply words = make_word_supply(unit, draw);
  words.turns.streams = unit;
  run_tests(std::move(words), wanted, usual_words,
            [&](const BatteryPValue& p_value) { all.push_back(p_value); });
  return all;
}

}  // namespace rivulet

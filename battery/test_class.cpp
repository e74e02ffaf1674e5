// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/test_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <utility>

#include "battery/families/family.hpp"
#include "battery/words/taken_apart.hpp"

namespace rivulet {
namespace {

using detail::Test;

/// Returns the class with defaults for the functions that it omits.
TestClass complete(TestClass one) {
  if (!one.counters) {
    one.counters = [expected = one.expected](Test test) {
      return expected ? expected(test).size() : 1;
    };
  }
  if (!one.words) {
    one.words = [each = one.item_words](Test test) { return test.n * each(test); };
  }
  if (!one.most_words) one.most_words = one.words;
  if (!one.least_chunk) {
    one.least_chunk = [all = one.words](BatteryTest test) {
      test.n = 1;
      return all(test);
    };
  }
  if (!one.bytes) {
    one.bytes = [cells = one.counters](Test test) { return detail::histogram_bytes(cells(test)); };
  }
  if (!one.judge && !one.judge_windows) one.judge = detail::against(detail::chi_square);
  return one;
}

/// Starts all replications on a copy of their words. Each replication has its own thread. If no
/// thread can be started, the replication runs in the thread that calls the result.
TestClass::Result begun_aside(const TestClass& kind, WordTiles& tiles, std::uint64_t at,
                              Test test) {
  const std::uint64_t each = kind.words(test);
  const auto copy = std::make_shared<std::vector<std::uint32_t>>(test.N * each);
  copy_words(tiles, at, Borrowed<std::uint32_t, Kokkos::HostSpace>(copy->data(), copy->size()));
  const auto begun = std::make_shared<std::vector<std::future<std::vector<std::uint64_t>>>>();
  for (std::uint64_t k = 0; k < test.N; ++k) {
    begun->push_back(std::async([&kind, copy, test, first = k * each] {
      return kind.counted_aside(copy->data() + first, test);
    }));
  }
  return [begun, each] {
    std::vector<Replication> all;
    for (auto& one : *begun) all.push_back({one.get(), each});
    return all;
  };
}

Replication count_apart(const TestClass& kind, WordTiles& tiles, std::uint64_t position,
                        BatteryTest test) {
  WordTiles apart(tiles.space(), taken_apart(tiles, position, test.streams, test.length));
  apart.allocate(std::max(kind.item_words(test), std::min(usual_words, kind.words(test))));
  test.taken = Taken::in_turn;
  Replication found = kind.count(apart, 0, test);
  found.words = test.span;
  return found;
}

/// Limit on the words of all streams that a test with Taken::apart reads.
constexpr std::uint64_t most_apart = std::uint64_t{1} << 24;

}  // namespace

Replication TestClass::count(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (test.taken != Taken::in_turn) return count_apart(*this, tiles, position, test);
  if (!runs_aside()) return counted({tiles, position, test.n}, test);
  BatteryTest one = test;
  one.N = 1;
  return begun_aside(*this, tiles, position, one)().front();
}

TestClass::Result TestClass::count_all(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (runs_aside() && test.taken == Taken::in_turn) {
    return begun_aside(*this, tiles, position, test);
  }
  std::vector<Replication> all;
  for (std::uint64_t k = 0; k < test.N; ++k) {
    all.push_back(count(tiles, position, test));
    position += all.back().words;
  }
  return [all = std::move(all)] { return all; };
}

const TestClass& class_of(const BatteryTest& test) {
#define RIVULET_COMPLETE(kind) complete(detail::families::kind()),
  // An array, because hipcc's clang 15 crashes on std::map's pairs.
  static const std::array classes{RIVULET_TEST_CLASSES(RIVULET_COMPLETE)};
#undef RIVULET_COMPLETE
  return classes[static_cast<std::size_t>(test.kind)];
}

std::string parameters_of(const BatteryTest& test) {
  return fmt::format(fmt::runtime(class_of(test).parameters), fmt::arg("d", test.d),
                     fmt::arg("t", test.t), fmt::arg("s", test.s), fmt::arg("L", test.L),
                     fmt::arg("direction", test.t != 0 ? "up" : "down"));
}

std::vector<PValue> judged(const BatteryTest& test, TestClass::Counters counters,
                           TestClass::Reals reals, const Windows& windows) {
  const TestClass& kind = class_of(test);
  if (kind.judge_windows) return kind.judge_windows(test, counters, windows);
  return kind.judge(test, counters, reals);
}

BatteryTest arranged(BatteryTest test, const Interleaving& turns, std::uint64_t words) {
  constexpr std::uint64_t sampled_streams = 16;  // or the number of rows, for a class that has rows
  const TestClass& kind = class_of(test);
  const bool is_apart = test.taken != Taken::in_turn;
  test.length = words;  // per stream
  test.streams = 1;
  if (is_apart) {
    const bool all = test.taken == Taken::apart;
    const std::uint64_t some = kind.least_row ? test.n : sampled_streams;
    test.streams = all ? turns.streams : std::min(turns.streams, some);
    const std::uint64_t round = words_apart(turns, 0);
    test.length = words > round ? (words - round) / turns.streams : 0;
    if (all) test.length = std::min(test.length, most_apart / test.streams);
  }
  if (kind.least_row) {
    while (detail::wide(test.L) > test.length) test.L /= 2;
    if (is_apart) test.length = detail::wide(test.L);
    const std::uint64_t rows = is_apart ? test.streams : test.n;
    test.n = detail::wide(test.L) < kind.least_row(test) ? 0 : rows;
  }
  constexpr std::uint64_t least_apart = 16;  // words per stream
  if (is_apart && test.length < least_apart) test.n = 0;
  if (is_apart) test.span = words_apart(turns, test.length);
  return fitted(test, test.streams * test.length);
}

std::uint64_t words_together(const BatteryTest& test, const Interleaving& turns) {
  if (test.taken != Taken::in_turn) return 1;
  if (test.kind == TestKind::overlaps) return 2 * detail::reach_of_windows(turns);
  return class_of(test).item_words(test);
}
std::uint64_t usual_words_of(const BatteryTest& test) {
  return test.span != 0 ? test.span : class_of(test).words(test);
}
std::uint64_t most_words_of(const BatteryTest& test) {
  return test.span != 0 ? test.span : class_of(test).most_words(test);
}
std::uint64_t bytes_of(const BatteryTest& test) {
  const TestClass& kind = class_of(test);
  std::uint64_t words = test.span != 0 ? 2 * test.streams * test.length : 0;
  if (kind.runs_aside()) words += (test.pooled ? 1 : test.N) * kind.words(test);
  return kind.bytes(test) + words * sizeof(std::uint32_t);
}

BatteryTest fitted(BatteryTest test, std::uint64_t words) {
  const TestClass& kind = class_of(test);
  const auto usual = static_cast<double>(kind.words(test));
  const bool varies = kind.most_words(test) != kind.words(test);
  const double room = static_cast<double>(words) * (varies ? 0.9 : 1.0);
  if (usual > room) {
    test.n = static_cast<std::uint64_t>(static_cast<double>(test.n) * (room / usual));
  }
  return test;
}

}  // namespace rivulet

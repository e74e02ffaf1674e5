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
#include "battery/words/separated_streams.hpp"

namespace rivulet {
namespace {

using detail::Test;

/// Returns the class with defaults for the functions that it omits.
TestClass complete(TestClass test_class) {
  if (!test_class.counters) {
    test_class.counters = [expected = test_class.expected](Test test) {
      return expected ? expected(test).size() : 1;
    };
  }
  if (!test_class.words) {
    test_class.words = [each = test_class.item_words](Test test) { return test.n * each(test); };
  }
  if (!test_class.max_words) test_class.max_words = test_class.words;
  if (!test_class.min_chunk_words) {
    test_class.min_chunk_words = [all = test_class.words](BatteryTest test) {
      test.n = 1;
      return all(test);
    };
  }
  if (!test_class.bytes) {
    test_class.bytes = [cells = test_class.counters](Test test) {
      return detail::histogram_bytes(cells(test));
    };
  }
  if (!test_class.judge && !test_class.judge_windows)
    test_class.judge = detail::chi_squares_of_expected(detail::chi_square);
  return test_class;
}

/// Starts all replications on a copy of their words. Each replication runs in its own thread or, if
/// no thread can be started, in the thread that calls the returned function.
TestClass::Result start_concurrently(const TestClass& kind, WordTiles& tiles, std::uint64_t at,
                                     Test test) {
  const std::uint64_t each = kind.words(test);
  const auto copy = std::make_shared<std::vector<std::uint32_t>>(test.N * each);
  copy_words(tiles, at, Borrowed<std::uint32_t, Kokkos::HostSpace>(copy->data(), copy->size()));
  const auto pending = std::make_shared<std::vector<std::future<std::vector<std::uint64_t>>>>();
  for (std::uint64_t k = 0; k < test.N; ++k) {
    pending->push_back(std::async([&kind, copy, test, first = k * each] {
      return kind.counted_on_host(copy->data() + first, test);
    }));
  }
  return [pending, each] {
    std::vector<Replication> all;
    for (auto& replication : *pending) all.push_back({replication.get(), each});
    return all;
  };
}

Replication count_separated(const TestClass& kind, WordTiles& tiles, std::uint64_t position,
                            BatteryTest test) {
  WordTiles separated(tiles.space(), separated_streams(tiles, position, test.streams, test.length));
  separated.allocate(std::max(kind.item_words(test), std::min(usual_words, kind.words(test))));
  test.stream_order = StreamOrder::in_turn;
  Replication found = kind.count(separated, 0, test);
  found.words = test.span;
  return found;
}

/// Maximum number of words, over all streams, that a test with StreamOrder::all_streams reads.
constexpr std::uint64_t max_separated_words = std::uint64_t{1} << 24;

}  // namespace

Replication TestClass::count(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (test.stream_order != StreamOrder::in_turn)
    return count_separated(*this, tiles, position, test);
  if (!runs_concurrently()) return counted({tiles, position, test.n}, test);
  BatteryTest single = test;
  single.N = 1;
  return start_concurrently(*this, tiles, position, single)().front();
}

TestClass::Result TestClass::count_all(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (runs_concurrently() && test.stream_order == StreamOrder::in_turn) {
    return start_concurrently(*this, tiles, position, test);
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
  // This is an array, because hipcc's clang 15 crashes on std::map's pairs.
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
  const bool is_separated = test.stream_order != StreamOrder::in_turn;
  test.length = words;  // per stream
  test.streams = 1;
  if (is_separated) {
    const bool all = test.stream_order == StreamOrder::all_streams;
    const std::uint64_t some = kind.min_row_words ? test.n : sampled_streams;
    test.streams = all ? turns.streams : std::min(turns.streams, some);
    const std::uint64_t round = separation_words(turns, 0);
    test.length = words > round ? (words - round) / turns.streams : 0;
    if (all) test.length = std::min(test.length, max_separated_words / test.streams);
  }
  if (kind.min_row_words) {
    while (detail::to_u64(test.L) > test.length) test.L /= 2;
    if (is_separated) test.length = detail::to_u64(test.L);
    const std::uint64_t rows = is_separated ? test.streams : test.n;
    test.n = detail::to_u64(test.L) < kind.min_row_words(test) ? 0 : rows;
  }
  constexpr std::uint64_t min_stream_words = 16;  // shorter streams are not tested
  if (is_separated && test.length < min_stream_words) test.n = 0;
  if (is_separated) test.span = separation_words(turns, test.length);
  return fitted(test, test.streams * test.length);
}

std::uint64_t words_together(const BatteryTest& test, const Interleaving& turns) {
  if (test.stream_order != StreamOrder::in_turn) return 1;
  if (test.kind == TestKind::overlaps) return 2 * detail::reach_of_windows(turns);
  return class_of(test).item_words(test);
}
std::uint64_t usual_words_of(const BatteryTest& test) {
  return test.span != 0 ? test.span : class_of(test).words(test);
}
std::uint64_t max_words_of(const BatteryTest& test) {
  return test.span != 0 ? test.span : class_of(test).max_words(test);
}
std::uint64_t bytes_of(const BatteryTest& test) {
  const TestClass& kind = class_of(test);
  std::uint64_t words = test.span != 0 ? 2 * test.streams * test.length : 0;
  if (kind.runs_concurrently()) words += (test.pooled ? 1 : test.N) * kind.words(test);
  return kind.bytes(test) + words * sizeof(std::uint32_t);
}

BatteryTest fitted(BatteryTest test, std::uint64_t words) {
  const TestClass& kind = class_of(test);
  const auto usual = static_cast<double>(kind.words(test));
  const bool varies = kind.max_words(test) != kind.words(test);
  const double room = static_cast<double>(words) * (varies ? 0.9 : 1.0);
  if (usual > room) {
    test.n = static_cast<std::uint64_t>(static_cast<double>(test.n) * (room / usual));
  }
  return test;
}

}  // namespace rivulet

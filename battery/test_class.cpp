// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/test_class.hpp"

#include <fmt/format.h>

#include <array>
#include <future>
#include <memory>
#include <utility>

#include "battery/families/family.hpp"

namespace rivulet {
namespace {

using detail::Test;

/// Sets what is left out.
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
  if (!one.judge) one.judge = detail::against(detail::chi_square);
  return one;
}

/// Each replication has a copy of the words and a thread, or the caller's if none can be started.
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

}  // namespace

Replication TestClass::count(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (!runs_aside()) return counted({tiles, position, test.n}, test);
  BatteryTest one = test;
  one.N = 1;
  return begun_aside(*this, tiles, position, one)().front();
}

TestClass::Result TestClass::count_all(WordTiles& tiles, std::uint64_t position, Test test) const {
  if (runs_aside()) return begun_aside(*this, tiles, position, test);
  std::vector<Replication> all;
  for (std::uint64_t k = 0; k < test.N; ++k) {
    all.push_back(count(tiles, position, test));
    position += all.back().words;
  }
  return [all = std::move(all)] { return all; };
}

const TestClass& class_of(const BatteryTest& test) {
#define RIVULET_COMPLETE(kind) complete(detail::families::kind()),
  // No std::map: hipcc's clang 15 crashes on its pairs.
  static const std::array classes{RIVULET_TEST_CLASSES(RIVULET_COMPLETE)};
#undef RIVULET_COMPLETE
  return classes[static_cast<std::size_t>(test.kind)];
}

std::string parameters_of(const BatteryTest& test) {
  return fmt::format(fmt::runtime(class_of(test).parameters), fmt::arg("d", test.d),
                     fmt::arg("t", test.t), fmt::arg("s", test.s), fmt::arg("L", test.L),
                     fmt::arg("direction", test.t != 0 ? "up" : "down"));
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

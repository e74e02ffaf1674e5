// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/test_class.hpp"

#include <utility>

#include "battery/classes.hpp"
#include "kernels/battery/histogram.hpp"

namespace rivulet {

std::uint64_t TestClass::bytes(const BatteryTest& test) const {
  return detail::Histogram::bytes(Space(), counters(test));
}

TestClass::Result TestClass::count_all(WordTiles& tiles, std::uint64_t position,
                                       const BatteryTest& test) const {
  std::vector<Replication> all;
  for (std::uint64_t k = 0; k < test.N; ++k) {
    all.push_back(count(tiles, position, test));
    position += all.back().words;
  }
  return [all = std::move(all)] { return all; };
}

const TestClass& class_of(TestKind kind) {
  static const ClassTable classes = [] {
    ClassTable all;
    add_point_classes(all);
    add_number_classes(all);
    add_sample_classes(all);
    add_bit_classes(all);
    add_string_classes(all);
    add_structure_classes(all);
    add_host_classes(all);
    add_weight_classes(all);
    return all;
  }();
  return *classes.at(kind);
}

BatteryTest fitted(BatteryTest test, std::uint64_t words) {
  const TestClass& kind = class_of(test.kind);
  const auto usual = static_cast<double>(kind.words(test));
  const bool varies = kind.most_words(test) != kind.words(test);
  const double room = static_cast<double>(words) * (varies ? 0.9 : 1.0);
  if (usual > room) {
    test.n = static_cast<std::uint64_t>(static_cast<double>(test.n) * (room / usual));
  }
  return test;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <numeric>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "kernels/battery/sorted_keys.hpp"

namespace rivulet {
namespace {

PointShape points_of(const BatteryTest& test) {
  return {test.n, test.r, static_cast<std::uint32_t>(test.d), test.t};
}

double cells_of(const BatteryTest& test) {
  return std::pow(static_cast<double>(test.d), static_cast<double>(test.t));
}

/// Points in cells, sorted: one count, of a Poisson law of this mean.
class PointClass : public TestClass {
 public:
  std::string parameters(const BatteryTest& test) const final {
    return fmt::format("d = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest&) const final { return 1; }
  std::uint64_t words(const BatteryTest& test) const final { return points_of(test).words(); }
  std::uint64_t item_words(const BatteryTest& test) const final { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const final {
    return detail::SortedKeys::bytes(test.n);
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const final {
    const std::uint64_t sum = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    const double all = static_cast<double>(test.N) * mean(test);
    return {{"", static_cast<double>(sum), detail::poisson_p(all, sum)}};
  }

 protected:
  virtual double mean(const BatteryTest& test) const = 0;
};

class BirthdaySpacings final : public PointClass {
  std::string_view name() const override { return "BirthdaySpacings"; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {{{count_equal_spacings(tiles, at, points_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::birthday_mean(static_cast<double>(test.n), cells_of(test));
  }
};

class Collision final : public PointClass {
  std::string_view name() const override { return "Collision"; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {{{count_collisions(tiles, at, points_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::collision_mean(static_cast<double>(test.n), cells_of(test));
  }
};

}  // namespace

void add_point_classes(ClassTable& classes) {
  static const BirthdaySpacings birthday_spacings;
  static const Collision collision;
  classes[TestKind::birthday_spacings] = &birthday_spacings;
  classes[TestKind::collision] = &collision;
}

}  // namespace rivulet

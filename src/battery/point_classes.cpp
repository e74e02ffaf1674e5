// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <numeric>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "kernels/battery/histogram.hpp"
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
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("d = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest&) const final { return 1; }
  std::uint64_t words(const BatteryTest& test) const override { return points_of(test).words(); }
  std::uint64_t item_words(const BatteryTest& test) const final { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const final {
    return detail::SortedKeys::bytes(test.n);
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const final {
    const std::uint64_t sum = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    const double all = static_cast<double>(test.N) * mean(test);
    return {{"", static_cast<double>(sum), detail::poisson_p(all, sum)}};
  }
  bool pools() const final { return true; }

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

class CollisionOver final : public PointClass {
  std::string_view name() const override { return "CollisionOver"; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {{{count_overlapping_collisions(tiles, at, points_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::collision_over_mean(static_cast<double>(test.n), cells_of(test), test.t);
  }
};

/// t!
std::uint64_t orders_of(const BatteryTest& test) {
  std::uint64_t orders = 1;
  for (std::uint64_t i = 2; i <= wide(test.t); ++i) orders *= i;
  return orders;
}

class CollisionPermut final : public PointClass {
  std::string_view name() const override { return "CollisionPermut"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("t = {}", test.t);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {
        {{count_equal_orders(tiles, at, test.n, test.r, test.t, orders_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::collision_mean(static_cast<double>(test.n),
                                  static_cast<double>(orders_of(test)));
  }
};

class Permutation final : public TestClass {
  std::string_view name() const override { return "Permutation"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("t = {}", test.t);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const override {
    return detail::Histogram::bytes(Space(), orders_of(test));
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_orders(tiles, at, test.n, test.r, test.t, orders_of(test))};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters, [&](Counters squares) {
      return detail::multinomial(test.n, orders_of(test), squares[0]);
    })};
  }
};

class SerialOver final : public TestClass {
  std::string_view name() const override { return "SerialOver"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("d = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 2; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const override {
    return detail::Histogram::bytes(Space(), points_of(test).cells());
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_serial(tiles, at, points_of(test))};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const std::uint64_t cells = points_of(test).cells();
    return {summed(test, counters, [&](Counters squares) {
      return detail::serial_over(test.n, cells, squares[0], cells / test.d, squares[1]);
    })};
  }
};

}  // namespace

void add_point_classes(ClassTable& classes) {
  static const BirthdaySpacings birthday_spacings;
  static const Collision collision;
  static const CollisionOver collision_over;
  static const CollisionPermut collision_permut;
  static const Permutation permutation;
  static const SerialOver serial_over;
  classes[TestKind::birthday_spacings] = &birthday_spacings;
  classes[TestKind::collision] = &collision;
  classes[TestKind::collision_over] = &collision_over;
  classes[TestKind::collision_permut] = &collision_permut;
  classes[TestKind::permutation] = &permutation;
  classes[TestKind::serial_over] = &serial_over;
}

}  // namespace rivulet

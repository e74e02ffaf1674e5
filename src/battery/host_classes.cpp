// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <future>
#include <memory>
#include <utility>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "battery/weight_laws.hpp"

// Sequential tests (TestU01's scomp): each replication on a thread of the host, beside other tests.

namespace rivulet {
namespace {

class HostClass : public TestClass {
 public:
  std::uint64_t item_words(const BatteryTest&) const final { return 1; }
  bool runs_aside() const final { return true; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const final {
    BatteryTest one = test;
    one.N = 1;
    return count_all(tiles, at, one)().front();
  }
  Result count_all(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const final {
    const std::uint64_t each = words(test);
    const auto copy =
        std::make_shared<const std::vector<std::uint32_t>>(words_on_host(tiles, at, test.N * each));
    const auto begun = std::make_shared<std::vector<std::future<std::vector<std::uint64_t>>>>();
    for (std::uint64_t k = 0; k < test.N; ++k) {
      begun->push_back(std::async(std::launch::async, [this, copy, test, first = k * each] {
        return counted(copy->data() + first, test);
      }));
    }
    return [begun, each] {
      std::vector<Replication> all;
      for (auto& one : *begun) all.push_back({{one.get(), each}});
      return all;
    };
  }

 protected:
  virtual std::vector<std::uint64_t> counted(const std::uint32_t* words,
                                             const BatteryTest& test) const = 0;
};

class LinearComp final : public HostClass {
  std::string_view name() const override { return "LinearComp"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}", test.s);
  }
  std::uint64_t counters(const BatteryTest& test) const override {
    return detail::jump_size_expected(0, bits(test)).size();
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n / wide(test.s); }
  std::vector<std::uint64_t> counted(const std::uint32_t* words,
                                     const BatteryTest& test) const override {
    return count_complexity_jumps(words, bits(test), test.r, test.s, counters(test) - 1);
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    std::vector<PValue> found =
        normals(test, counters, [&](Counters one) { return detail::jumps_z(one[0], bits(test)); });
    found[0].statistic = "jumps";
    found.push_back(summed(
        test, counters,
        [&](Counters one) {
          const std::vector<double> expected = detail::jump_size_expected(one[0], bits(test));
          return detail::chi_square_unmerged(expected, one);
        },
        "sizes"));
    return found;
  }

  static std::uint64_t bits(const BatteryTest& test) {
    return test.n / wide(test.s) * wide(test.s);
  }
};

/// The linear complexities of n sequences of L bits.
class Complexities final : public HostClass {
  static constexpr int reach = 16;  ///< 2^-32 are beyond

  std::string_view name() const override { return "Complexities"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("L = {}", test.L);
  }
  std::uint64_t counters(const BatteryTest&) const override { return wide(2 * reach) + 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.L); }
  std::vector<std::uint64_t> counted(const std::uint32_t* words,
                                     const BatteryTest& test) const override {
    return count_complexities(words, test.n, wide(test.L), test.r, reach);
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, detail::complexity_expected(test.items(), wide(test.L), reach));
  }
  bool pools() const override { return true; }
};

class LempelZiv final : public HostClass {
  std::string_view name() const override { return "LempelZiv"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("k = {}, s = {}", test.t, test.s);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    return ((std::uint64_t{1} << test.t) + wide(test.s) - 1) / wide(test.s);
  }
  std::vector<std::uint64_t> counted(const std::uint32_t* words,
                                     const BatteryTest& test) const override {
    return {count_parsed_words(words, std::uint64_t{1} << test.t, test.r, test.s)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return normals(test, counters,
                   [&](Counters words) { return detail::lempel_ziv_z(test.t, words[0]); });
  }
};

}  // namespace

void add_host_classes(ClassTable& classes) {
  static const LinearComp linear_comp;
  static const Complexities complexities;
  static const LempelZiv lempel_ziv;
  classes[TestKind::linear_comp] = &linear_comp;
  classes[TestKind::complexities] = &complexities;
  classes[TestKind::lempel_ziv] = &lempel_ziv;
}

}  // namespace rivulet

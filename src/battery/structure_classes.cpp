// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "kernels/battery/sorted_keys.hpp"

// Near points, and what has a spectrum (TestU01's snpair, sspectral).

namespace rivulet {
namespace {

std::uint64_t bytes_of_points(const BatteryTest& test) {
  return test.n * wide(test.t) * sizeof(std::uint32_t) + detail::SortedKeys::bytes(test.n);
}

/// Counters are the number of pairs that are near, and their distances, the first 128.
class ClosePairs final : public TestClass {
  static constexpr int least = 30;  ///< TestU01's m
  static constexpr std::uint64_t kept = 128;

  std::string_view name() const override { return "ClosePairs"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("t = {}, p = 0, m = {}", test.t, least);
  }
  std::uint64_t counters(const BatteryTest&) const override { return kept + 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const override { return bytes_of_points(test); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    const double reach = reach_of(test);
    TestCounts found = count_close_pairs(tiles, at, test.n, test.r, test.t, least, reach);
    std::size_t near = 0;
    while (near < found.counts.size() &&
           (near < wide(least) || distance(found.counts[near]) <= reach)) {
      ++near;
    }
    found.counts.resize(kept);
    found.counts.insert(found.counts.begin(), near);
    return {std::move(found)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    std::vector<std::vector<double>> distances;
    for (std::size_t k = 0; k < test.N; ++k) {
      const Counters one = counters.subspan(k * (kept + 1), kept + 1);
      std::vector<double> own;
      for (std::size_t i = 0; i < std::min(one[0], kept); ++i) own.push_back(distance(one[i + 1]));
      distances.push_back(std::move(own));
    }
    const detail::ClosePairs law =
        detail::close_pairs(static_cast<double>(test.n), test.t, least, distances);
    std::vector<PValue> found{{"NP", law.np.statistic, law.np.p},
                              {"mNP", law.mnp.statistic, law.mnp.p},
                              {"mNP1", law.mnp1.statistic, law.mnp1.p},
                              {"mNP2", law.mnp2.statistic, law.mnp2.p},
                              {"NJumps", static_cast<double>(law.jumps), law.jumps_p}};
    // As in TestU01's batteries.
    if (test.t > 2) found.push_back({"mNP2S", law.mnp2s.statistic, law.mnp2s.p});
    return found;
  }

  static double reach_of(const BatteryTest& test) {
    return detail::close_pairs_reach(static_cast<double>(test.n), test.t, least);
  }
  static double distance(std::uint64_t counted) {
    return std::ldexp(static_cast<double>(counted), -32);
  }
};

class BitMatch final : public TestClass {
  std::string_view name() const override { return "ClosePairsBitMatch"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("t = {}", test.t);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const override { return bytes_of_points(test); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_agreed_bits(tiles, at, test.n, test.r, test.t)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const auto longest = static_cast<int>(*std::ranges::max_element(counters));
    const detail::TwoLaws law = detail::bit_match(static_cast<double>(test.N),
                                                  static_cast<double>(test.n), test.t, longest);
    return {{"", static_cast<double>(longest), law.p, law.testu01}};
  }
};

/// Of one replication; TestU01's are the transforms. The counter is the number of ones.
class Fourier3 final : public TestClass {
  std::string_view name() const override { return "Fourier3"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("k = {}, s = {}", test.t, test.s);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t reals(const BatteryTest& test) const override { return size(test) / 4; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return size(test) / wide(test.s) + 1;
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    SpectrumCounts found = count_spectra(tiles, at, test.n, test.r, test.s, test.t);
    return {std::move(found), std::move(found.sums)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters, Reals reals) const override {
    const detail::Fourier law = detail::fourier(test.n, size(test), reals);
    return {{"AD", law.gamma.statistic, law.gamma.p, law.testu01.p}};
  }

  static std::uint64_t size(const BatteryTest& test) { return std::uint64_t{1} << test.t; }
};

}  // namespace

void add_structure_classes(ClassTable& classes) {
  static const ClosePairs close_pairs;
  static const BitMatch bit_match;
  static const Fourier3 fourier3;
  classes[TestKind::close_pairs] = &close_pairs;
  classes[TestKind::bit_match] = &bit_match;
  classes[TestKind::fourier3] = &fourier3;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "battery/classes.hpp"
#include "battery/laws.hpp"

namespace rivulet {
namespace {

class MatrixRank final : public TestClass {
  std::string_view name() const override { return "MatrixRank"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}, L = {}, k = {}", test.s, test.L, test.L);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return wide(test.L) + 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    return test.n * wide(test.L) * words_of_blocks(test);
  }
  /// Small matrices are items; large ones are put together of rows.
  std::uint64_t item_words(const BatteryTest& test) const override {
    const bool is_large = rank_bytes(test.n, test.L, test.L) > 0;
    return (is_large ? 1 : wide(test.L)) * words_of_blocks(test);
  }
  std::uint64_t bytes(const BatteryTest& test) const override {
    return TestClass::bytes(test) + rank_bytes(test.n, test.L, test.L);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_ranks(tiles, at, test.n, test.r, test.s, test.L, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, detail::matrix_rank_expected(test.items(), test.L, test.L));
  }
  bool pools() const override { return true; }
};

class HammingIndep final : public TestClass {
  std::string_view name() const override { return "HammingIndep"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override {
    return wide(test.L + 1) * wide(test.L + 1);
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return 2 * words_of_blocks(test);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_weight_pairs(tiles, at, test.n, test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters,
                   [&](Counters one) { return detail::hamming_indep(test.items(), test.L, one); })};
  }
  bool pools() const override { return true; }
};

class RandomWalk1 final : public TestClass {
  std::string_view name() const override { return "RandomWalk1"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override { return 5 * wide(test.L + 1); }
  std::uint64_t words(const BatteryTest& test) const override {
    return test.n * words_of_blocks(test);
  }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return walk_words(test.s, test.L);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_walks(tiles, at, test.n, test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const detail::WalkExpected expected = detail::random_walk_expected(test.items(), test.L);
    std::vector<PValue> found;
    const std::size_t cells = wide(test.L + 1);
    const auto add = [&](const char* statistic, const std::vector<double>& one) {
      const std::size_t first = found.size() * cells;
      found.push_back(summed(
          test, counters,
          [&](Counters all) { return detail::chi_square(one, all.subspan(first, one.size())); },
          statistic));
    };
    add("H", expected.h);
    add("M", expected.m);
    add("J", expected.j);
    add("R", expected.r);
    add("C", expected.c);
    return found;
  }
  bool pools() const override { return true; }
};

}  // namespace

void add_bit_classes(ClassTable& classes) {
  static const MatrixRank matrix_rank;
  static const HammingIndep hamming_indep;
  static const RandomWalk1 random_walk;
  classes[TestKind::matrix_rank] = &matrix_rank;
  classes[TestKind::hamming_indep] = &hamming_indep;
  classes[TestKind::random_walk] = &random_walk;
}

}  // namespace rivulet

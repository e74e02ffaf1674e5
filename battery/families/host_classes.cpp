// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/classes.hpp"
#include "battery/laws/laws.hpp"
#include "battery/laws/weight_laws.hpp"

// Sequential tests (TestU01's scomp), on threads of the host beside other tests.

namespace rivulet {
namespace {

constexpr int complexity_reach = 16;  ///< 2^-32 are beyond

std::uint64_t whole_bits(Test test) { return test.n / wide(test.s) * wide(test.s); }

std::uint64_t jump_classes(Test test) {
  return detail::jump_size_expected(0, whole_bits(test)).size();
}

std::vector<PValue> judge_jumps(Test test, Counters counters, Reals) {
  const std::uint64_t bits = whole_bits(test);
  std::vector<double> z;
  for (const Counters one : rows_of(test, counters)) z.push_back(detail::jumps_z(one[0], bits));
  PValue jumps = normal(z);
  jumps.statistic = "jumps";
  const auto sizes = [&](Counters one) {
    return detail::chi_square_unmerged(detail::jump_size_expected(one[0], bits), one);
  };
  return {jumps, summed(test, counters, sizes, "sizes")};
}

}  // namespace

void add_host_classes(ClassTable& classes) {
  TestClass& jumps = classes[TestKind::linear_comp];
  jumps.name = "LinearComp";
  jumps.parameters = of_s;
  jumps.counters = jump_classes;
  jumps.words = [](Test test) { return test.n / wide(test.s); };
  jumps.counted_aside = [](const std::uint32_t* words, Test test) {
    return count_complexity_jumps(words, whole_bits(test), test.r, test.s, jump_classes(test) - 1);
  };
  jumps.judge = judge_jumps;

  // The linear complexities of n sequences of L bits.
  TestClass& complexities = classes[TestKind::complexities];
  complexities.name = "Complexities";
  complexities.parameters = [](Test test) { return fmt::format("L = {}", test.L); };
  complexities.counters = [](Test) { return wide(2 * complexity_reach) + 1; };
  complexities.words = [](Test test) { return test.n * wide(test.L); };
  complexities.counted_aside = [](const std::uint32_t* words, Test test) {
    return count_complexities(words, test.n, wide(test.L), test.r, complexity_reach);
  };
  complexities.judge = against([](Test test) {
    return detail::complexity_expected(test.items(), wide(test.L), complexity_reach);
  });
  complexities.pools = true;
  // Expected numbers are whole for n = 2^k; of fewer all can be met exactly, which is p = 1.
  complexities.least_items = [](Test) { return std::uint64_t{4096}; };

  TestClass& parse = classes[TestKind::lempel_ziv];
  parse.name = "LempelZiv";
  parse.parameters = [](Test test) { return fmt::format("k = {}, s = {}", test.t, test.s); };
  parse.words = [](Test test) {
    return ((std::uint64_t{1} << test.t) + wide(test.s) - 1) / wide(test.s);
  };
  parse.counted_aside = [](const std::uint32_t* words, Test test) {
    return std::vector{count_parsed_words(words, std::uint64_t{1} << test.t, test.r, test.s)};
  };
  parse.judge =
      normals([](Test test, Counters words) { return detail::lempel_ziv_z(test.t, words[0]); });
}

}  // namespace rivulet

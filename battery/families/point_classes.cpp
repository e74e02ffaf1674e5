// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "battery/families/classes.hpp"
#include "battery/laws/laws.hpp"

// Points in cells, their orders, and near points (TestU01's smultin, smarsa, snpair).

namespace rivulet {
namespace {

double real_cells(Test test) { return std::pow(real(test.d), static_cast<double>(test.t)); }

/// t!
std::uint64_t orders_of(Test test) {
  std::uint64_t orders = 1;
  for (std::uint64_t i = 2; i <= wide(test.t); ++i) orders *= i;
  return orders;
}

/// A class of one count, of a Poisson law of this mean.
template <class Mean>
TestClass sorted_points(std::string_view name, Mean mean) {
  TestClass one;
  one.name = name;
  one.parameters = of_d_and_t;
  one.item_words = words_of_group;
  one.bytes = bytes_of_keys;
  one.judge = [mean](Test test, Counters counters, Reals) {
    const std::uint64_t sum = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    const double all = real(test.N) * mean(test);
    return std::vector<PValue>{{"", real(sum), detail::poisson_p(all, sum)}};
  };
  one.pools = true;
  return one;
}

/// By the sum of all rows, and by the law of each.
std::vector<PValue> judge_word_parts(Test test, Counters counters, Reals) {
  const auto chi = [&](Counters squares) {
    return detail::multinomial(test.n * wide(32 / test.L), std::uint64_t{1} << test.L, squares[0]);
  };
  std::vector<double> p;
  for (const Counters row : rows_of(test, counters)) p.push_back(chi(row).p());
  return {summed(test, counters, chi, "Chi"),
          {"AD", detail::anderson_darling(p).statistic, detail::second_level_p(p)}};
}

constexpr int least_pairs = 30;  ///< TestU01's m
constexpr std::uint64_t kept_pairs = 128;

double pair_reach(Test test) {
  return detail::close_pairs_reach(real(test.n), test.t, least_pairs);
}
double distance_of(std::uint64_t counted) { return std::ldexp(real(counted), -32); }

/// Counters are the number of pairs that are near, and their distances, the first 128.
TestCounts count_pairs(const Sample& of, Test test) {
  const double reach = pair_reach(test);
  TestCounts found = count_close_pairs(of, test.t, least_pairs, reach);
  std::size_t near = 0;
  while (near < found.counts.size() &&
         (near < wide(least_pairs) || distance_of(found.counts[near]) <= reach)) {
    ++near;
  }
  found.counts.resize(kept_pairs);
  found.counts.insert(found.counts.begin(), near);
  return found;
}

std::vector<PValue> judge_pairs(Test test, Counters counters, Reals) {
  std::vector<std::vector<double>> distances;
  for (const Counters one : rows_of(test, counters)) {
    std::vector<double> own;
    for (std::size_t i = 0; i < std::min(one[0], kept_pairs); ++i)
      own.push_back(distance_of(one[i + 1]));
    distances.push_back(std::move(own));
  }
  const detail::ClosePairs law = detail::close_pairs(real(test.n), test.t, least_pairs, distances);
  std::vector<PValue> found{{"NP", law.np.statistic, law.np.p},
                            {"mNP", law.mnp.statistic, law.mnp.p},
                            {"mNP1", law.mnp1.statistic, law.mnp1.p},
                            {"mNP2", law.mnp2.statistic, law.mnp2.p},
                            {"NJumps", real(law.jumps), law.jumps_p}};
  // As in TestU01's batteries.
  if (test.t > 2) found.push_back({"mNP2S", law.mnp2s.statistic, law.mnp2s.p});
  return found;
}

std::vector<PValue> judge_agreed_bits(Test test, Counters counters, Reals) {
  const auto longest = static_cast<int>(*std::ranges::max_element(counters));
  const detail::TwoLaws law = detail::bit_match(real(test.N), real(test.n), test.t, longest);
  return {{"", static_cast<double>(longest), law.p, law.testu01}};
}

}  // namespace

void add_point_classes(ClassTable& classes) {
  TestClass& birthdays = classes[TestKind::birthday_spacings];
  birthdays = sorted_points("BirthdaySpacings", [](Test test) {
    const double n = real(test.n), cells = real_cells(test);
    // Pooled rows resolve n (n - 1)^2 / (4 cells) equal spacings, less n^5 / (18 cells^2) triples.
    const double exact = test.pooled ? (1 - 1 / n) * (1 - 1 / n) - 2. / 9 * n * n / cells : 1;
    return exact * detail::birthday_mean(n, cells);
  });
  birthdays.counted = [](const Sample& of, Test test) {
    return count_equal_spacings(of, d_of(test), test.t);
  };

  TestClass& collisions = classes[TestKind::collision];
  collisions = sorted_points("Collision", [](Test test) {
    return detail::collision_mean(real(test.n), real_cells(test));
  });
  collisions.counted = [](const Sample& of, Test test) {
    return count_collisions(of, d_of(test), test.t);
  };

  TestClass& overlapping = classes[TestKind::collision_over];
  overlapping = sorted_points("CollisionOver", [](Test test) {
    return detail::collision_over_mean(real(test.n), real_cells(test), test.t);
  });
  overlapping.words = every_word;
  overlapping.counted = [](const Sample& of, Test test) {
    return count_overlapping_collisions(of, d_of(test), test.t);
  };

  TestClass& equal_orders = classes[TestKind::collision_permut];
  equal_orders = sorted_points("CollisionPermut", [](Test test) {
    return detail::collision_mean(real(test.n), real(orders_of(test)));
  });
  equal_orders.parameters = of_t;
  equal_orders.counted = [](const Sample& of, Test test) {
    return count_equal_orders(of, test.t, orders_of(test));
  };

  TestClass& orders = classes[TestKind::permutation];
  orders.name = "Permutation";
  orders.parameters = of_t;
  orders.item_words = words_of_group;
  orders.bytes = [](Test test) { return histogram_bytes(orders_of(test)); };
  orders.counted = [](const Sample& of, Test test) {
    return count_orders(of, test.t, orders_of(test));
  };
  orders.judge = chi_squares([](Test test, Counters squares) {
    return detail::multinomial(test.n, orders_of(test), squares[0]);
  });

  TestClass& serial = classes[TestKind::serial_over];
  serial.name = "SerialOver";
  serial.parameters = of_d_and_t;
  serial.counters = [](Test) { return std::uint64_t{2}; };
  serial.item_words = words_of_group;
  serial.words = every_word;
  serial.bytes = [](Test test) { return histogram_bytes(cells_of(d_of(test), test.t)); };
  serial.counted = [](const Sample& of, Test test) { return count_serial(of, d_of(test), test.t); };
  serial.judge = chi_squares([](Test test, Counters squares) {
    const std::uint64_t cells = cells_of(d_of(test), test.t);
    return detail::serial_over(test.n, cells, squares[0], cells / test.d, squares[1]);
  });

  TestClass& rests = classes[TestKind::mod3] = serial;
  rests.name = "Mod3";
  rests.parameters = of_t;
  rests.counted = [](const Sample& of, Test test) { return count_serial_rests(of, test.t); };

  // Of words in parts of L bits.
  TestClass& parts = classes[TestKind::word_parts];
  parts.name = "WordParts";
  parts.parameters = [](Test test) { return fmt::format("L = {}", test.L); };
  parts.bytes = [](Test test) { return histogram_bytes(std::uint64_t{1} << test.L); };
  parts.counted = [](const Sample& of, Test test) { return count_word_parts(of, test.L); };
  parts.judge = judge_word_parts;

  TestClass& pairs = classes[TestKind::close_pairs];
  pairs.name = "ClosePairs";
  pairs.parameters = [](Test test) {
    return fmt::format("t = {}, p = 0, m = {}", test.t, least_pairs);
  };
  pairs.counters = [](Test) { return kept_pairs + 1; };
  pairs.item_words = words_of_group;
  pairs.bytes = [](Test test) {
    return test.n * wide(test.t) * sizeof(std::uint32_t) + bytes_of_keys(test);
  };
  pairs.counted = count_pairs;
  pairs.judge = judge_pairs;

  TestClass& agreed = classes[TestKind::bit_match];
  agreed.name = "ClosePairsBitMatch";
  agreed.parameters = of_t;
  agreed.item_words = words_of_group;
  agreed.bytes = bytes_of_keys;
  agreed.counted = [](const Sample& of, Test test) { return count_agreed_bits(of, test.t); };
  agreed.judge = judge_agreed_bits;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "battery/counting/items.hpp"
#include "battery/laws/distributions.hpp"
#include "battery/test_class.hpp"

// Tools of the families. A family's file has the classes of some tests: their items, kernels and
// laws. Counts equal TestU01's on the same words (L'Ecuyer & Simard, ACM Trans. Math. Softw. 33
// (2007) 22; TestU01's guide names the tests and their parameters). Chi-square statistics and
// degrees of freedom of replications add up, and so do Poisson counts and means. Normal statistics
// have normal_sum_p(), p-values second_level_p().

namespace rivulet::detail {

namespace families {
#define RIVULET_DECLARE(kind) TestClass kind();
RIVULET_TEST_CLASSES(RIVULET_DECLARE)
#undef RIVULET_DECLARE
}  // namespace families

using Test = TestClass::Test;
using Counters = TestClass::Counters;
using Reals = TestClass::Reals;

inline double real(std::uint64_t value) { return static_cast<double>(value); }

inline std::vector<Counters> rows_of(Test test, Counters counters) {
  std::vector<Counters> rows;
  const std::size_t each = counters.size() / test.rows();
  for (std::size_t k = 0; k < test.rows(); ++k) rows.push_back(counters.subspan(k * each, each));
  return rows;
}

/// Counters that are sums, over all rows.
inline std::vector<std::uint64_t> over_rows(Test test, Counters counters) {
  std::vector<std::uint64_t> sum(counters.size() / test.rows());
  for (std::size_t i = 0; i < counters.size(); ++i) sum[i % sum.size()] += counters[i];
  return sum;
}

/// P(at least one of `count` independent events of probability p).
inline double any_p(double p, double count) { return -std::expm1(count * std::log1p(-p)); }

/// The chi-square statistics of all rows, added up. chi(counters) of a row.
template <class Chi>
PValue summed(Test test, Counters counters, const Chi& chi, const std::string& statistic = "") {
  ChiSquare sum;
  for (const Counters row : rows_of(test, counters)) {
    const ChiSquare one = chi(row);
    sum.statistic += one.statistic;
    sum.degrees += one.degrees;
  }
  return {statistic, sum.statistic, sum.p()};
}

/// A judge by chi(test, counters) of each row.
template <class Chi>
auto chi_squares(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(test, row); })};
  };
}

/// A judge by chi(expected, counters) of each row.
template <class Chi>
auto against(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    const std::vector<double> expected = class_of(test).expected(test);
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(expected, row); })};
  };
}

/// Standard normal statistics of all rows, by their sum.
inline PValue normal(std::span<const double> z) {
  return {"", std::accumulate(z.begin(), z.end(), 0.0), normal_sum_p(z)};
}

/// A judge by the standard normal z(test, counters) of each row.
template <class Z>
auto normals(Z z) {
  return [z](Test test, Counters counters, Reals) {
    std::vector<double> all;
    for (const Counters row : rows_of(test, counters)) all.push_back(z(test, row));
    return std::vector<PValue>{normal(all)};
  };
}

/// Probabilities that 0 .. d of d values have occurred.
struct Occupancy {
  std::vector<double> p;

  explicit Occupancy(std::uint64_t d) : p(d + 1, 0.0) { p[0] = 1; }
  /// After one more value.
  void draw() {
    const double d = real(p.size() - 1);
    for (std::size_t i = p.size() - 1; i > 0; --i) {
      p[i] = p[i] * real(i) / d + p[i - 1] * (d - real(i) + 1) / d;
    }
    p[0] = 0;
  }
};

inline std::uint64_t histogram_bytes(std::uint64_t cells) {
  return Histogram::bytes(Space(), cells);
}
inline std::uint64_t bytes_of_keys(Test test) { return SortedKeys::bytes(test.n); }
inline std::uint64_t every_word(Test test) { return test.n; }
inline std::uint64_t words_of_group(Test test) { return wide(test.t); }
inline Blocks blocks_of(Test test) { return {test.r, test.s, test.L}; }
inline std::uint64_t words_of_block(Test test) { return blocks_of(test).words(); }
inline std::uint32_t d_of(Test test) { return static_cast<std::uint32_t>(test.d); }

/// The counts of n items.
template <class Item>
Replication count_items(const Sample& of, std::uint64_t cells, const Item& item) {
  const Histogram histogram(of.space(), cells);
  add_items(of, 0, item, histogram);
  return {histogram.sums(of.space()), of.n * item.words()};
}

/// The sum of the squared counts of n items.
template <class Item>
Replication count_squares(const Sample& of, std::uint64_t cells, const Item& item) {
  const Histogram histogram(of.space(), cells);
  add_items(of, 0, item, histogram);
  return {{histogram.squares(of.space())}, of.n * item.words()};
}

/// A class whose replications are n items, made by item(test), each counted in its cell.
template <class Item>
TestClass class_of_items(std::string_view name, std::string_view parameters, Item item) {
  TestClass one(name, parameters);
  one.item_words = [item](Test test) { return item(test).words(); };
  one.counted = [item](const Sample& of, Test test) {
    return count_items(of, class_of(test).counters(test), item(test));
  };
  return one;
}

// Parts of families that are tested by themselves.

/// Lengths 0 .. longest and above of n gaps between words below limit / 2^32. A gap of n or more
/// ends the count.
Replication count_gaps(const Sample& of, int r, std::uint64_t limit, std::uint64_t longest);

/// ClosePairs' p-values: from each replication's ascending distances on the torus [0, 1)^t, the m
/// least and further ones up to the m-th expected one's. Statistics are of the least distances
/// (NP), of the p-values of the m spacings of each replication (mNP), of all spacings (mNP1), and
/// of the places of jumps (mNP2; after spacings mNP2S; p = 1 if there are none) and their number.
std::vector<PValue> close_pairs_law(double n, int t, int m,
                                    const std::vector<std::vector<double>>& distances);
/// The greatest distance that can be a jump's.
double close_pairs_reach(double n, int t, int m);

/// The middle of the weights of blocks of bits: length / 2 - spread .. length / 2 + spread, as
/// nearly a third of all blocks as can be.
struct WeightMiddle {
  int spread;
  double outside;  ///< probability of a weight below it, and of one above it
};
WeightMiddle weight_middle(int length);

/// Words from the first one of a window of Overlaps to its last one, at most.
std::uint64_t reach_of_windows(const Interleaving& turns);

/// The sums of products of numbers from words 0 .. L / 2 apart, in n rows of L words: integers but
/// for rounding errors. Waits. Throws Error without a library for transforms.
Kokkos::View<double*, Space> lag_products(const Sample& of, std::uint64_t L);

/// The one of independent standard normals that is farthest from 0, and its p-value.
PValue largest_normal(std::span<const double> z);

/// The places of a row of words, `step` apart, at which Relations takes t numbers each. The steps
/// are multiples of 48, so a relation that holds at every 16th or 48th number holds at all places
/// or at none.
struct RelationPlaces {
  std::uint64_t count;
  std::uint64_t step;
};
RelationPlaces relation_places(std::uint64_t length, std::uint64_t t);

/// A lattice's basis, and another one of short vectors. Norms are below 2^31.
using Lattice = std::vector<std::vector<std::int64_t>>;
Lattice reduced(const Lattice& basis);

}  // namespace rivulet::detail

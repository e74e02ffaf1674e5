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

// Tools of the families. A family's file has the classes of some tests: items, kernels and laws.
// Counts equal TestU01's on equal words (L'Ecuyer & Simard, ACM Trans. Math. Softw. 33 (2007) 22;
// TestU01's guide names the tests and the parameters). Over replications, chi-square statistics and
// degrees of freedom add up, and so do Poisson counts and means. Normal statistics are combined by
// normal_sum_p(), p-values by second_level_p().

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

/// Returns the counters summed over all rows.
inline std::vector<std::uint64_t> over_rows(Test test, Counters counters) {
  std::vector<std::uint64_t> sum(counters.size() / test.rows());
  for (std::size_t i = 0; i < counters.size(); ++i) sum[i % sum.size()] += counters[i];
  return sum;
}

/// Returns P(at least one of `count` independent events of probability p).
inline double any_p(double p, double count) { return -std::expm1(count * std::log1p(-p)); }

/// Adds up the chi-square statistics chi(counters) of all rows.
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

/// Makes a judge from chi(test, counters) of each row.
template <class Chi>
auto chi_squares(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(test, row); })};
  };
}

/// Makes a judge from chi(expected, counters) of each row.
template <class Chi>
auto against(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    const std::vector<double> expected = class_of(test).expected(test);
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(expected, row); })};
  };
}

/// Combines standard normal statistics of all rows by summation.
inline PValue normal(std::span<const double> z) {
  return {"", std::accumulate(z.begin(), z.end(), 0.0), normal_sum_p(z)};
}

/// Makes a judge from the standard normal z(test, counters) of each row.
template <class Z>
auto normals(Z z) {
  return [z](Test test, Counters counters, Reals) {
    std::vector<double> all;
    for (const Counters row : rows_of(test, counters)) all.push_back(z(test, row));
    return std::vector<PValue>{normal(all)};
  };
}

/// Probabilities that 0 .. d of d equally likely values have occurred.
struct Occupancy {
  std::vector<double> p;

  explicit Occupancy(std::uint64_t d) : p(d + 1, 0.0) { p[0] = 1; }
  /// Draws one more value.
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

/// Returns the counts of n items.
template <class Item>
Replication count_items(const Sample& of, std::uint64_t cells, const Item& item) {
  const Histogram histogram(of.space(), cells);
  add_items(of, 0, item, histogram);
  return {histogram.sums(of.space()), of.n * item.words()};
}

/// Returns the sum of the squared counts of n items.
template <class Item>
Replication count_squares(const Sample& of, std::uint64_t cells, const Item& item) {
  const Histogram histogram(of.space(), cells);
  add_items(of, 0, item, histogram);
  return {{histogram.squares(of.space())}, of.n * item.words()};
}

/// Makes a class whose replications count n items, made by item(test), in cells.
template <class Item>
TestClass class_of_items(std::string_view name, std::string_view parameters, Item item) {
  TestClass one(name, parameters);
  one.item_words = [item](Test test) { return item(test).words(); };
  one.counted = [item](const Sample& of, Test test) {
    return count_items(of, class_of(test).counters(test), item(test));
  };
  return one;
}

// Parts of families with unit tests.

/// Counts lengths 0 .. longest and above of n gaps between words below limit / 2^32. A gap of n or
/// more words ends the count.
Replication count_gaps(const Sample& of, int r, std::uint64_t limit, std::uint64_t longest);

/// Returns ClosePairs' p-values. A replication is a list of ascending distances on the torus [0,
/// 1)^t: the m least, and further ones up to the expected distance of the m-th. The statistics come
/// from the least distances (NP), from the p-values of each replication's m spacings (mNP), from
/// all spacings (mNP1), from the places of jumps (mNP2; after spacings mNP2S; p = 1 if there are
/// none) and from the number of jumps.
std::vector<PValue> close_pairs_law(double n, int t, int m,
                                    const std::vector<std::vector<double>>& distances);
/// Returns the greatest distance of a jump.
double close_pairs_reach(double n, int t, int m);

/// The middle class of the weights of blocks of bits: length / 2 - spread .. length / 2 + spread,
/// as close as possible to a third of all blocks.
struct WeightMiddle {
  int spread;
  double outside;  ///< probability of a weight below the middle, and of one above
};
WeightMiddle weight_middle(int length);

/// Returns the most words that a window of Overlaps spans in the sequence.
std::uint64_t reach_of_windows(const Interleaving& turns);

/// Returns the sums of products of numbers from words at distances 0 .. L / 2, in n rows of L
/// words: integers except for round-off. Blocks. Throws Error without a Fourier transform library.
Kokkos::View<double*, Space> lag_products(const Sample& of, std::uint64_t L);

/// Returns the independent standard normal that is farthest from 0, and its p-value.
PValue largest_normal(std::span<const double> z);

/// The places in a row of words, `step` apart, at which Relations takes t numbers each. Steps are
/// multiples of 48, so a relation at every 16th or 48th number holds at all places or at none.
struct RelationPlaces {
  std::uint64_t count;
  std::uint64_t step;
};
RelationPlaces relation_places(std::uint64_t length, std::uint64_t t);

/// A lattice's basis. reduced() returns a basis of short vectors. Norms are below 2^31.
using Lattice = std::vector<std::vector<std::int64_t>>;
Lattice reduced(const Lattice& basis);

}  // namespace rivulet::detail

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

// A test family is a file with the classes of related tests, that is, their items, kernels and
// distributions. The families share these helpers. For the same words, their counts equal TestU01's
// (L'Ecuyer & Simard, ACM Trans. Math. Softw. 33 (2007) 22; TestU01's guide describes the tests and
// their parameters). Results of several replications are combined. Chi-square statistics and their
// degrees of freedom are summed, as are Poisson counts and their means. normal_sum_p() combines
// normal statistics, and second_level_p() combines p-values.

namespace rivulet::detail {

namespace families {
#define RIVULET_DECLARE(kind) TestClass kind();
RIVULET_TEST_CLASSES(RIVULET_DECLARE)
#undef RIVULET_DECLARE
}  // namespace families

using Test = TestClass::Test;
using Counters = TestClass::Counters;
using Reals = TestClass::Reals;

inline double to_double(std::uint64_t value) { return static_cast<double>(value); }

inline std::vector<Counters> rows_of(Test test, Counters counters) {
  std::vector<Counters> rows;
  const std::size_t each = counters.size() / test.rows();
  for (std::size_t k = 0; k < test.rows(); ++k) rows.push_back(counters.subspan(k * each, each));
  return rows;
}

inline std::vector<std::uint64_t> sum_over_rows(Test test, Counters counters) {
  std::vector<std::uint64_t> sum(counters.size() / test.rows());
  for (std::size_t i = 0; i < counters.size(); ++i) sum[i % sum.size()] += counters[i];
  return sum;
}

/// Returns the probability that at least one of `count` independent events of probability p occurs.
inline double any_p(double p, double count) { return -std::expm1(count * std::log1p(-p)); }

/// Returns the sum of the chi-square statistics chi(row) over all rows, and its p-value.
template <class Chi>
PValue summed(Test test, Counters counters, const Chi& chi, const std::string& statistic = "") {
  ChiSquare sum;
  for (const Counters row : rows_of(test, counters)) {
    const ChiSquare row_chi = chi(row);
    sum.statistic += row_chi.statistic;
    sum.degrees += row_chi.degrees;
  }
  return {statistic, sum.statistic, sum.p()};
}

/// Returns a judge function that sums the chi-square statistics chi(test, row) over all rows.
template <class Chi>
auto chi_squares(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(test, row); })};
  };
}

/// Returns a judge function that sums the chi-square statistics chi(expected, row) over all rows.
template <class Chi>
auto chi_squares_of_expected(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    const std::vector<double> expected = class_of(test).expected(test);
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(expected, row); })};
  };
}

/// Returns the sum of independent standard normals, and its p-value.
inline PValue normal(std::span<const double> z) {
  return {"", std::accumulate(z.begin(), z.end(), 0.0), normal_sum_p(z)};
}

/// Returns a judge function that sums the standard normals z(test, row) over all rows.
template <class Z>
auto normals(Z z) {
  return [z](Test test, Counters counters, Reals) {
    std::vector<double> all;
    for (const Counters row : rows_of(test, counters)) all.push_back(z(test, row));
    return std::vector<PValue>{normal(all)};
  };
}

/// Distribution of the number of distinct values in draws from d equally likely values. p[i] is the
/// probability that i values have occurred.
struct Occupancy {
  std::vector<double> p;

  explicit Occupancy(std::uint64_t d) : p(d + 1, 0.0) { p[0] = 1; }
  /// Updates the probabilities for one more draw.
  void draw() {
    const double d = to_double(p.size() - 1);
    for (std::size_t i = p.size() - 1; i > 0; --i) {
      p[i] = p[i] * to_double(i) / d + p[i - 1] * (d - to_double(i) + 1) / d;
    }
    p[0] = 0;
  }
};

inline std::uint64_t histogram_bytes(std::uint64_t cells) {
  return Histogram::bytes(Space(), cells);
}
inline std::uint64_t bytes_of_keys(Test test) { return SortedKeys::bytes(test.n); }
inline std::uint64_t every_word(Test test) { return test.n; }
inline std::uint64_t words_of_group(Test test) { return to_u64(test.t); }
inline Blocks blocks_of(Test test) { return {test.r, test.s, test.L}; }
inline std::uint64_t words_of_block(Test test) { return blocks_of(test).words(); }
inline std::uint32_t d_of(Test test) { return static_cast<std::uint32_t>(test.d); }

/// Counts the items of a sample by cell.
template <class Item>
Replication count_items(const Sample& sample, std::uint64_t cells, const Item& item) {
  const Histogram histogram(sample.space(), cells);
  add_items(sample, 0, item, histogram);
  return {histogram.sums(sample.space()), sample.n * item.words()};
}

/// Counts the items of a sample by cell. Returns the sum of the squared counts.
template <class Item>
Replication count_squares(const Sample& sample, std::uint64_t cells, const Item& item) {
  const Histogram histogram(sample.space(), cells);
  add_items(sample, 0, item, histogram);
  return {{histogram.squares(sample.space())}, sample.n * item.words()};
}

/// Returns a class whose replications count n items by cell. item(test) returns the item functor.
template <class Item>
TestClass class_of_items(std::string_view name, std::string_view parameters, Item item) {
  TestClass test_class(name, parameters);
  test_class.item_words = [item](Test test) { return item(test).words(); };
  test_class.counted = [item](const Sample& sample, Test test) {
    return count_items(sample, class_of(test).counters(test), item(test));
  };
  return test_class;
}

// The functions below belong to single families. Other families or unit tests call them.

/// Counts n gaps between marks by length. The classes are the lengths 0 .. `longest`; the last
/// class includes longer gaps. A mark is a word w for which w << r, in 32 bits, is below `limit`. A
/// gap of n or more words ends the count.
Replication count_gaps(const Sample& sample, int r, std::uint64_t limit, std::uint64_t longest);

/// Returns ClosePairs' p-values. Each replication lists ascending distances on the torus [0, 1)^t.
/// The list contains the m smallest distances, and all distances up to close_pairs_reach(). A
/// distance up to close_pairs_reach() is a jump. The statistics, in the order of the result, are:
/// - NP: the smallest distance of each replication
/// - mNP: the p-values of each replication's m spacings
/// - mNP1: all spacings
/// - mNP2: the positions of jumps (p = 1 without jumps)
/// - NJumps: the number of jumps
/// - mNP2S: these positions after a transformation of their spacings (p = 1 without jumps)
std::vector<PValue> close_pairs_p_values(double n, int t, int m,
                                         const std::vector<std::vector<double>>& distances);
/// Returns the distance within which m pairs are expected.
double close_pairs_reach(double n, int t, int m);

/// The middle class of the weights (numbers of ones) of blocks of `length` bits. The class contains
/// the weights length / 2 - spread .. length / 2 + spread. `spread` makes the probability of a
/// smaller weight as close as possible to 1/3.
struct WeightMiddle {
  int spread;
  double outside;  ///< P(weight below the middle class), equal to P(weight above it)
};
WeightMiddle weight_middle(int length);

/// Returns the maximum number of words of the sequence that a window of Overlaps spans.
std::uint64_t reach_of_windows(const Interleaving& turns);

/// Converts each word of the sample's rows of L words into a number. Returns one sum per lag 0 .. L
/// / 2: the sum of the products of all pairs of numbers that are this far apart in a row. The sums
/// are integers except for round-off. Blocking. Throws Error without a Fourier transform library.
Owned<double> lag_products(const Sample& sample, std::uint64_t L);

/// Returns the value farthest from 0 among independent standard normals, and its p-value.
PValue largest_normal(std::span<const double> z);

/// The offsets in a row of words. Relations reads t numbers at each offset. The offsets are the
/// first `count` multiples of `step`, from 0. Steps are multiples of 48. A relation that holds only
/// at every 16th or 48th number therefore holds at all offsets or at none.
struct RelationPlaces {
  std::uint64_t count;
  std::uint64_t step;
};
RelationPlaces relation_places(std::uint64_t length, std::uint64_t t);

/// A lattice basis of vectors with norms below 2^31. reduced() returns a basis of the same lattice
/// with short vectors.
using Lattice = std::vector<std::vector<std::int64_t>>;
Lattice reduced(const Lattice& basis);

}  // namespace rivulet::detail

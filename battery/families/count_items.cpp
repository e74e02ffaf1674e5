// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "battery/counting/counting_items.hpp"
#include "battery/counting/linked_items.hpp"
#include "battery/laws/uniform_laws.hpp"

namespace rivulet {
namespace {

using detail::add_grouped;
using detail::add_items;
using detail::count_items;
using detail::Histogram;

std::uint64_t cells_to(int last) { return static_cast<std::uint64_t>(last) + 1; }

template <class Value>
Kokkos::View<Value*, Space> on_device(const std::vector<Value>& values, const std::string& label) {
  const Kokkos::View<Value*, Space> copy(label, values.size());
  Kokkos::deep_copy(copy, Borrowed<const Value, Kokkos::HostSpace>(values.data(), values.size()));
  return copy;
}

/// The least number, times 2^32, of each of d classes floor(d u^t). Neighbouring classes have
/// neighbouring numbers: a guess from the inverse is off by a few.
std::vector<std::uint32_t> class_limits(int d, int t) {
  const double power = t;
  const double classes = d;
  const auto class_of = [&](std::int64_t u) {
    return static_cast<int>(std::pow(std::ldexp(static_cast<double>(u), -32), power) * classes);
  };
  std::vector<std::uint32_t> least(static_cast<std::size_t>(d));
  for (int c = 1; c < d; ++c) {
    auto u = static_cast<std::int64_t>(std::ldexp(std::pow(c / classes, 1 / power), 32));
    while (class_of(u) >= c) --u;
    while (class_of(u) < c) ++u;
    least[static_cast<std::size_t>(c)] = static_cast<std::uint32_t>(u);
  }
  return least;
}

/// Counts n of what Items<W> has in each lane of W: as many together as a vector register has room
/// for, and the last ones alone.
template <template <class> class Items, class... Options>
TestCounts count_in_lanes(const Sample& of, std::uint64_t cells, Options... options) {
  constexpr auto together = static_cast<std::uint64_t>(lanes<Word>);
  const Histogram histogram(of.space(), cells);
  const Items<std::uint32_t> alone{of.r, options...};
  const std::uint64_t first_alone = of.n / together * together;
  add_items(of.with(of.n / together), 0, Items<Word>{of.r, options...}, histogram);
  add_items(of.with(of.n - first_alone), first_alone, alone, histogram);
  return {histogram.sums(of.space()), of.n * alone.words()};
}

template <class Item>
TestCounts count_squares(const Sample& of, std::uint64_t cells, const Item& item) {
  const Histogram histogram(of.space(), cells);
  add_items(of, 0, item, histogram);
  return {{histogram.squares(of.space())}, of.n * item.words()};
}

/// Sorts the keys that items are, and adds up what Anderson and Darling's statistic has of them.
template <class Item, class Law>
TestCounts count_sorted(const Sample& of, const Item& item, const Law& law) {
  detail::SortedKeys keys(of.space(), of.n);
  TestCounts found = count_items(of, 1, detail::KeptCells<Item>{item, keys.data()});
  keys.sort(keys.bits());
  found.reals = {keys.anderson_darling_sum(law)};
  return found;
}

}  // namespace

TestCounts count_poker_hands(const Sample& of, std::uint32_t d, int k) {
  return count_items(of, cells_to(std::min(static_cast<int>(d), k)),
                     detail::PokerHand{{of.r, k}, d});
}

TestCounts count_weights(const Sample& of, std::uint64_t limit, int k) {
  return count_items(of, cells_to(k), detail::NumbersBelow{{of.r, k}, limit});
}

TestCounts count_weight_pairs(const Sample& of, int s, int length) {
  return count_items(of, cells_to(length) * cells_to(length), detail::WeightPair{of.r, s, length});
}

TestCounts count_neighbour_weights(const Sample& of, int s, int length) {
  return count_items(of, cells_to(length) * cells_to(length),
                     detail::NeighbourWeights{{of.r, s, length}});
}

std::uint64_t walk_words(int s, int length) {
  return detail::RandomWalks<Word>{0, s, length}.words();
}

TestCounts count_walks(const Sample& of, int s, int length) {
  using detail::RandomWalks;
  return count_in_lanes<RandomWalks>(of, RandomWalks<Word>::statistics * cells_to(length), s,
                                     length);
}

TestCounts count_orders(const Sample& of, int t, std::uint64_t orders) {
  return count_squares(of, orders, detail::NumberOrder{{of.r, t}});
}

TestCounts count_word_parts(const Sample& of, int length) {
  return count_squares(of, std::uint64_t{1} << length, detail::WordParts{length});
}

TestCounts count_savir(const Sample& of, std::uint64_t most, int t, std::uint64_t last) {
  return count_items(of, last + 1, detail::SavirNumber{{of.r, t}, most, last});
}

TestCounts count_divisors(const Sample& of, int s, std::uint64_t last) {
  const Histogram histogram(of.space(), last + 1);
  const detail::CommonDivisor item{of.r, s, static_cast<std::uint32_t>(last)};
  TestCounts found;
  // Pairs with a 0, which are drawn again, are in cell 0.
  std::uint64_t pairs = 0;
  for (std::uint64_t missing = of.n; missing > 0 && pairs < 2 * of.n;
       missing = found.counts[0] + of.n - pairs) {
    add_items(of.with(missing), pairs, item, histogram);
    pairs += missing;
    found.counts = histogram.sums(of.space());
  }
  found.words = pairs * item.words();
  return found;
}

std::uint64_t period_words() { return static_cast<std::uint64_t>(lanes<Word>); }

TestCounts count_periods(const Sample& of, int s, const std::vector<std::uint32_t>& correlations) {
  const auto classes = on_device(correlations, "rivulet::battery_classes");
  return count_in_lanes<detail::StringPeriods>(of, correlations.size(), s, classes.data(),
                                               static_cast<int>(correlations.size()));
}

TestCounts count_largest(const Sample& of, int d, int t) {
  // Replications have the same ones.
  static std::map<std::pair<int, int>, std::vector<std::uint32_t>> limits;
  std::vector<std::uint32_t>& own = limits[{d, t}];
  if (own.empty()) own = class_limits(d, t);
  const auto least = on_device(own, "rivulet::battery_classes");
  detail::SortedKeys keys(of.space(), of.n);
  TestCounts found = count_items(of, static_cast<std::uint64_t>(d),
                                 detail::LargestNumber{{of.r, t}, least.data(), d, keys.data()});
  keys.sort(32);
  found.reals = {keys.anderson_darling_sum(detail::LargestOfUniforms{t})};
  return found;
}

TestCounts count_sums(const Sample& of, int t, const std::vector<double>& series) {
  const auto coefficients = on_device(series, "rivulet::battery_series");
  return count_sorted(of, detail::NumberSum{{of.r, t}},
                      detail::SumOfUniforms{t, coefficients.data()});
}

TestCounts count_products(const Sample& of, int t) {
  return count_sorted(of, detail::NumberProduct{{of.r, t}}, detail::ProductOfUniforms{t});
}

TestCounts count_lagged_bits(const Sample& of, int s, int lag) {
  const detail::LaggedBits item{of.r, s, lag};
  return count_items(of.with(of.n + item.history()), 1, item);
}

TestCounts count_lagged_products(const Sample& of, std::uint64_t lag) {
  return count_items(of, detail::LaggedProducts::sums, detail::LaggedProducts{of.r, lag});
}

TestCounts count_number_runs(const Sample& of, bool is_up) {
  using detail::NumberRuns;
  const Histogram histogram(of.space(), NumberRuns::sums);
  // Neighbouring threads of a device read neighbouring numbers.
  add_grouped(of, 0, NumberRuns{of.r, is_up, of.n}, device_build ? 1 : NumberRuns::most_grouped,
              histogram);
  return {histogram.sums(of.space()), of.n};
}

TestCounts count_weight_trits(const Sample& of, int length, int spread) {
  using detail::WeightTrits;
  const WeightTrits item{length, spread, weight_trits_grouped(length)};
  return count_items(of.with(of.n / item.words()), WeightTrits::cells, item);
}

TestCounts count_bit_runs(const Sample& of, int s, int longest) {
  // Four bits a run of ones are usual; TestU01 ends without a result once a run is of n bits.
  const std::uint64_t most = 16 * of.n / static_cast<std::uint64_t>(s) + 1;
  const Histogram histogram(of.space(), 2 * cells_to(longest));
  const detail::RunsOfBits runs{of.r, s, longest};
  const detail::RunsOfOnes begin{of.r, s, runs.history()};
  TestCounts found;
  std::uint64_t begun = 0;
  // The last word is the one in which the n-th run of ones begins. Words are counted while they are
  // in memory.
  for (std::uint64_t step = of.tiles.most() / 2; begun < of.n && found.words < most;) {
    const Sample words = of.with(std::min(step, most - found.words));
    const Histogram ones(of.space(), 1);
    add_items(words, found.words, begin, ones);
    const std::uint64_t more = ones.sums(of.space())[0];
    if (begun + more >= of.n && words.n > 1) {
      step = words.n / 2;
      continue;
    }
    add_grouped(words, found.words, runs, runs.most_grouped(), histogram);
    begun += more;
    found.words += words.n;
  }
  found.counts = histogram.sums(of.space());
  for (std::size_t i = 2; i + 2 < found.counts.size(); ++i) found.counts[i] -= found.counts[i + 2];
  found.ended = begun < of.n;
  return found;
}

}  // namespace rivulet

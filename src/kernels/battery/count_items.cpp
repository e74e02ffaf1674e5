// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "kernels/battery/counting_items.hpp"
#include "kernels/battery/items.hpp"
#include "kernels/battery/sorted_keys.hpp"
#include "kernels/battery/uniform_laws.hpp"

namespace rivulet {
namespace {

using detail::count_items;
using detail::Histogram;

std::uint64_t cells_to(int last) { return static_cast<std::uint64_t>(last) + 1; }

template <class Value>
Kokkos::View<Value*, Space> on_device(const std::vector<Value>& values, const std::string& label) {
  using Given =
      Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Kokkos::View<Value*, Space> copy(label, values.size());
  Kokkos::deep_copy(copy, Given(values.data(), values.size()));
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
TestCounts count_in_lanes(WordTiles& tiles, std::uint64_t position, std::uint64_t n,
                          std::uint64_t cells, Options... options) {
  constexpr auto together = static_cast<std::uint64_t>(lanes<Word>);
  const Histogram histogram(tiles.space(), cells);
  const Items<std::uint32_t> alone{options...};
  const std::uint64_t first_alone = n / together * together;
  detail::add_items(tiles, position, 0, n / together, Items<Word>{options...}, histogram);
  detail::add_items(tiles, position, first_alone, n - first_alone, alone, histogram);
  return {histogram.sums(tiles.space()), n * alone.words()};
}

}  // namespace

TestCounts count_poker_hands(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                             std::uint32_t d, int k) {
  return count_items(tiles, position, n, cells_to(std::min(static_cast<int>(d), k)),
                     detail::PokerHand{r, d, k});
}

TestCounts count_weights(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                         std::uint64_t limit, int k) {
  return count_items(tiles, position, n, cells_to(k), detail::NumbersBelow{r, limit, k});
}

TestCounts count_weight_pairs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                              int s, int length) {
  return count_items(tiles, position, n, cells_to(length) * cells_to(length),
                     detail::WeightPair{r, s, length});
}

std::uint64_t walk_words(int s, int length) {
  return detail::RandomWalks<Word>{0, s, length}.words();
}

TestCounts count_walks(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                       int length) {
  return count_in_lanes<detail::RandomWalks>(
      tiles, position, n, detail::RandomWalks<Word>::statistics * cells_to(length), r, s, length);
}

TestCounts count_orders(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int t,
                        std::uint64_t orders) {
  const Histogram histogram(tiles.space(), orders);
  const detail::NumberOrder item{r, t};
  detail::add_items(tiles, position, 0, n, item, histogram);
  return {{histogram.squares(tiles.space())}, n * item.words()};
}

TestCounts count_savir(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                       std::uint64_t most, int t, std::uint64_t last) {
  return count_items(tiles, position, n, last + 1, detail::SavirNumber{r, most, t, last});
}

TestCounts count_divisors(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                          std::uint64_t last) {
  const Histogram histogram(tiles.space(), last + 1);
  const detail::CommonDivisor item{r, s, static_cast<std::uint32_t>(last)};
  TestCounts found;
  // Pairs with a 0, which are drawn again, are in cell 0.
  std::uint64_t pairs = 0;
  for (std::uint64_t missing = n; missing > 0 && pairs < 2 * n;
       missing = found.counts[0] + n - pairs) {
    detail::add_items(tiles, position, pairs, missing, item, histogram);
    pairs += missing;
    found.counts = histogram.sums(tiles.space());
  }
  found.words = pairs * item.words();
  return found;
}

std::uint64_t period_words() { return static_cast<std::uint64_t>(lanes<Word>); }

TestCounts count_periods(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                         const std::vector<std::uint32_t>& correlations) {
  const auto classes = on_device(correlations, "rivulet::battery_classes");
  return count_in_lanes<detail::StringPeriods>(tiles, position, n, correlations.size(), r, s,
                                               classes.data(),
                                               static_cast<int>(correlations.size()));
}

SortedCounts count_largest(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int d,
                           int t) {
  // Replications have the same ones.
  static std::map<std::pair<int, int>, std::vector<std::uint32_t>> limits;
  std::vector<std::uint32_t>& own = limits[{d, t}];
  if (own.empty()) own = class_limits(d, t);
  const auto least = on_device(own, "rivulet::battery_classes");
  detail::SortedKeys keys(tiles.space(), n);
  TestCounts found = count_items(tiles, position, n, static_cast<std::uint64_t>(d),
                                 detail::LargestNumber{r, t, least.data(), d, keys.data()});
  keys.sort(32);
  return {std::move(found), keys.anderson_darling_sum(detail::LargestOfUniforms{t})};
}

SortedCounts count_sums(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int t,
                        const std::vector<double>& series) {
  const auto coefficients = on_device(series, "rivulet::battery_series");
  detail::SortedKeys keys(tiles.space(), n);
  TestCounts found = count_items(tiles, position, n, 1, detail::NumberSum{r, t, keys.data()});
  keys.sort(keys.bits());
  return {std::move(found),
          keys.anderson_darling_sum(detail::SumOfUniforms{t, coefficients.data()})};
}

SortedCounts count_products(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                            int t) {
  detail::SortedKeys keys(tiles.space(), n);
  TestCounts found = count_items(tiles, position, n, 1, detail::NumberProduct{r, t, keys.data()});
  keys.sort(keys.bits());
  return {std::move(found), keys.anderson_darling_sum(detail::ProductOfUniforms{t})};
}

}  // namespace rivulet

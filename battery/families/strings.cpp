// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <functional>

#include "battery/families/family.hpp"
#include "rng/word.hpp"

// Counts statistics of random walks with one bit per step, and periods of strings of bits. On a
// CPU, each lane of a vector register holds a walk or a string.

namespace rivulet::detail {
namespace {

/// Counts five statistics of random walks with `length` steps, s steps per word. A walk's last word
/// contributes its leading bits. An item is one walk per lane of W. The statistics H, M, J, R and C
/// (see walk_expected()) have consecutive ranges of length + 1 cells.
template <class W>
struct RandomWalks : Blocks {
  static constexpr int statistics = 5;

  std::uint64_t words() const { return to_u64(lanes<W>) * Blocks::words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, auto& to) const {
    using Traits = WordTraits<W>;
    const int each = words_for(length, s);
    const auto word_of_walks = [&](int k) {
      return Traits::generate([&](int walk) { return word[walk * each + k] << r; });
    };
    // Positions are integers modulo 2^32, with the sign in the highest bit. A set bit is a step up.
    W at(0U), highest(0U), above(0U), zeros(0U), changes(0U);
    W odd = ~word_of_walks(0);  // position at the last odd step; initially, only the sign of step 1
    bool is_odd = true;
    for (int k = 0, remaining = length; remaining > 0; ++k, remaining -= s) {
      W steps = word_of_walks(k);
      for (int step = 0; step < s && step < remaining; ++step, is_odd = !is_odd) {
        at = at + ((steps >> 31) << 1) - 1U;
        steps = steps << 1;
        const W ahead = at - highest;
        highest = highest + (ahead & ((ahead >> 31) - 1U));
        zeros = zeros + 1U - ((at | (0U - at)) >> 31);
        if (!is_odd) continue;
        above = above + 1U - (at >> 31);
        changes = changes + ((at ^ odd) >> 31);
        odd = at;
      }
    }
    for (int walk = 0; walk < lanes<W>; ++walk) {
      const auto lane_value = [&](const W& all) { return Traits::lane(all, walk); };
      const std::uint32_t found[statistics] = {
          (static_cast<std::uint32_t>(length) + lane_value(at)) / 2, lane_value(highest),
          2 * lane_value(above), lane_value(zeros), lane_value(changes)};
      for (int i = 0; i < statistics; ++i) {
        to.add(to_u64(i * (length + 1)) + found[i]);
      }
    }
  }
};

/// Counts n items. As many items as fill a vector register are processed together, and the
/// remaining items one at a time. Items<W> processes one item per lane of W.
template <template <class> class Items, class... Options>
Replication count_in_lanes(const Sample& sample, std::uint64_t cells, Options... options) {
  const std::uint64_t together = to_u64(lanes<Word>);
  const Histogram histogram(sample.space(), cells);
  const Items<std::uint32_t> alone{options...};
  const std::uint64_t first_alone = sample.n / together * together;
  add_items(sample.with(sample.n / together), 0, Items<Word>{options...}, histogram);
  add_items(sample.with(sample.n - first_alone), first_alone, alone, histogram);
  return {histogram.sums(sample.space()), sample.n * alone.words()};
}

/// Returns the expected counts for walks of even length, in the order of the counters. H is the
/// number of steps up, and M is the maximum. J is twice the number of odd steps above zero. R is
/// the number of returns to zero, and C is the number of sign changes.
std::vector<double> walk_expected(Test test) {
  const int length = test.L, half = length / 2;
  const std::size_t cells = to_u64(length) + 1;
  std::vector<double> all = times(test.items(), binomial_masses(length, 0.5));
  all.resize(RandomWalks<Word>::statistics * cells);
  const auto part = [&](std::size_t i) { return std::span(all).subspan(i * cells, cells); };
  const std::span<double> h = part(0), m = part(1), j = part(2), r = part(3), c = part(4);
  const double middle = h[to_u64(half)];
  m[0] = middle;
  j.front() = middle;
  j.back() = middle;
  r[0] = middle;
  for (int i = 0; i < half; ++i) {  // maxima 2 i + 1 and 2 i + 2 are equally likely
    const std::size_t at = to_u64(i);
    const double maximum = m[2 * at] * (half - i) / (half + i + 1);
    m[2 * at + 1] = maximum;
    m[2 * at + 2] = maximum;
    r[at + 1] = r[at] * (length - 2 * i) / (length - i);
    if (4 * i >= length) continue;
    const double above = j[2 * at] * (half - i) * (1 + 2 * i) / ((i + 1.0) * (length - 2 * i - 1));
    j[2 * at + 2] = above;
    j[cells - 3 - 2 * at] = above;
  }
  c[0] = 2 * to_double(test.items()) * binomial_masses(length - 1, 0.5)[to_u64(half)];
  for (int i = 0; i + 1 < half; ++i) {
    const std::size_t at = to_u64(i);
    c[at + 1] = c[at] * (half - i - 1) / (half + i + 1);
  }
  return all;
}

std::vector<PValue> judge_walks(Test test, Counters counters, Reals) {
  const std::vector<double> expected = walk_expected(test);
  const std::size_t cells = to_u64(test.L + 1);
  std::vector<PValue> found;
  for (const char* const statistic : {"H", "M", "J", "R", "C"}) {
    const std::size_t first = found.size() * cells;
    const auto chi = [&](Counters row) {
      return chi_square(std::span(expected).subspan(first, cells), row.subspan(first, cells));
    };
    found.push_back(summed(test, counters, chi, statistic));
  }
  return found;
}

/// Counts strings of s bits by their set of periods, encoded as a correlation. A string has the
/// period k if the string without its first k bits equals the string without its last k bits. Bit
/// s - 1 - k of the correlation is then set. An item is one string per lane of W.
template <class W>
struct StringPeriods {
  int r;
  int s;
  const std::uint32_t* correlations;  ///< correlations of the classes, ascending
  int classes;

  std::uint64_t words() const { return to_u64(lanes<W>); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, auto& to) const {
    using Traits = WordTraits<W>;
    const W strings = Traits::generate([&](int i) { return strip_bits(word[i], r, s); });
    W correlation(0U);
    for (int k = 0; k < s; ++k) {
      const W differ = (strings ^ (strings >> k)) & (~std::uint32_t{0} >> (32 - s + k));
      correlation = (correlation << 1) + 1U - ((differ | (0U - differ)) >> 31);
    }
    for (int i = 0; i < lanes<W>; ++i) {
      to.add(to_u64(last_not_above(correlations, classes, Traits::lane(correlation, i))));
    }
  }
};

/// Returns the number of free bits of strings with these periods. Positions that are a period apart
/// are joined (union-find). Each resulting class of positions has one free bit.
int free_bits(std::uint32_t correlation, int s) {
  std::vector<int> root(to_u64(s));
  std::iota(root.begin(), root.end(), 0);
  int classes = s;
  const auto find = [&root](int i) {
    while (root[to_u64(i)] != i) i = root[to_u64(i)];
    return i;
  };
  for (int period = 1; period < s; ++period) {
    if ((correlation >> (s - 1 - period) & 1) == 0) continue;
    for (int i = 0; i + period < s; ++i) {
      const int a = find(i);
      const int b = find(i + period);
      if (a == b) continue;
      root[to_u64(std::max(a, b))] = std::min(a, b);
      --classes;
    }
  }
  return classes;
}

struct Population {
  std::uint32_t correlation;
  std::uint64_t strings;
};

/// Returns all correlations of s bits, with the number of strings for each. A correlation is a
/// leading 1, then zeros, then a shorter correlation, so the candidates follow from `shorter`. The
/// 2^(free bits) strings with at least these periods include those with more periods, which are
/// subtracted.
std::vector<Population> populations(int s, const std::vector<std::vector<Population>>& shorter) {
  std::vector<std::uint32_t> candidates;
  for (const std::vector<Population>& tails : shorter) {
    for (const Population& tail : tails) {
      candidates.push_back(std::uint32_t{1} << (s - 1) | tail.correlation);
    }
  }
  std::ranges::sort(candidates, std::greater(),
                    [](std::uint32_t word) { return std::popcount(word); });
  std::vector<Population> found;
  for (const std::uint32_t candidate : candidates) {
    std::uint64_t strings = std::uint64_t{1} << free_bits(candidate, s);
    for (const Population& other : found) {
      if ((other.correlation & candidate) == candidate) strings -= other.strings;
    }
    if (strings > 0) found.push_back({candidate, strings});
  }
  std::ranges::sort(found, {}, &Population::correlation);
  return found;
}

/// Returns the classes of strings of s <= 32 bits in TestU01's order (TestU01 numbers them from 1).
/// Guibas & Odlyzko, J. Comb. Theory A 30 (1981) 19, prove which correlations occur.
std::vector<Population> period_classes(int s) {
  std::vector<std::vector<Population>> found{{{0, 1}}};
  for (int bits = 1; bits <= s; ++bits) found.push_back(populations(bits, found));
  return found.back();
}

}  // namespace

/// swalk_RandomWalk1: counts five statistics of random walks of even length.
TestClass families::random_walk() {
  TestClass walks("RandomWalk1", "s = {s}, L = {L}");
  walks.expected = walk_expected;
  walks.counters = [](Test test) { return RandomWalks<Word>::statistics * to_u64(test.L + 1); };
  walks.item_words = [](Test test) { return RandomWalks<Word>{blocks_of(test)}.words(); };
  walks.words = [](Test test) { return test.n * words_of_block(test); };
  walks.counted = [](const Sample& sample, Test test) {
    return count_in_lanes<RandomWalks>(sample, class_of(test).counters(test), blocks_of(test));
  };
  walks.judge = judge_walks;
  walks.pools = true;
  return walks;
}

/// sstring_PeriodsInStrings: counts strings of s bits by their set of periods.
TestClass families::periods_in_strings() {
  TestClass periods("PeriodsInStrings", "s = {s}");
  periods.expected = [](Test test) {
    std::vector<double> expected;
    for (const Population& population : period_classes(test.s)) {
      expected.push_back(std::ldexp(to_double(test.n), -test.s) * to_double(population.strings));
    }
    return expected;
  };
  periods.item_words = [](Test) { return to_u64(lanes<Word>); };
  periods.words = every_word;
  periods.counted = [](const Sample& sample, Test test) {
    std::vector<std::uint32_t> correlations;
    for (const Population& population : period_classes(test.s))
      correlations.push_back(population.correlation);
    const auto classes = on_device(correlations, "rivulet::battery_classes");
    return count_in_lanes<StringPeriods>(sample, correlations.size(), test.r, test.s,
                                         classes.data(), static_cast<int>(correlations.size()));
  };
  return periods;
}

}  // namespace rivulet::detail

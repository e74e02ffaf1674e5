// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/laws/expected_classes.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "battery/laws/distributions.hpp"
#include "battery/laws/laws.hpp"

namespace rivulet::detail {
namespace {

/// What TestU01 expects at least in a class.
constexpr double least_expected = 10;

std::vector<double> times(std::uint64_t n, std::vector<double> probabilities) {
  for (double& p : probabilities) p *= static_cast<double>(n);
  return probabilities;
}

/// Probabilities of 0 .. trials successes.
std::vector<double> binomial(int trials, double p) {
  std::vector<double> mass;
  for (int k = 0; k <= trials; ++k) {
    mass.push_back(boost::math::ibeta_derivative(k + 1.0, trials - k + 1.0, p) / (trials + 1.0));
  }
  return mass;
}

/// How many of d values have occurred, 0 .. d: `occupancy` draws one more.
void draw_one(std::vector<double>& occupancy) {
  const auto d = static_cast<double>(occupancy.size() - 1);
  for (std::size_t i = occupancy.size() - 1; i > 0; --i) {
    const auto seen = static_cast<double>(i);
    occupancy[i] = occupancy[i] * seen / d + occupancy[i - 1] * (d - seen + 1) / d;
  }
  occupancy[0] = 0;
}

std::vector<double> none_of(int d) {
  std::vector<double> occupancy(static_cast<std::size_t>(d) + 1, 0.0);
  occupancy[0] = 1;
  return occupancy;
}

/// Fewest free bits: how many of s positions remain when those that are a period apart are equal.
int free_bits(std::uint32_t correlation, int s) {
  std::vector<int> root(static_cast<std::size_t>(s));
  std::iota(root.begin(), root.end(), 0);
  int left = s;
  const auto find = [&root](int i) {
    while (root[static_cast<std::size_t>(i)] != i) i = root[static_cast<std::size_t>(i)];
    return i;
  };
  for (int period = 1; period < s; ++period) {
    if ((correlation >> (s - 1 - period) & 1) == 0) continue;
    for (int i = 0; i + period < s; ++i) {
      const int a = find(i);
      const int b = find(i + period);
      if (a == b) continue;
      root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
      --left;
    }
  }
  return left;
}

struct Population {
  std::uint32_t correlation;
  std::uint64_t strings;
};

/// The correlations of s bits, of those of fewer: after a 1 and zeros each is one of fewer bits.
std::vector<Population> populations(int s, const std::vector<std::vector<Population>>& shorter) {
  std::vector<std::uint32_t> candidates;
  for (const std::vector<Population>& tails : shorter) {
    for (const Population& tail : tails) {
      candidates.push_back(std::uint32_t{1} << (s - 1) | tail.correlation);
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](std::uint32_t a, std::uint32_t b) { return std::popcount(a) > std::popcount(b); });
  std::vector<Population> found;
  for (const std::uint32_t candidate : candidates) {
    std::uint64_t strings = std::uint64_t{1} << free_bits(candidate, s);
    for (const Population& other : found) {
      if ((other.correlation & candidate) == candidate) strings -= other.strings;
    }
    if (strings > 0) found.push_back({candidate, strings});
  }
  std::sort(found.begin(), found.end(),
            [](const Population& a, const Population& b) { return a.correlation < b.correlation; });
  return found;
}

}  // namespace

MergedClasses merged(std::span<const double> expected, std::span<const std::uint64_t> counts) {
  MergedClasses groups;
  double group_expected = 0;
  std::uint64_t group_count = 0;
  const auto close = [&] {
    groups.expected.push_back(group_expected);
    groups.counts.push_back(group_count);
    group_expected = 0;
    group_count = 0;
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    group_expected += expected[i];
    group_count += counts[i];
    if (group_expected >= least_expected) close();
  }
  if (groups.expected.empty()) {
    close();
  } else {
    groups.expected.back() += group_expected;
    groups.counts.back() += group_count;
  }
  return groups;
}

double ChiSquare::p() const { return chi_square_p(statistic, static_cast<double>(degrees)); }

ChiSquare chi_square(std::span<const double> expected, std::span<const std::uint64_t> counts) {
  const MergedClasses groups = merged(expected, counts);
  return chi_square_unmerged(groups.expected, groups.counts);
}

ChiSquare chi_square_unmerged(std::span<const double> expected,
                              std::span<const std::uint64_t> counts) {
  double statistic = 0;
  std::uint64_t classes = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] <= 0) continue;
    const double difference = static_cast<double>(counts[i]) - expected[i];
    statistic += difference * difference / expected[i];
    ++classes;
  }
  return {statistic, classes == 0 ? 0 : classes - 1};
}

std::vector<double> gap_expected(std::uint64_t n, double p) {
  const auto gaps = static_cast<double>(n);
  const double log_outside = std::log1p(-p);
  // 10 at least are expected in the last class and in the one before.
  const int last = std::max(
      0, std::min(static_cast<int>(std::log(least_expected / gaps) / log_outside),
                  static_cast<int>(1 + std::log(least_expected / (gaps * p)) / log_outside)));
  std::vector<double> expected;
  for (int length = 0; length <= last; ++length) {
    expected.push_back(gaps * (length < last ? p : 1) * std::exp(length * log_outside));
  }
  return expected;
}

std::vector<double> simp_poker_expected(std::uint64_t n, int d, int k) {
  std::vector<double> occupancy = none_of(d);
  for (int card = 0; card < k; ++card) draw_one(occupancy);
  occupancy.resize(static_cast<std::size_t>(std::min(d, k)) + 1);
  return times(n, occupancy);
}

std::vector<double> coupon_collector_expected(std::uint64_t n, int d) {
  constexpr std::size_t longest = 62;
  std::vector<double> probabilities{0};
  std::vector<double> occupancy = none_of(d);
  while (probabilities.size() < longest) {
    draw_one(occupancy);
    probabilities.push_back(occupancy.back());
    occupancy.back() = 0;
  }
  probabilities.push_back(std::accumulate(occupancy.begin(), occupancy.end(), 0.0));
  return times(n, probabilities);
}

std::vector<double> weight_distrib_expected(std::uint64_t n, int k, double p) {
  return times(n, binomial(k, p));
}

std::vector<double> sum_collector_expected(std::uint64_t n, double g) {
  constexpr int last = 50;
  std::vector<double> probabilities;
  double not_yet = 1;  // the sum of j numbers is at most g
  for (int j = 0; j < last; ++j) {
    const double next = sum_of_uniforms(j + 1, g);
    probabilities.push_back(not_yet - next);
    not_yet = next;
  }
  probabilities.push_back(not_yet);
  return times(n, probabilities);
}

std::vector<double> matrix_rank_expected(std::uint64_t n, int rows, int columns) {
  std::vector<double> probabilities;
  for (int rank = 0; rank <= std::min(rows, columns); ++rank) {
    double p = std::exp2(-static_cast<double>(rows - rank) * static_cast<double>(columns - rank));
    for (int i = 0; i < rank && p > 0; ++i) {
      p *= (1 - std::exp2(i - rows)) * (1 - std::exp2(i - columns)) / (1 - std::exp2(i - rank));
    }
    probabilities.push_back(p);
  }
  return times(n, probabilities);
}

std::vector<double> savir_expected(std::uint64_t n, std::int64_t m, int t) {
  std::vector<double> probabilities(static_cast<std::size_t>(m) + 2, 1 / static_cast<double>(m));
  probabilities.front() = 0;
  probabilities.back() = 0;
  for (int step = 1; step < t; ++step) {
    for (std::size_t i = probabilities.size() - 2; i > 0; --i) {
      probabilities[i] = probabilities[i + 1] + probabilities[i] / static_cast<double>(i);
    }
  }
  const auto rare = std::find_if(probabilities.begin() + 1, probabilities.end(),
                                 [](double p) { return p <= 1e-15; });
  probabilities.erase(rare, probabilities.end());
  return times(n, probabilities);
}

std::vector<double> gcd_expected(std::uint64_t n) {
  constexpr double coprime = 6 / (std::numbers::pi * std::numbers::pi);
  const auto pairs = static_cast<double>(n);
  const int last = 1 + static_cast<int>(std::sqrt(coprime * pairs / least_expected));
  std::vector<double> expected{0};
  double rest = pairs;
  for (int j = 1; j < last; ++j) {
    expected.push_back(pairs * coprime / j / j);
    rest -= expected.back();
  }
  expected.push_back(rest);
  return expected;
}

WalkExpected random_walk_expected(std::uint64_t n, int length) {
  const int half = length / 2;
  const auto entries = static_cast<std::size_t>(length) + 1;
  const auto half_entries = static_cast<std::size_t>(half) + 1;
  WalkExpected walk{times(n, binomial(length, 0.5)), std::vector<double>(entries, 0.0),
                    std::vector<double>(entries, 0.0), std::vector<double>(half_entries, 0.0),
                    std::vector<double>(half_entries, 0.0)};
  const double middle = walk.h[static_cast<std::size_t>(half)];
  walk.m[0] = middle;
  walk.j.front() = middle;
  walk.j.back() = middle;
  walk.r[0] = middle;
  for (int i = 0; i < half; ++i) {  // maxima 2 i - 1 and 2 i are equally likely, and so on
    const auto at = static_cast<std::size_t>(i);
    const double maximum = walk.m[2 * at] * (half - i) / (half + i + 1);
    walk.m[2 * at + 1] = maximum;
    walk.m[2 * at + 2] = maximum;
    walk.r[at + 1] = walk.r[at] * (length - 2 * i) / (length - i);
    if (4 * i >= length) continue;
    const double above =
        walk.j[2 * at] * (half - i) * (1 + 2 * i) / ((i + 1.0) * (length - 2 * i - 1));
    walk.j[2 * at + 2] = above;
    walk.j[entries - 3 - 2 * at] = above;
  }
  walk.c[0] =
      2 * static_cast<double>(n) * binomial(length - 1, 0.5)[static_cast<std::size_t>(half)];
  for (int i = 0; i + 1 < half; ++i) {
    const auto at = static_cast<std::size_t>(i);
    walk.c[at + 1] = walk.c[at] * (half - i - 1) / (half + i + 1);
  }
  return walk;
}

PeriodClasses period_classes(std::uint64_t n, int s) {
  std::vector<std::vector<Population>> found{{{0, 1}}};
  for (int bits = 1; bits <= s; ++bits) found.push_back(populations(bits, found));
  PeriodClasses classes;
  for (const Population& one : found.back()) {
    classes.correlations.push_back(one.correlation);
    classes.expected.push_back(std::ldexp(static_cast<double>(n), -s) *
                               static_cast<double>(one.strings));
  }
  return classes;
}

std::vector<double> longest_run_expected(std::uint64_t n, double bits) {
  const auto blocks = static_cast<double>(n);
  std::vector<double> expected;
  double below = 0;  // the probability of what is shorter
  for (int j = 0;; ++j) {
    const double here = longest_run_below(j + 1, bits) - longest_run_below(j, bits);
    const bool is_last = here <= std::numeric_limits<double>::epsilon() && below > 0.5;
    expected.push_back(blocks * (is_last ? 1 - below : here));
    if (is_last) return expected;
    below += here;
  }
}

std::vector<double> jump_size_expected(std::uint64_t jumps, std::uint64_t bits) {
  const double mean = jumps_mean(bits);
  const int last = std::max(1, static_cast<int>(std::log2(mean / least_expected)));
  std::vector<double> expected{0};
  for (int size = 1; size < last; ++size) {
    expected.push_back(std::ldexp(static_cast<double>(jumps), -size));
  }
  expected.push_back(std::ldexp(static_cast<double>(jumps), 1 - last));
  return expected;
}

ChiSquare hamming_indep(std::uint64_t n, int length, std::span<const std::uint64_t> counts) {
  const std::vector<double> mass = binomial(length, 0.5);
  const std::size_t side = mass.size();
  MergedClasses classes;
  double rest_expected = 0;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const double expected = static_cast<double>(n) * mass[i] * mass[j];
      if (expected >= least_expected) {
        classes.expected.push_back(expected);
        classes.counts.push_back(counts[i * side + j]);
      } else {
        rest_expected += expected;
        rest += counts[i * side + j];
      }
    }
  }
  if (rest_expected >= least_expected || classes.expected.empty()) {
    classes.expected.push_back(rest_expected);
    classes.counts.push_back(rest);
  } else {
    classes.expected.back() += rest_expected;
    classes.counts.back() += rest;
  }
  if (classes.expected.size() == 1) {  // then weights of second blocks up to half and above are two
    classes = {{0, 0}, {0, 0}};
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) {
        const std::size_t upper = 2 * j > side - 1 ? 1 : 0;
        classes.expected[upper] += static_cast<double>(n) * mass[i] * mass[j];
        classes.counts[upper] += counts[i * side + j];
      }
    }
  }
  return chi_square_unmerged(classes.expected, classes.counts);
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "battery/families/family.hpp"
#include "rivulet/detail/algebra/berlekamp_massey.hpp"

// The sequential tests in this file run on host threads, concurrently with other tests. The tests'
// words are in host memory. A test uses s bits of each word, after the first r bits.

namespace rivulet::detail {
namespace {

constexpr int complexity_reach = 16;  ///< larger deviations have probability 2^-32

/// Returns `count` bits of a sequence with s bits per word, after the first r bits of each word.
/// The first bit is the lowest.
Gf2Words bits_in_a_row(const std::uint32_t* words, std::uint64_t count, int r, int s) {
  const std::uint64_t each = to_u64(s);
  Gf2Words bits(count / 64 + 1, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t bit = words[i / each] << r << i % each >> 31;
    bits[i / 64] |= std::uint64_t{bit} << i % 64;
  }
  return bits;
}

std::uint64_t whole_bits(Test test) { return test.n / to_u64(test.s) * to_u64(test.s); }

/// Returns the mean number of jumps in the linear complexity profile of random bits.
double jumps_mean(std::uint64_t bits) {
  return to_double(bits) / 4 + (bits % 2 == 0 ? 4 : 5) / 12. - std::exp2(-to_double(bits)) / 3;
}
/// Returns the standard normal statistic of the number of jumps in a profile.
double jumps_z(std::uint64_t jumps, std::uint64_t bits) {
  const double n = to_double(bits);
  const double odd = bits % 2 == 0 ? 0 : 1;
  const double rare = std::exp2(-n);
  const double variance =
      n / 8 - (2 - odd) / (9 - odd) + n * rare / 6 + (6 + odd) * rare / 18 - rare * rare / 9;
  return (to_double(jumps) - jumps_mean(bits)) / std::sqrt(variance);
}

/// Returns the expected numbers of jumps. Entry k is for jumps of size k; the last entry includes
/// larger jumps. Entry 0 is 0, so chi_square_unmerged() skips it. The classes must not be merged,
/// because counter 0 is the total number of jumps. With fewer than three entries, there is no test.
std::vector<double> jump_sizes_expected(std::uint64_t jumps, std::uint64_t bits) {
  const int last = std::max(1, static_cast<int>(std::log2(jumps_mean(bits) / min_expected)));
  std::vector<double> expected{0};
  for (int size = 1; size < last; ++size) expected.push_back(std::ldexp(to_double(jumps), -size));
  expected.push_back(std::ldexp(to_double(jumps), 1 - last));
  return expected;
}

/// Returns the total number of jumps, followed by the numbers of jumps of size 1, 2, and so on. The
/// last class includes larger jumps.
std::vector<std::uint64_t> count_jumps(const std::uint32_t* words, Test test) {
  const std::uint64_t bits = whole_bits(test);
  std::vector<std::uint64_t> found(jump_sizes_expected(0, bits).size());
  const BerlekampMassey profile(bits_in_a_row(words, bits, test.r, test.s), bits,
                                [&](std::uint64_t size) {
                                  ++found[0];
                                  ++found[std::min<std::uint64_t>(size, found.size() - 1)];
                                });
  return found;
}

std::vector<PValue> judge_jumps(Test test, Counters counters, Reals) {
  const std::uint64_t bits = whole_bits(test);
  std::vector<double> z;
  for (const Counters row : rows_of(test, counters)) z.push_back(jumps_z(row[0], bits));
  PValue jumps = normal(z);
  jumps.statistic = "jumps";
  const auto sizes = [&](Counters row) {
    return chi_square_unmerged(jump_sizes_expected(row[0], bits), row);
  };
  return {jumps, summed(test, counters, sizes, "sizes")};
}

std::vector<std::uint64_t> count_complexities(const std::uint32_t* words, Test test) {
  const std::uint64_t bits = to_u64(test.L);
  std::vector<std::uint64_t> found(2 * complexity_reach + 1);
  for (std::uint64_t i = 0; i < test.n; ++i) {
    const BerlekampMassey profile(bits_in_a_row(words + i * bits, bits, test.r, 1), bits);
    const auto excess = static_cast<std::int64_t>(profile.order()) - test.L / 2 + complexity_reach;
    ++found[static_cast<std::size_t>(std::clamp<std::int64_t>(excess, 0, 2 * complexity_reach))];
  }
  return found;
}

/// Returns the expected numbers of sequences by class of linear complexity (R. Rueppel, Analysis
/// and Design of Stream Ciphers (1986), chapter 4).
std::vector<double> complexities_expected(Test test) {
  std::vector<double> expected(2 * complexity_reach + 1);
  // Complexity c occurs in 2^min(2 c - 1, 2 L - 2 c) of the 2^L sequences.
  for (int c = 1; c <= test.L; ++c) {
    const double p = std::exp2(std::min(2 * c - 1, 2 * test.L - 2 * c) - test.L);
    const int place = std::clamp(c - test.L / 2 + complexity_reach, 0, 2 * complexity_reach);
    expected[static_cast<std::size_t>(place)] += to_double(test.items()) * p;
  }
  return expected;
}

/// Counts the words of a Lempel-Ziv parse. Each word is the shortest prefix of the remaining bits
/// that is not yet a word. An unfinished last word counts if it is a proper prefix of a known word.
std::uint64_t count_parsed_words(const std::uint32_t* word, Test test) {
  const std::uint64_t bits = std::uint64_t{1} << test.t;
  // This vector is a binary trie. Each node is a known word, and lists the nodes of the word's two
  // one-bit extensions. Node 0 is the empty word. Instead of a node, 0 means that the extension is
  // not a known word.
  std::vector<std::array<std::uint32_t, 2>> longer{{0, 0}};
  std::uint32_t at = 0;
  std::uint64_t words = 0;
  for (std::uint64_t i = 0; i < bits;) {
    const std::uint32_t some = strip_bits(*word++, test.r, test.s);
    for (int e = test.s - 1; e >= 0 && i < bits; --e, ++i) {
      std::uint32_t& next = longer[at][some >> e & 1];
      at = next;
      if (at != 0) continue;
      ++words;
      next = static_cast<std::uint32_t>(longer.size());
      longer.push_back({0, 0});
    }
  }
  return words + (at != 0 && longer[at] != std::array<std::uint32_t, 2>{0, 0} ? 1 : 0);
}

/// Returns the standard normal statistic of the number of words in 2^k bits, 3 <= k <= 28. Exact
/// moments are not known. The mean and the standard deviation are TestU01's, from 1000 simulations.
/// The errors are about 0.03 standard deviations for the mean, and 2 % for the standard deviation.
double lempel_ziv_z(Test test, Counters words) {
  struct Moments {
    double mean, deviation;
  };
  constexpr std::array<Moments, 26> table = {{
      {4.44, 0.49},       {7.64, 0.51},        {12.5, 0.62},     {20.8, 0.75},
      {34.8, 0.78},       {58.9, 0.86},        {101.1, 0.94},    {176.0, 1.03},
      {310.0, 1.19},      {551.9, 1.43},       {992.3, 1.68},    {1799., 2.09},
      {3286.2, 2.46},     {6041.5, 3.36},      {11171.5, 4.2},   {20761.8, 5.4},
      {38760.4, 6.8},     {72654., 9.1},       {136677., 10.9},  {257949., 14.7},
      {488257., 19.1},    {926658., 25.2},     {1762965., 33.5}, {3361490., 44.546},
      {6422497., 58.194}, {12293930., 75.513},
  }};
  const Moments& moments = table[static_cast<std::size_t>(test.t - 3)];
  return (to_double(words[0]) - moments.mean) / moments.deviation;
}

}  // namespace

/// scomp_LinearComp: counts jumps in the linear complexity profile of n bits.
TestClass families::linear_comp() {
  TestClass jumps("LinearComp", "s = {s}");
  jumps.counters = [](Test test) { return jump_sizes_expected(0, whole_bits(test)).size(); };
  jumps.words = [](Test test) { return test.n / to_u64(test.s); };
  jumps.counted_on_host = count_jumps;
  jumps.judge = judge_jumps;
  return jumps;
}

/// Counts n sequences of L bits, one bit per word, by linear complexity minus L / 2. The classes
/// are -16 .. 16; the two end classes include larger deviations.
TestClass families::complexities() {
  TestClass orders("Complexities", "L = {L}");
  orders.expected = complexities_expected;
  orders.words = [](Test test) { return test.n * to_u64(test.L); };
  orders.counted_on_host = count_complexities;
  orders.pools = true;
  // For n = 2^k, the expected numbers are integers. With fewer than 4096 sequences, all counts can
  // equal the expected numbers, which leads to p = 1.
  orders.min_items = [](Test) { return std::uint64_t{4096}; };
  return orders;
}

/// scomp_LempelZiv: counts the words of a parse of 2^t bits.
TestClass families::lempel_ziv() {
  TestClass parse("LempelZiv", "k = {t}, s = {s}");
  parse.words = [](Test test) {
    return ((std::uint64_t{1} << test.t) + to_u64(test.s) - 1) / to_u64(test.s);
  };
  // Memory for all replications, at 8 bytes per node. For t >= 22, as in all our tests, a trie has
  // fewer than one node per 16 bits.
  parse.bytes = [](Test test) { return test.N << (test.t - 1); };
  parse.counted_on_host = [](const std::uint32_t* words, Test test) {
    return std::vector{count_parsed_words(words, test)};
  };
  parse.judge = normals(lempel_ziv_z);
  return parse;
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/family.hpp"

// Tests for dependencies between the weights (numbers of ones) of several blocks or words at short
// distances. See D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM
// Transactions on Mathematical Software 47 (2021) 36, section 6.

namespace rivulet::detail {
namespace {

/// Counts tuples of eight consecutive blocks. A tuple's cell has eight ternary digits, with the
/// first block's digit highest. A digit is 0, 1 or 2 if the block's weight is below, in or above
/// the middle class (length / 2 - spread .. length / 2 + spread). `length` is a power of 2. An item
/// has `grouped` words, which form complete blocks. `grouped` is a multiple of 4.
struct WeightTrits {
  static constexpr int digits = 8;
  static constexpr int cells = 6561;

  int length;
  int spread;
  int grouped;

  KOKKOS_FUNCTION int blocks_per_word() const { return length < 32 ? 32 / length : 1; }
  KOKKOS_FUNCTION int words_per_block() const { return length > 32 ? length / 32 : 1; }
  std::uint64_t words() const { return to_u64(grouped); }
  /// Returns the number of earlier words that an item reads. This number is a multiple of four,
  /// because four words are read together. On a device, the four loads overlap.
  KOKKOS_FUNCTION std::uint64_t history() const {
    return static_cast<std::uint64_t>(
        (words_for(digits - 1, blocks_per_word()) * words_per_block() + 3) / 4 * 4);
  }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    const int below = length / 2 - spread;
    const int above = length / 2 + spread;
    std::uint32_t code = 0;
    int digit = 0;
    int ones = 0;
    for (int i = item == 0 ? 0 : -static_cast<int>(history()); i < grouped; i += 4) {
      const auto add = [&](int weight) {
        const std::uint32_t trit = (weight >= below ? 1U : 0U) + (weight > above ? 1U : 0U);
        code = code % (cells / 3) * 3 + trit;
        if (++digit >= digits && i >= 0) to.add(code);
      };
      const std::uint32_t four[] = {word[i], word[i + 1], word[i + 2], word[i + 3]};
      const auto end_block = [&](int next) {
        if ((next & (words_per_block() - 1)) != 0) return;  // words_per_block() is a power of 2
        add(ones);
        ones = 0;
      };
      if (words_per_block() >= 4) {
        for (const std::uint32_t w : four) ones += popcount(w);
        end_block(i + 4);
        continue;
      }
      for (int k = 0; k < 4; ++k) {
        if (length >= 32) {
          ones += popcount(four[k]);
          end_block(i + k + 1);
          continue;
        }
        for (int part = 0; part < blocks_per_word(); ++part) {
          add(popcount(strip_bits(four[k], part * length, length)));
        }
      }
    }
  }
};

std::uint64_t grouped_words(Test test) { return test.L > 64 ? to_u64(test.L / 2) : 16; }

/// Evaluates two orthonormal functions of each digit, one odd and one even. For each non-empty
/// subset of the eight blocks and each choice of a function per block, sums the product of the
/// functions over all tuples. These sums are uncorrelated. The largest sum for each subset size
/// yields a p-value. Returns the smallest of these eight p-values, corrected for their number.
std::vector<PValue> judge_tuples(Test test, Counters counters, Reals) {
  const double out = weight_middle(test.L).outside;
  const double in = 1 - 2 * out;
  const std::vector<std::uint64_t> counts = sum_over_rows(test, counters);
  std::vector<double> sums(counts.begin(), counts.end());
  const double root = std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
  // For each digit, replaces the three counts with three sums: the sum of 1, the sum of an odd
  // function about the middle, and the sum of an even function.
  for (std::size_t step = 1; step < sums.size(); step *= 3) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i / step % 3 != 0) continue;
      const double below = sums[i], middle = sums[i + step], above = sums[i + 2 * step];
      sums[i] = below + middle + above;
      sums[i + step] = (above - below) / std::sqrt(2 * out);
      sums[i + 2 * step] =
          (below + above) * std::sqrt(in / (2 * out)) - middle * std::sqrt(2 * out / in);
    }
  }
  std::vector<std::vector<double>> z_by_blocks(WeightTrits::digits);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i % 3 == 0) continue;
    std::size_t blocks = 0;
    for (std::size_t index = i; index > 0; index /= 3) blocks += index % 3 != 0 ? 1 : 0;
    z_by_blocks[blocks - 1].push_back(sums[i] / root);
  }
  PValue min_p{"", 0, 1};
  for (const std::vector<double>& z : z_by_blocks) {
    PValue candidate = largest_normal(z);
    if (candidate.p < min_p.p) min_p = candidate;
  }
  min_p.p = any_p(min_p.p, static_cast<double>(z_by_blocks.size()));
  return {min_p};
}

constexpr std::uint64_t max_lag = 64;
constexpr std::uint64_t products = max_lag + max_lag * (max_lag - 1) / 2;

/// Writes the height of each word, which is its number of ones minus 16.
void put_heights(const Space& space, const std::uint32_t* words, std::uint64_t count,
                 signed char* heights) {
  for_each(
      space, count, "rivulet::battery_weights", KOKKOS_LAMBDA(const std::uint64_t i) {
        heights[i] = static_cast<signed char>(popcount(words[i]) - 16);
      });
}

/// Adds the products of the heights with indices max_lag .. max_lag + words - 1 and earlier
/// heights. Consecutive lanes process consecutive lags.
void add_products(const Space& space, const signed char* heights, std::uint64_t words,
                  const Owned<std::uint64_t>& sums) {
  constexpr std::uint64_t words_of_lane = 4096;
  for_each(
      space, (words + words_of_lane - 1) / words_of_lane * products, "rivulet::battery_products",
      KOKKOS_LAMBDA(const std::uint64_t lane) {
        const std::uint64_t which = lane % products;
        const std::uint64_t from = lane / products * words_of_lane;
        const std::uint64_t end = from + words_of_lane < words ? from + words_of_lane : words;
        int a = static_cast<int>(which) + 1;
        int b = 0;
        if (which >= max_lag) {
          // The pairs of lags (a, b) are in the order (1, 2), (1, 3), (2, 3), (1, 4), ...
          a = static_cast<int>(which - max_lag);
          for (b = 2; a >= b - 1; ++b) a -= b - 1;
          ++a;
        }
        const signed char* const current = heights + max_lag;
        int sum = 0;  // each product is at most 16^3
        for (std::uint64_t i = from; i < end; ++i) {
          const int product = current[i] * current[static_cast<std::int64_t>(i) - a];
          sum += b == 0 ? product : product * current[static_cast<std::int64_t>(i) - b];
        }
        Kokkos::atomic_add(&sums(which), static_cast<std::uint64_t>(std::int64_t{sum}));
      });
}

/// Returns sums over i = max_lag .. n - 1, modulo 2^64. Let h(i) be the height of word i. The
/// first sums are those of h(i) h(i - a) for a = 1 .. max_lag. Next are the sums of h(i) h(i - a)
/// h(i - b) for 1 <= a < b <= max_lag.
Replication count_weight_products(const Sample& sample, Test) {
  const Space& space = sample.space();
  const Owned<std::uint64_t> sums("rivulet::battery_sums", products);
  const std::uint64_t at_once = sample.tiles.capacity() - max_lag;
  const Owned<signed char> heights("rivulet::battery_weights",
                                   std::min(at_once + max_lag, sample.n));
  for (std::uint64_t done = max_lag; done < sample.n; done += at_once) {
    const std::uint64_t some = std::min(at_once, sample.n - done);
    put_heights(space, sample.read(done - max_lag, some + max_lag), some + max_lag, heights.data());
    add_products(space, heights.data(), some, sums);
  }
  return {on_host(space, sums), sample.n};
}

std::vector<PValue> judge_products(Test test, Counters counters, Reals) {
  std::vector<double> two, three;
  for (const std::uint64_t sum : sum_over_rows(test, counters)) {
    // The variance of a word's height is 8, so a product of two or three heights has the variance
    // 8^2 or 8^3.
    std::vector<double>& to = two.size() < max_lag ? two : three;
    const double variance = &to == &two ? 64 : 512;
    to.push_back(static_cast<double>(static_cast<std::int64_t>(sum)) /
                 std::sqrt(variance * (to_double(test.N) * to_double(test.n - max_lag))));
  }
  std::vector<PValue> found{largest_normal(two), largest_normal(three)};
  found[0].statistic = "2 words";
  found[1].statistic = "3 words";
  return found;
}

}  // namespace

WeightMiddle weight_middle(int length) {
  const auto below = [&](int spread) {
    return binomial_tails(to_u64(length / 2 - spread - 1), to_u64(length), 0.5).left;
  };
  const auto off = [&](int spread) { return std::abs(below(spread) - 1.0 / 3); };
  int spread = 0;
  while (spread + 1 < length / 2 && off(spread + 1) < off(spread)) ++spread;
  return {spread, below(spread)};
}

PValue largest_normal(std::span<const double> z) {
  const double farthest =
      *std::ranges::max_element(z, {}, [](double value) { return std::abs(value); });
  return {"", farthest, any_p(2 * normal_p(std::abs(farthest)), to_double(z.size()))};
}

/// Counts tuples of the weights of eight consecutive blocks. The number of words is n, rounded down
/// to a multiple of the words per item.
TestClass families::hamming_tuples() {
  TestClass tuples("HammingTuples", "L = {L}, 8 blocks");
  tuples.counters = [](Test) { return std::uint64_t{WeightTrits::cells}; };
  tuples.item_words = [](Test test) { return 2 * grouped_words(test); };  // an item and its history
  tuples.words = [](Test test) { return test.n / grouped_words(test) * grouped_words(test); };
  tuples.counted = [](const Sample& sample, Test test) {
    const WeightTrits item{test.L, weight_middle(test.L).spread,
                           static_cast<int>(grouped_words(test))};
    return count_items(sample.with(sample.n / item.words()), WeightTrits::cells, item);
  };
  tuples.judge = judge_tuples;
  tuples.pools = true;
  tuples.min_chunk_words = grouped_words;
  tuples.min_items = [](Test test) { return 128 * to_u64(test.L); };  // 4096 blocks
  return tuples;
}

/// Sums products of the weights of two or three words, at lags up to 64, among n words.
TestClass families::hamming_products() {
  TestClass test_class("HammingProducts", "lags to 64");
  test_class.counters = [](Test) { return products; };
  test_class.item_words = [](Test) { return 2 * max_lag; };
  test_class.words = every_word;
  test_class.counted = count_weight_products;
  test_class.judge = judge_products;
  test_class.pools = true;
  return test_class;
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/family.hpp"

// Tests the weights (numbers of ones) of blocks of L bits, with s bits per word. Also counts the
// ones in the exclusive-or of bits that are a lag apart.

namespace rivulet::detail {
namespace {

/// Counts the weights i and j of two consecutive blocks in cell i (length + 1) + j.
struct WeightPair {
  Blocks blocks;

  std::uint64_t words() const { return 2 * blocks.words(); }
  KOKKOS_FUNCTION int weight(const std::uint32_t* word) const {
    const int s = blocks.s;
    int ones = 0;
    int length = blocks.length;
    for (; length >= s; length -= s) ones += popcount(strip_bits(*word++, blocks.r, s));
    return length > 0 ? ones + popcount(strip_bits(*word, blocks.r, length)) : ones;
  }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    return to_u64(weight(word) * (blocks.length + 1) + weight(word + blocks.words()));
  }
};
WeightPair pair_of(Test test) { return {blocks_of(test)}; }

/// Counts the weights of the previous block and of the item's block as a pair.
struct NeighbourWeights {
  WeightPair pair;

  std::uint64_t words() const { return pair.blocks.words(); }
  std::uint64_t history() const { return words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    if (item > 0) to.add(pair.cell(word - pair.blocks.words()));
  }
};

std::uint64_t pairs_of_weights(Test test) { return to_u64(test.L + 1) * to_u64(test.L + 1); }

/// Returns chi-square for pairs of weights. Cells with an expected number below 10 are merged into
/// one class. If no other class exists, two classes are used instead: the second block's weight is
/// at most L / 2, or it is larger.
ChiSquare hamming_indep_chi_square(Test test, Counters counts) {
  const std::vector<double> mass = binomial_masses(test.L, 0.5);
  const std::size_t side = mass.size();
  MergedClasses classes;
  MergedClasses halves{{0, 0}, {0, 0}};
  double pooled_expected = 0;
  std::uint64_t pooled = 0;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const double expected = to_double(test.items()) * mass[i] * mass[j];
      const std::uint64_t count = counts[i * side + j];
      const std::size_t upper = 2 * j > side - 1 ? 1 : 0;
      halves.expected[upper] += expected;
      halves.counts[upper] += count;
      if (expected >= min_expected) {
        classes.expected.push_back(expected);
        classes.counts.push_back(count);
      } else {
        pooled_expected += expected;
        pooled += count;
      }
    }
  }
  if (pooled_expected >= min_expected || classes.expected.empty()) {
    classes.expected.push_back(pooled_expected);
    classes.counts.push_back(pooled);
  } else {
    classes.expected.back() += pooled_expected;
    classes.counts.back() += pooled;
  }
  if (classes.expected.size() == 1) classes = halves;
  return chi_square_unmerged(classes.expected, classes.counts);
}

/// Returns the standard normal statistic from the weights of n - 1 pairs of adjacent blocks.
double hamming_correlation_z(Test test, Counters counts) {
  const std::size_t side = to_u64(test.L) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      sum += to_double(counts[i * side + j]) * (to_double(i) - test.L / 2.) *
             (to_double(j) - test.L / 2.);
    }
  }
  return 4 * sum / (test.L * std::sqrt(to_double(test.n) - 1));
}

/// Adds the number of ones of each block to `ones`, one lane per piece of a block. On a device,
/// adjacent lanes read adjacent words (coalesced loads).
void add_ones(const Space& space, const Blocks& blocks, const std::uint32_t* words,
              std::uint64_t count, const Owned<std::uint64_t>& ones) {
  const LaneItems pieces = lane_items(space, blocks.words(), min_piece_words);
  const int last_bits = blocks.length - (static_cast<int>(pieces.items) - 1) * blocks.s;
  for_each(
      space, count * pieces.lanes, "rivulet::battery_weights",
      KOKKOS_LAMBDA(const std::uint64_t lane) {
        const std::uint64_t block = lane / pieces.lanes, piece = lane % pieces.lanes;
        const std::uint32_t* const word = words + block * pieces.items;
        std::uint64_t sum = 0;
        for (std::uint64_t i = pieces.begin(piece); i < pieces.end(piece); i += pieces.step()) {
          const int bits = i + 1 == pieces.items ? last_bits : blocks.s;
          sum += to_u64(popcount(strip_bits(word[i], blocks.r, bits)));
        }
        Kokkos::atomic_add(&ones(block), sum);
      });
}

/// Returns the sum of (2 ones - length)^2 over n blocks.
std::uint64_t sum_squared_excess(const Space& space, const Owned<std::uint64_t>& ones,
                                 std::uint64_t n, std::uint64_t length) {
  return sum_over(
      space, n, "rivulet::battery_squares",
      KOKKOS_LAMBDA(const std::uint64_t block, std::uint64_t& sum) {
        const std::uint64_t excess = 2 * ones(block) - length;  // modulo 2^64, like its square
        sum += excess * excess;
      });
}

/// Returns the number of blocks in a replication of HammingWeight2.
std::uint64_t blocks_of_weights(Test test) { return test.n / to_u64(test.L); }

Replication count_squared_weights(const Sample& sample, Test test) {
  const Space& space = sample.space();
  const std::uint64_t block = words_of_block(test), blocks = blocks_of_weights(test);
  const std::uint64_t at_once = std::min(blocks, sample.tiles.capacity() / block);
  const Owned<std::uint64_t> ones("rivulet::battery_ones", at_once);
  std::uint64_t sum = 0;
  for (std::uint64_t done = 0; done < blocks; done += at_once) {
    const std::uint64_t some = std::min(at_once, blocks - done);
    Kokkos::deep_copy(space, ones, std::uint64_t{0});
    add_ones(space, blocks_of(test), sample.read(done * block, some * block), some, ones);
    sum += sum_squared_excess(space, ones, some, to_u64(test.L));
  }
  return {{sum}, blocks * block};
}

/// Counts the ones among the exclusive-ors of bits that are `lag` bits apart, with s bits per word.
/// An item processes the word that is floor(lag / s) + 1 words before the item's own word. The bits
/// that follow that word's bits by `lag` are in the item's own word and its predecessor.
struct LaggedBits {
  static constexpr int sums = 1;

  int r;
  int s;
  int lag;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return to_u64(lag / s) + 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    const int full_words = lag / s;
    const int bits = lag % s;
    if (item <= to_u64(full_words)) return;
    const std::uint32_t unlagged = strip_bits(word[-full_words - 1], r, s);
    const std::uint32_t lagged =
        strip_bits(word[-1], r, s) << bits | strip_bits(*word, r, s) >> (s - bits);
    to.add(0, static_cast<std::uint64_t>(
                  popcount((unlagged ^ lagged) & (~std::uint32_t{0} >> (32 - s)))));
  }
};

/// Returns the number of AutoCor's pairs of bits, rounded down to a multiple of s.
std::uint64_t lagged_pairs(Test test) {
  return (test.n - test.d) / to_u64(test.s) * to_u64(test.s);
}
/// Returns the number of words that AutoCor reads. If s divides the lag, TestU01 draws one word
/// more than needed.
std::uint64_t lagged_words(Test test) {
  return lagged_pairs(test) / to_u64(test.s) + test.d / to_u64(test.s) + 1;
}

}  // namespace

/// sstring_HammingIndep (d = 0, L >= s): counts pairs of blocks by their weights.
TestClass families::hamming_indep() {
  TestClass indep = class_of_items("HammingIndep", "s = {s}, L = {L}", pair_of);
  indep.counters = pairs_of_weights;
  indep.judge = chi_squares(hamming_indep_chi_square);
  indep.pools = true;
  return indep;
}

/// sstring_HammingCorr: counts the n - 1 pairs of adjacent blocks by their weights.
TestClass families::hamming_corr() {
  TestClass neighbours = class_of_items("HammingCorr", "s = {s}, L = {L}",
                                        [](Test test) { return NeighbourWeights{pair_of(test)}; });
  neighbours.counters = pairs_of_weights;
  neighbours.item_words = [](Test test) { return 2 * words_of_block(test); };
  neighbours.words = [](Test test) { return test.n * words_of_block(test); };
  neighbours.judge = normals(hamming_correlation_z);
  return neighbours;
}

/// sstring_HammingWeight2: sums (2 ones - L)^2 over the n / L blocks.
TestClass families::hamming_weight2() {
  TestClass weights("HammingWeight2", "s = {s}, L = {L}");
  weights.item_words = words_of_block;
  weights.words = [](Test test) { return blocks_of_weights(test) * words_of_block(test); };
  weights.counted = count_squared_weights;
  weights.judge = chi_squares([](Test test, Counters sum) {
    return ChiSquare{to_double(sum[0]) / test.L, test.items() / test.n * blocks_of_weights(test)};
  });
  weights.pools = true;
  weights.min_chunk_words = words_of_block;
  weights.min_items = [](Test test) {
    return 16 * to_u64(test.L);
  };  // with fewer items, every block may have L / 2 ones
  return weights;
}

/// sstring_AutoCor: counts the ones among the exclusive-ors of bits at lag d.
TestClass families::autocor() {
  TestClass autocor("AutoCor", "s = {s}, d = {d}");
  autocor.item_words = [](Test test) { return test.d / to_u64(test.s) + 2; };
  autocor.words = lagged_words;
  autocor.counted = [](const Sample& sample, Test test) {
    const LaggedBits item{test.r, test.s, static_cast<int>(test.d)};
    return count_items(sample.with(lagged_words(test)), 1, item);
  };
  autocor.judge = normals([](Test test, Counters ones) {
    const double bits = to_double(lagged_pairs(test));
    return 2 * (to_double(ones[0]) - bits / 2) / std::sqrt(bits);
  });
  return autocor;
}

}  // namespace rivulet::detail

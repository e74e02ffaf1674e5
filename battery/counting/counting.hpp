// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "battery/words/word_tiles.hpp"

// The counts of TestU01's tests, equal to TestU01's on the same sequence (L'Ecuyer & Simard,
// "TestU01: a C library for empirical testing of random number generators", ACM Transactions on
// Mathematical Software 33 (2007) 22; its user's guide names the tests and their parameters). All
// functions wait.

namespace rivulet {

/// What a test looks at: n items of a sequence, from a position on, without the first r bits of
/// each word.
struct Sample {
  WordTiles& tiles;
  std::uint64_t position;
  std::uint64_t n;
  int r;

  const Space& space() const { return tiles.space(); }
  Sample with(std::uint64_t items) const { return {tiles, position, items, r}; }
  /// Words from the one of index `at` on, as WordTiles::read().
  const std::uint32_t* read(std::uint64_t at, std::uint64_t count) const {
    return tiles.read(position + at, count);
  }
};

/// Counts, and the words that were read for them.
struct TestCounts {
  std::vector<std::uint64_t> counts;
  std::uint64_t words = 0;
  std::vector<double> reals = {};  ///< statistics of more numbers than are worth keeping
  bool ended = false;              ///< where n items did not come
};

/// Numbers of hands of k numbers below d <= 64 with 0 .. min(d, k) distinct ones
/// (sknuth_SimpPoker).
TestCounts count_poker_hands(const Sample& of, std::uint32_t d, int k);

/// Numbers of groups of k numbers of which 0 .. k are below limit / 2^32 (svaria_WeightDistrib).
TestCounts count_weights(const Sample& of, std::uint64_t limit, int k);

/// Numbers of matrices of ranks 0 .. columns, s bits of a word at a time (smarsa_MatrixRank), and
/// bytes of memory for more than 64 rows or columns.
TestCounts count_ranks(const Sample& of, int s, int rows, int columns);
std::uint64_t rank_bytes(std::uint64_t n, int rows, int columns);

/// Numbers of pairs of blocks of L bits, by the ones i and j in them at i (L + 1) + j
/// (sstring_HammingIndep, L >= s), and of neighbours among n blocks (sstring_HammingCorr).
TestCounts count_weight_pairs(const Sample& of, int s, int length);
TestCounts count_neighbour_weights(const Sample& of, int s, int length);

/// Numbers of walks of L steps by H, M, J, R and C, L + 1 cells each (swalk_RandomWalk1), and the
/// words of those that are counted together.
std::uint64_t walk_words(int s, int length);
TestCounts count_walks(const Sample& of, int s, int length);

/// The sum of the squared numbers of groups of t numbers in each of orders = t! orders
/// (sknuth_Permutation).
TestCounts count_orders(const Sample& of, int t, std::uint64_t orders);

/// Numbers of groups of t numbers by what t times I = 1 + floor(U I) leaves of I = most: 0 .. last
/// and above (smarsa_Savir2).
TestCounts count_savir(const Sample& of, std::uint64_t most, int t, std::uint64_t last);

/// Numbers of pairs by their greatest common divisor, 1 .. last and above; at 0 those that were
/// drawn again since one of them was 0 (smarsa_GCD). There are fewer than n if nearly all were.
TestCounts count_divisors(const Sample& of, int s, std::uint64_t last);

/// Numbers of strings of s bits by their correlation, among ascending ones
/// (sstring_PeriodsInStrings), and the words of those that are counted together.
std::uint64_t period_words();
TestCounts count_periods(const Sample& of, int s, const std::vector<std::uint32_t>& correlations);

/// The sum of (2 ones - length)^2 over n blocks of bits (sstring_HammingWeight2).
TestCounts count_squared_weights(const Sample& of, int s, int length);

/// Numbers of eight blocks of `length` bits, a power of 2, that follow each other, by a ternary
/// digit of each, the first one highest: 0, 1 or 2 for fewer ones than length / 2 - spread, more
/// than length / 2 + spread, and those between. Of n words as many are used as are whole groups.
TestCounts count_weight_trits(const Sample& of, int length, int spread);
inline constexpr int weight_trits_grouped(int length) { return length > 64 ? length / 2 : 16; }

/// Sums modulo 2^64 of the products h(i) h(i - a) for a = 1 .. most_lag, and after them those of
/// h(i) h(i - a) h(i - b), a < b, b from 2; h is the ones of a word less 16, and i goes from
/// most_lag to n - 1.
inline constexpr int most_lag = 64;
TestCounts count_weight_products(const Sample& of);

/// The ones among the exclusive-ors of the s bits of each of n words with the bits `lag` after them
/// (sstring_AutoCor, which draws a word more than it needs if s divides the lag).
TestCounts count_lagged_bits(const Sample& of, int s, int lag);

/// The sum of the products of n numbers, times 2^64, with those `lag` before them: first the sum of
/// the lower 32 bits, then that of the others (svaria_SampleCorr).
TestCounts count_lagged_products(const Sample& of, std::uint64_t lag);

/// Numbers of runs up (or down) of lengths 0 .. 6 and above among n numbers (sknuth_Run).
TestCounts count_number_runs(const Sample& of, bool is_up);

/// Numbers of runs of bits of lengths 0 .. longest and above, of zeros and of ones in turn, up to
/// the end of the word in which the n-th run of ones begins (sstring_Run). `ended`: that did not
/// come among 16 n bits.
TestCounts count_bit_runs(const Sample& of, int s, int longest);

/// Numbers of blocks of so many words by their longest run of ones, 0 .. last and above, and the
/// longest run of all, which may lie in several blocks (sstring_LongestHeadRun).
TestCounts count_longest_runs(const Sample& of, int s, std::uint64_t block, std::uint64_t last);

/// Numbers of blocks of `length` bits, from the one of index `from` of n, by how many blocks before
/// them the last one of the same value is, 0 .. longest_spacing and above
/// (svaria_AppearanceSpacings).
inline constexpr std::uint64_t longest_spacing = std::uint64_t{1} << 20;
/// Blocks that are sorted together.
inline constexpr std::uint64_t spacings_at_once = std::uint64_t{1} << 22;
TestCounts count_spacings(const Sample& of, std::uint64_t from, int s, int length);

/// The sum of the squared numbers of each value of `length` bits, of which a word has 32 / length.
TestCounts count_word_parts(const Sample& of, int length);

// With the sum of Anderson and Darling's statistic over real numbers that are made uniform by their
// law: sum of (2 i + 1) ln u[i] + (2 n - 2 i - 1) ln(1 - u[i]), i from 0.

/// Numbers of groups of t numbers by the class floor(d max^t) of their largest, whose power is C's
/// pow(); and the sum for the largest (sknuth_MaxOft).
TestCounts count_largest(const Sample& of, int d, int t);
/// The sum modulo 2^64 of the sums of t numbers, times 2^32; and Anderson and Darling's sum for
/// them (svaria_SampleMean). series: sum_of_uniforms_series(t).
TestCounts count_sums(const Sample& of, int t, const std::vector<double>& series);
/// The same of the products of t numbers and their bits (svaria_SampleProd).
TestCounts count_products(const Sample& of, int t);

// n points of t coordinates in d^t cells, d^t <= 2^64.

/// d^t modulo 2^64.
std::uint64_t cells_of(std::uint32_t d, int t);

/// Points in a cell that was taken already: n minus the number of distinct cells
/// (sknuth_Collision).
TestCounts count_collisions(const Sample& of, std::uint32_t d, int t);

/// The same of the n points that begin at each of n numbers, which are a circle
/// (smarsa_CollisionOver).
TestCounts count_overlapping_collisions(const Sample& of, std::uint32_t d, int t);

/// Groups of t numbers in an order, of t!, that was taken already (sknuth_CollisionPermut).
TestCounts count_equal_orders(const Sample& of, int t, std::uint64_t orders);

/// The sum of the squared numbers of overlapping points in all cells, and that in the cells of one
/// coordinate less (smarsa_SerialOver).
TestCounts count_serial(const Sample& of, std::uint32_t d, int t);
/// The same of the rests of words modulo 3 (gjrand's mod3, in SmokeRand without the second sum).
TestCounts count_serial_rests(const Sample& of, int t);

/// Equal neighbours among the sorted spacings of the sorted cells (smarsa_BirthdaySpacings, order
/// 1).
TestCounts count_equal_spacings(const Sample& of, std::uint32_t d, int t);

/// Distances in the maximum norm on the torus [0, 1)^t, times 2^32, of pairs of n points,
/// ascending: the `least` nearest, and all that are within `reach`, at most most_close_pairs
/// (snpair_ClosePairs).
inline constexpr std::uint64_t most_close_pairs = 1U << 16;
TestCounts count_close_pairs(const Sample& of, int t, int least, double reach);

/// The most leading bits in which all t coordinates of two of n points agree, at most 64 / t
/// (snpair_ClosePairsBitMatch).
TestCounts count_agreed_bits(const Sample& of, int t);

/// For n rows of 2^bits bits as 1 and -1 the sums over rows of |F|^2 / 2^bits of frequencies 1 ..
/// 2^bits / 4; counted are the ones (sspectral_Fourier3). Throws Error without a library for
/// transforms.
TestCounts count_spectra(const Sample& of, int s, int bits);

/// Numbers of gaps of lengths 0 .. longest between numbers below limit / 2^32, the last for all
/// that are longer; n gaps in all (sknuth_Gap). A gap of n or more ends the test: `ended`.
TestCounts count_gaps(const Sample& of, std::uint64_t limit, std::uint64_t longest);

/// Numbers of segments whose sum first exceeds g after 1 .. 51 numbers and more, n segments in all,
/// at most sum_draws numbers each (svaria_SumCollector).
inline constexpr int sum_draws = 1024;
TestCounts count_sum_segments(const Sample& of, int g);

/// Draws of a segment: the last is counted, but not made.
inline constexpr int coupon_draws = 62;

/// Numbers of segments in which d <= 64 numbers are complete after 0 .. 62 draws, n segments in
/// all; one that is not after 61 draws ends there and counts as 62 (sknuth_CouponCollector).
TestCounts count_coupon_segments(const Sample& of, std::uint32_t d);

// Sequential tests, on a thread of the host: of words in its memory, s bits of each from bit r on.

/// Words of a sequence, copied.
std::vector<std::uint32_t> words_on_host(WordTiles& tiles, std::uint64_t position,
                                         std::uint64_t count);

/// The words of Lempel and Ziv's parse of so many bits (scomp_LempelZiv).
std::uint64_t count_parsed_words(const std::uint32_t* words, std::uint64_t bits, int r, int s);

/// At 0 the number of jumps of the linear complexity of the first 1, 2, ... of so many bits, and
/// the numbers of jumps by their size, 1 .. largest and above (scomp_LinearComp).
std::vector<std::uint64_t> count_complexity_jumps(const std::uint32_t* words, std::uint64_t bits,
                                                  int r, int s, std::uint64_t largest);

/// Numbers of n sequences of so many bits, of a word each, by their linear complexity less half the
/// bits, -reach .. reach, the ends for all beyond.
std::vector<std::uint64_t> count_complexities(const std::uint32_t* words, std::uint64_t n,
                                              std::uint64_t bits, int r, int reach);

}  // namespace rivulet

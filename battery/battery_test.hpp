// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet {

/// The classes of tests; most are TestU01's. A class is a function of this name in a file of
/// families/.
#define RIVULET_TEST_CLASSES(CLASS) \
  CLASS(birthday_spacings)          \
  CLASS(collision)                  \
  CLASS(collision_over)             \
  CLASS(collision_permut)           \
  CLASS(permutation)                \
  CLASS(serial_over)                \
  CLASS(mod3)                       \
  CLASS(byte_rests)                 \
  CLASS(word_parts)                 \
  CLASS(close_pairs)                \
  CLASS(bit_match)                  \
  CLASS(coupon_collector)           \
  CLASS(sum_collector)              \
  CLASS(gap)                        \
  CLASS(appearance_spacings)        \
  CLASS(value_gaps)                 \
  CLASS(simp_poker)                 \
  CLASS(weight_distrib)             \
  CLASS(savir2)                     \
  CLASS(gcd)                        \
  CLASS(max_oft)                    \
  CLASS(sample_prod)                \
  CLASS(sample_mean)                \
  CLASS(sample_corr)                \
  CLASS(matrix_rank)                \
  CLASS(number_run)                 \
  CLASS(bit_run)                    \
  CLASS(longest_head_run)           \
  CLASS(linear_comp)                \
  CLASS(complexities)               \
  CLASS(lempel_ziv)                 \
  CLASS(fourier3)                   \
  CLASS(lags)                       \
  CLASS(random_walk)                \
  CLASS(periods_in_strings)         \
  CLASS(hamming_indep)              \
  CLASS(hamming_corr)               \
  CLASS(hamming_weight2)            \
  CLASS(autocor)                    \
  CLASS(hamming_tuples)             \
  CLASS(hamming_products)           \
  CLASS(overlaps)                   \
  CLASS(relations)

#define RIVULET_TEST_KIND(kind) kind,
enum class TestKind { RIVULET_TEST_CLASSES(RIVULET_TEST_KIND) };
#undef RIVULET_TEST_KIND

/// The words that a test of interleaved streams reads.
enum class Taken {
  in_turn,  ///< as they come
  apart,    ///< stream after stream, some of each
  sampled   ///< stream after stream, more of up to 16 streams
};

/// A test of a battery. The parameters have TestU01's names, as far as a class has them; others are
/// said here.
struct BatteryTest {
  std::string_view set;  ///< small, crush, big, beyond, windows or long
  std::uint64_t id = 0;  ///< in the set, which is TestU01's battery if it is small, crush or big
  TestKind kind = {};
  std::uint64_t N = 1;  ///< replications
  std::uint64_t n = 0;  ///< points, hands, gaps, matrices, ... of a replication
  int r = 0;            ///< first bits of each word that are dropped
  std::uint64_t d = 0;  ///< values of a number; 1 / d is the length of an interval; m of Savir2, Q
                        ///< of AppearanceSpacings (whose K is n), blocks of ValueGaps' n that
                        ///< only come before others, g of SumCollector, lag of AutoCor
  int t = 0;  ///< numbers in a point, group or hand (k in some classes; n in SampleMean, whose N is
              ///< n); the lag k of SampleCorr; k of LempelZiv and Fourier3 (whose N is n), which
              ///< read 2^k bits; of Run 1 for up, 0 for down
  int s = 0;  ///< bits of a word that are used
  int L = 0;  ///< bits in a block, steps, rows and columns; words in a row of Lags and Relations
  Taken taken = Taken::in_turn;
  std::uint64_t streams = 0;   ///< that are taken apart
  std::uint64_t length = 0;    ///< words of each of these
  std::uint64_t span = 0;      ///< words of the sequence from which these are taken
  bool pooled = false;         ///< counters of replications are added up, as if they were one
  std::uint64_t of_chunk = 1;  ///< replications of a chunk of shared tests

  /// Replications whose counters are kept apart.
  std::uint64_t rows() const { return pooled ? 1 : N; }
  /// Items of a row.
  std::uint64_t items() const { return pooled ? N * n : n; }
  /// Such as "small.3".
  std::string name() const;
};

/// All tests, set by set: SmallCrush, Crush and BigCrush, in TestU01's order, and further ones.
const std::vector<BatteryTest>& battery_tests();

/// The tests that a list of names asks for, in the list's order: of a set, of one test, or both.
/// Throws Error for unknown names and for tests named twice.
std::vector<BatteryTest> tests_named(const std::string& names);

}  // namespace rivulet

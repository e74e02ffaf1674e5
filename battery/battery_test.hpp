// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet {

/// The classes of tests. Most classes are TestU01's. Each name is also the name of a function in
/// families/ that returns the class.
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

/// The order in which a test reads the words of interleaved streams.
enum class StreamOrder {
  in_turn,      ///< the order of the sequence
  all_streams,  ///< stream by stream: few words of every stream
  sampled       ///< stream by stream: more words of up to 16 streams
};

/// A test of a battery. If TestU01 has the class, the parameters have TestU01's names, with the
/// exceptions given below.
struct BatteryTest {
  std::string_view set;  ///< default, small, crush, big, beyond, windows or long
  std::uint64_t id = 0;  ///< number in the set; TestU01's number in small, crush and big
  TestKind kind = {};
  std::uint64_t N = 1;  ///< replications
  std::uint64_t n = 0;  ///< points, hands, gaps, matrices, ... per replication
  int r = 0;            ///< number of leading bits dropped from each word
  /// Number of values that a number can have; intervals have length 1 / d. In some classes, d is
  /// another parameter instead: m of Savir2, Q of AppearanceSpacings (whose K is n), g of
  /// SumCollector, the lag of AutoCor, or the number of leading blocks that ValueGaps does not
  /// count.
  std::uint64_t d = 0;
  /// Numbers per point, group or hand. TestU01 calls this parameter k in some classes, and n in
  /// SampleMean, whose N is n here. In some classes, t is another parameter instead: the lag k of
  /// SampleCorr, the direction of Run (1 for up, 0 for down), or k of LempelZiv and Fourier3.
  /// LempelZiv and Fourier3 read 2^k bits. TestU01's N of Fourier3 is n here.
  int t = 0;
  int s = 0;  ///< bits used per word
  /// Bits per block, steps per walk, rows and columns per matrix, or words per row of Lags and
  /// Relations.
  int L = 0;
  StreamOrder stream_order = StreamOrder::in_turn;
  std::uint64_t streams = 0;  ///< number of streams that are read separately
  std::uint64_t length = 0;   ///< words of each such stream
  std::uint64_t span = 0;     ///< words of the sequence used to separate these streams
  bool pooled = false;        ///< replications share counters, as if they were one
  std::uint64_t replications_per_chunk =
      1;  ///< replications per chunk if all tests share the words

  /// Returns the number of replications with separate counters.
  std::uint64_t rows() const { return pooled ? 1 : N; }
  /// Returns the number of items per row of counters.
  std::uint64_t items() const { return pooled ? N * n : n; }
  /// Returns the set and the number, such as "small.3".
  std::string name() const;
};

/// Returns all tests, set by set: SmallCrush, Crush and BigCrush in TestU01's order, and further
/// sets.
const std::vector<BatteryTest>& battery_tests();

/// Returns the tests of a list of names, in the list's order. A name denotes a set or a single
/// test. Throws Error for unknown names and for tests named twice.
std::vector<BatteryTest> tests_named(const std::string& names);

}  // namespace rivulet

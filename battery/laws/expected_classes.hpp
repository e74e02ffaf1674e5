// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Expected numbers in the classes of TestU01's chi-square tests, and the statistic. A vector's
// index is the class, from 0; classes that cannot occur have 0. What lies beyond the last class
// counts there. Each function of a test names TestU01's. L'Ecuyer & Simard, ACM Trans. Math. Softw.
// 33 (2007) 22, and the guide of TestU01; Knuth, The Art of Computer Programming 2, 3.3.2.

namespace rivulet::detail {

struct MergedClasses {
  std::vector<double> expected;
  std::vector<std::uint64_t> counts;
};

/// Merges classes from the left until 10 are expected in each group; a last group with fewer joins
/// the one before (TestU01's gofs_MergeClasses).
MergedClasses merged(std::span<const double> expected, std::span<const std::uint64_t> counts);

struct ChiSquare {
  double statistic = 0;
  std::uint64_t degrees = 0;  ///< of freedom; without any there is no test

  double p() const;
};

/// The statistic of classes that are merged here.
ChiSquare chi_square(std::span<const double> expected, std::span<const std::uint64_t> counts);
/// That of classes as they are; those in which nothing is expected do not count.
ChiSquare chi_square_unmerged(std::span<const double> expected,
                              std::span<const std::uint64_t> counts);

/// sknuth_Gap: lengths 0, 1, ... of n gaps between numbers in an interval of length p.
std::vector<double> gap_expected(std::uint64_t n, double p);

/// sknuth_SimpPoker: distinct values 0 .. min(d, k) in hands of k cards of d values.
std::vector<double> simp_poker_expected(std::uint64_t n, int d, int k);

/// sknuth_CouponCollector: lengths 0 .. 62 of segments with all of d values; TestU01 cuts segments,
/// and 62 means that 61 numbers did not have them all.
std::vector<double> coupon_collector_expected(std::uint64_t n, int d);

/// svaria_WeightDistrib: how many of k numbers are in an interval of length p, 0 .. k.
std::vector<double> weight_distrib_expected(std::uint64_t n, int k, double p);

/// svaria_SumCollector: numbers until their sum is above g, less one: 0 .. 50.
std::vector<double> sum_collector_expected(std::uint64_t n, double g);

/// smarsa_MatrixRank: ranks 0 .. min(rows, columns) of random matrices over GF(2).
std::vector<double> matrix_rank_expected(std::uint64_t n, int rows, int columns);

/// smarsa_Savir2: I = m; t times I = 1 + floor(U I). Classes of probability below 10^-15 are cut.
std::vector<double> savir_expected(std::uint64_t n, std::int64_t m, int t);

/// smarsa_GCD: greatest common divisors of pairs, those of random integers whatever the bits.
std::vector<double> gcd_expected(std::uint64_t n);

/// swalk_RandomWalk1 of an even length: index H is the number of steps up, M the maximum, J twice
/// the number of odd steps above zero, R the number of returns, C that of sign changes.
struct WalkExpected {
  std::vector<double> h;  ///< 0 .. length, and so are m and j
  std::vector<double> m;
  std::vector<double> j;
  std::vector<double> r;  ///< 0 .. length / 2, and so is c
  std::vector<double> c;
};
WalkExpected random_walk_expected(std::uint64_t n, int length);

/// sstring_PeriodsInStrings: strings of s bits, s <= 32, by their correlation, whose bit s - 1 - k
/// is set if the string without its first k bits equals that without its last k. Classes are in the
/// order of these words, as in TestU01, which counts them from 1. The populations are 2^(free bits)
/// of the strings that have at least these periods, less those of larger sets; which sets occur:
/// Guibas & Odlyzko, J. Comb. Theory A 30 (1981) 19.
struct PeriodClasses {
  std::vector<std::uint32_t> correlations;
  std::vector<double> expected;
};
PeriodClasses period_classes(std::uint64_t n, int s);

/// sstring_LongestHeadRun: lengths of the longest run of ones in blocks of `bits`, cut where the
/// probability vanishes.
std::vector<double> longest_run_expected(std::uint64_t n, double bits);

/// scomp_LinearComp: sizes of a linear complexity profile's jumps in `bits` bits, from 1; index 0
/// is unused. With fewer than three entries there is no test. Not to be merged.
std::vector<double> jump_size_expected(std::uint64_t jumps, std::uint64_t bits);

/// sstring_HammingIndep (d = 0): pairs of weights of blocks of `length` bits, counts[i (length + 1)
/// + j]. Cells with fewer than 10 expected are one class.
ChiSquare hamming_indep(std::uint64_t n, int length, std::span<const std::uint64_t> counts);

}  // namespace rivulet::detail

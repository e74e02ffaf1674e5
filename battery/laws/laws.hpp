// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "battery/laws/distributions.hpp"
#include "battery/laws/expected_classes.hpp"

// What turns the integers of TestU01's tests into statistics of a known law: of classes in
// expected_classes.hpp, others here. Over N replications chi-square statistics and degrees of
// freedom add up, Poisson counts and means too, and normal statistics have normal_sum_p;
// second_level_p serves those that are p-values.

namespace rivulet::detail {

/// A p-value for judgement, and TestU01's, whose law is off.
struct TwoLaws {
  double p;
  double testu01;
};

/// smarsa_BirthdaySpacings: mean number of equal spacings among n points, of the Poisson law.
double birthday_mean(double n, double cells);

/// sknuth_Collision, sknuth_CollisionPermut: mean number of collisions of n points, exactly.
double collision_mean(double n, double cells);

/// smarsa_CollisionOver: the same of n overlapping tuples of t numbers, sparse (n < cells).
double collision_over_mean(double n, double cells, int t);

/// smarsa_SerialOver: from the sums of the squared counts of n overlapping tuples in all `cells`
/// and of those one number shorter in `fewer` cells.
ChiSquare serial_over(std::uint64_t n, std::uint64_t cells, std::uint64_t squares,
                      std::uint64_t fewer, std::uint64_t fewer_squares);

/// sknuth_Permutation: from the sum of squared counts of n points in equally likely cells.
ChiSquare multinomial(std::uint64_t n, std::uint64_t cells, std::uint64_t squares);

/// sknuth_Run: from the numbers of runs of lengths 1 .. 5 and above among n numbers. Knuth, 3.3.2
/// G.
ChiSquare number_runs(std::uint64_t n, std::span<const std::uint64_t, 6> counts);

/// svaria_SampleCorr: from the sum of U V - 1/4 over pairs. TestU01's variance is 1/12 for each
/// pair; it is 7/144, and products of neighbours, which share a number, are correlated: 13/144
/// together.
TwoLaws sample_correlation(double sum, std::uint64_t pairs);

/// svaria_AppearanceSpacings: normal, from the sum of ln(spacing) over K blocks of L bits, L >= 3.
/// Coron & Naccache, SAC'98, Lecture Notes in Computer Science 1556 (1999) 57.
double appearance_z(int L, std::uint64_t K, double log_sum);

/// scomp_LinearComp: mean number of the profile's jumps in `bits` bits, and their standard normal.
double jumps_mean(std::uint64_t bits);
double jumps_z(std::uint64_t jumps, std::uint64_t bits);

/// scomp_LempelZiv: standard normal, from the number of words of 2^k bits, 3 <= k <= 28. Mean and
/// deviation are TestU01's, of 1000 simulations, so off by some 0.03 deviations and 2 %; no exact
/// ones are known.
double lempel_ziv_z(int k, std::uint64_t words);

/// sspectral_Fourier3: of the sums of |F|^2 / bits over N transforms of `bits` bits, for
/// frequencies 1 .. bits / 4. Each has mean N and variance N (1 - 2 / bits). TestU01 takes them to
/// be independent and normal. As all frequencies together have the sequence's energy, their
/// covariance is -2 N / bits, which halves the variance of their mean however long the sequence is;
/// here they are made uncorrelated before, and compared with a gamma law, since each |F|^2 is
/// nearly exponential.
struct Fourier {
  AndersonDarling gamma;
  AndersonDarling testu01;
};
Fourier fourier(std::uint64_t N, std::uint64_t bits, std::span<const double> sums);

/// sstring_LongestHeadRun: P(longest run of ones < length) among so many bits, and the two tails.
double longest_run_below(int length, double bits);
Tails longest_run_tails(int longest, double bits);

/// sstring_HammingWeight2: from the sum of (2 ones - L)^2 over blocks of L bits.
ChiSquare hamming_weight(std::uint64_t blocks, std::uint64_t L, std::uint64_t sum);

/// sstring_HammingCorr: standard normal, from counts[i (L + 1) + j] of the weights of n - 1 pairs
/// of neighbours among n blocks.
double hamming_correlation_z(std::uint64_t n, int L, std::span<const std::uint64_t> counts);

/// sstring_AutoCor: standard normal, from the ones among so many exclusive-ors.
double autocorrelation_z(std::uint64_t bits, std::uint64_t ones);

/// sstring_Run: classes 1 .. k of the lengths of n runs of each kind, and from their counts (index
/// 0 is ignored) and the bits used the two p-values. TestU01 divides squares by E (1 - P) instead
/// of E, and takes 8 n for the variance 4 n of the length of 2 n runs.
struct BitRuns {
  double statistic;  ///< of the runs
  TwoLaws runs;
  TwoLaws bits;
};
std::uint64_t bit_run_classes(std::uint64_t n);
BitRuns bit_runs(std::uint64_t n, std::span<const std::uint64_t> zeros,
                 std::span<const std::uint64_t> ones, std::uint64_t bits);

/// snpair_ClosePairs with the maximum norm: from each replication's ascending distances on the
/// torus [0, 1)^t, the m least and further ones up to the m-th expected one's, N > 1 replications.
/// L'Ecuyer, Cordeau & Simard, Oper. Res. 48 (2000) 308.
struct ClosePairs {
  AndersonDarling np;    ///< least distances
  AndersonDarling mnp;   ///< p-values of the m spacings of each replication
  AndersonDarling mnp1;  ///< all spacings
  AndersonDarling mnp2;  ///< places of jumps, and after spacings; if there are none, p = 1
  AndersonDarling mnp2s;
  std::uint64_t jumps;  ///< how many
  double jumps_p;
};
ClosePairs close_pairs(double n, int t, int m, const std::vector<std::vector<double>>& distances);
/// The greatest distance that can be a jump's.
double close_pairs_reach(double n, int t, int m);

/// snpair_ClosePairsBitMatch: the largest number of leading bits in which t coordinates of a pair
/// agree, over N replications of n points. TestU01's right tail leaves out the observed value.
TwoLaws bit_match(double N, double n, int t, int longest);

/// P(sum of n uniform numbers <= x), to 14 digits or more.
double sum_of_uniforms(int n, double x);

/// The same as series, for many x: for each unit interval up to n / 2 the Taylor coefficients 0 ..
/// n around its middle.
std::vector<double> sum_of_uniforms_series(int n);

}  // namespace rivulet::detail

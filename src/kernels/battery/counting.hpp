// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/battery/word_tiles.hpp"

// The counts of TestU01's tests, equal to TestU01's on the same sequence (L'Ecuyer & Simard,
// "TestU01: a C library for empirical testing of random number generators", ACM Transactions on
// Mathematical Software 33 (2007) 22; its user's guide names the tests and their parameters). All
// functions begin at a position of a sequence, drop the first r bits of each word, and wait.

namespace rivulet {

/// Counts, and the words that were read for them.
struct TestCounts {
  std::vector<std::uint64_t> counts;
  std::uint64_t words = 0;
};

/// Numbers of hands of k numbers below d <= 64 with 0 .. min(d, k) distinct ones
/// (sknuth_SimpPoker).
TestCounts count_poker_hands(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                             std::uint32_t d, int k);

/// Numbers of groups of k numbers of which 0 .. k are below limit / 2^32 (svaria_WeightDistrib).
TestCounts count_weights(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                         std::uint64_t limit, int k);

/// Numbers of matrices of ranks 0 .. columns, s bits of a word at a time; at most 64 rows and
/// columns (smarsa_MatrixRank).
TestCounts count_ranks(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                       int rows, int columns);

/// Numbers of pairs of blocks of L bits, by the ones i and j in them at i (L + 1) + j
/// (sstring_HammingIndep, L >= s).
TestCounts count_weight_pairs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                              int s, int length);

/// Numbers of walks of L steps by H, M, J, R and C, L + 1 cells each (swalk_RandomWalk1).
TestCounts count_walks(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                       int length);

/// Numbers of groups of t numbers by the class floor(d max^t) of their largest, whose power is C's
/// pow(); and the largest of each group, sorted, times 2^32 (sknuth_MaxOft).
struct LargestCounts : TestCounts {
  std::vector<std::uint64_t> largest;
};
LargestCounts count_largest(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int d,
                            int t);

/// n points of t coordinates in d^t cells, d^t <= 2^64.
struct PointShape {
  std::uint64_t n;
  int r;
  std::uint32_t d;
  int t;

  std::uint64_t words() const { return n * static_cast<std::uint64_t>(t); }
  /// d^t modulo 2^64.
  std::uint64_t cells() const;
};

/// Points in a cell that was taken already: n minus the number of distinct cells
/// (sknuth_Collision).
std::uint64_t count_collisions(WordTiles& tiles, std::uint64_t position, const PointShape& shape);

/// Equal neighbours among the sorted spacings of the sorted cells (smarsa_BirthdaySpacings, order
/// 1).
std::uint64_t count_equal_spacings(WordTiles& tiles, std::uint64_t position,
                                   const PointShape& shape);

/// Numbers of gaps of lengths 0 .. longest between numbers below limit / 2^32, the last for all
/// that are longer; n gaps in all (sknuth_Gap). A gap of n or more ends the test: `ended`.
struct GapCounts : TestCounts {
  bool ended = false;
};
GapCounts count_gaps(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                     std::uint64_t limit, std::uint64_t longest);

/// Draws of a segment: the last is counted, but not made.
inline constexpr int coupon_draws = 62;

/// Numbers of segments in which d <= 64 numbers are complete after 0 .. 62 draws, n segments in
/// all; one that is not after 61 draws ends there and counts as 62 (sknuth_CouponCollector).
TestCounts count_coupon_segments(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                                 std::uint32_t d);

}  // namespace rivulet

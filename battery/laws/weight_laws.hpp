// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Laws of tests beyond TestU01's.

namespace rivulet::detail {

/// The middle of the weights of blocks of bits: length / 2 - spread .. length / 2 + spread, as
/// nearly a third of all blocks as can be.
struct WeightMiddle {
  int spread;
  double outside;  ///< probability of a weight below it, and of one above it
};
WeightMiddle weight_middle(int length);

/// The statistic that is farthest from 0 among several of a normal law, and its p-value.
struct LargestNormal {
  double z;
  double p;
};
/// Of independent standard normals.
LargestNormal largest_normal(std::span<const double> z);

/// From the numbers of 8 neighbouring blocks by the ternary digits of their weights, the last
/// block's lowest. The digits are made orthonormal functions; sums of the products of those of any
/// of the blocks with the last one's are uncorrelated. For each number of blocks the largest one is
/// taken, of these eight the one with the least p-value. After Blackman & Vigna, ACM Trans. Math.
/// Softw. 47 (2021) 36, section 6.
LargestNormal weight_tuples(int length, std::span<const std::uint64_t> counts);

/// Of n sequences of so many bits, the numbers by their linear complexity less half the bits, from
/// -reach to reach, the ends for all beyond. R. Rueppel, Analysis and Design of Stream Ciphers
/// (1986), chapter 4.
std::vector<double> complexity_expected(std::uint64_t n, std::uint64_t bits, int reach);

}  // namespace rivulet::detail

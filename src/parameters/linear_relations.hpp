// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"

// Linear relations of a twister: sets of output bits whose exclusive-or is zero at every position,
// whatever the state. With the 32 x 32 matrices A and B of the twist, words obey x[k+n] = x[k+m] +
// A x[k] + B x[k+1]. Words also obey this recurrence raised to the powers q = 2, 4, 8: qn and qm
// replace n and m, and (A + B z)^q replaces A + B z, where z^i stands for lag i. Equidistribution
// only tests leading bits and misses short relations. Harase, "On the F2-linear relations of
// Mersenne Twister pseudorandom number generators", Math. Comput. Simul. 100 (2014) 103, also
// judges relations by their least weight. Blackman & Vigna, "A New Test for Hamming-Weight
// Dependencies", ACM TOMACS 32 (2022) 19, detects such relations in the numbers of ones.

namespace rivulet {

/// Exact measures of a set's linear relations.
struct LinearRelations {
  /// The set's figure of merit: the least number of bits in a sum of relations from one power q =
  /// 1, 2, 4 or 8 of the recurrence. For q = 1, these include every relation among n + 1
  /// successive numbers.
  std::uint32_t least_weight;
  /// True if a relation for q = 1 uses only four adjacent bits, at the same positions in each of n
  /// + 1 numbers.
  bool in_window;

  /// True if a relation has at most three bits or lies in such a window. create_dcmt_set rejects
  /// such sets.
  bool are_short() const { return least_weight <= 3 || in_window; }

  friend bool operator==(const LinearRelations&, const LinearRelations&) = default;
};

/// Returns a set's measures. Takes a few milliseconds.
LinearRelations linear_relations(const DcmtShape& shape, const DcmtSet& set);

}  // namespace rivulet

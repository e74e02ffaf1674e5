// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"

// Linear relations of a twister: sets of output bits whose exclusive-or is zero at every position,
// whatever the state. With A and B the 32 x 32 matrices of the twist, words obey x[k+n] = x[k+m] +
// A x[k] + B x[k+1]. Words also obey the recurrence's powers q = 2, 4, 8. There x[k+n] and x[k+m]
// become x[k+qn] and x[k+qm]. The right side becomes (A + B z)^q, with the powers of z as lags.
// Equidistribution looks at leading bits alone and misses short relations. Harase, "On the
// F2-linear relations of Mersenne Twister pseudorandom number generators", Math. Comput. Simul. 100
// (2014) 103, also uses least weights. Blackman & Vigna, "A New Test for Hamming-Weight
// Dependencies", ACM TOMACS 32 (2022) 19, detects such relations in the numbers of ones.

namespace rivulet {

/// Exact measures of a set's linear relations.
struct LinearRelations {
  /// The set's figure of merit: the least number of bits in a sum of relations from one power q =
  /// 1, 2, 4 or 8 of the recurrence. The relations of q = 1 are all that hold among any n + 1
  /// successive numbers.
  std::uint32_t least_weight;
  /// True if a relation of q = 1 lies within four adjacent bits, at equal places in each of n + 1
  /// numbers.
  bool in_window;

  /// True if three bits, or bits in one window, are correlated. create_dcmt_set rejects such a set.
  bool are_short() const { return least_weight <= 3 || in_window; }

  friend bool operator==(const LinearRelations&, const LinearRelations&) = default;
};

/// Computes a set's measures in a few milliseconds.
LinearRelations linear_relations(const DcmtShape& shape, const DcmtSet& set);

}  // namespace rivulet

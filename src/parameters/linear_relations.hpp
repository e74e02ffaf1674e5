// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"

// Linear relations of a twister: bits of its numbers whose exclusive-or is zero for ever, whatever
// the state. With A and B the 32 x 32 matrices of the twist, words obey
//
//     x[k+n] = x[k+m] + A x[k] + B x[k+1],
//
// and also the recurrence's powers q = 2, 4, 8, in which x[k+n] and x[k+m] become x[k+qn] and
// x[k+qm], and what follows is (A + B z)^q with the powers of z as lags. Equidistribution does not
// see short ones: it looks at leading bits alone. Harase, "On the F2-linear relations of Mersenne
// Twister pseudorandom number generators", Math. Comput. Simul. 100 (2014) 103, whose figures are
// least weights, too; Blackman & Vigna, "A New Test for Hamming-Weight Dependencies", ACM TOMACS 32
// (2022) 19, which sees them in the numbers of ones.

namespace rivulet {

/// What a set's linear relations are like, exactly.
struct LinearRelations {
  /// The set's figure of merit: the least number of bits in a sum of the relations that one power q
  /// of the recurrence gives, q = 1, 2, 4 or 8. Those of q = 1 are all that hold among any n + 1
  /// successive numbers.
  std::uint32_t least_weight;
  /// Whether one of q = 1 is among four adjacent bits, the same in each of n + 1 numbers.
  bool in_window;

  /// Whether there is a correlation of three bits, or one in a window: create_dcmt_set takes no
  /// such set.
  bool are_short() const { return least_weight <= 3 || in_window; }

  friend bool operator==(const LinearRelations&, const LinearRelations&) = default;
};

/// Those of a set, in a few milliseconds.
LinearRelations linear_relations(const DcmtShape& shape, const DcmtSet& set);

}  // namespace rivulet

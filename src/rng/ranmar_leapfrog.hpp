// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rng/ranmar.hpp"

namespace rivulet {

/// Most numbers of one sequence that do not depend on each other: word n needs word n - 33.
inline constexpr int ranmar_leapfrog_limit = ranmar_lag;

/// One member of a team that draws one sequence together, `members` numbers a step (1 to
/// ranmar_leapfrog_limit): member j of the team draws numbers j, j + members, j + 2 members, ...
/// The words are shared, in a ring as RanmarState's; each member keeps its own c. Within a step no
/// member reads what another writes, so the team needs a barrier only between steps.
template <class Variant>
class RanmarLeapfrog {
 public:
  using Integer = typename Variant::Integer;

  /// c and next are the shared state's before the team's first number.
  KOKKOS_FORCEINLINE_FUNCTION RanmarLeapfrog(int member, int members, Integer c, int next)
      : c_(ranmar_lower<Variant>(c, ranmar_stride<Variant>(member + 1))),
        stride_(ranmar_stride<Variant>(members)),
        members_(members),
        k_(wrapped(next + member)) {}

  /// This member's number of the step; puts its word into x, anything indexable by 0 .. 96.
  template <class Words>
  KOKKOS_FORCEINLINE_FUNCTION Integer operator()(Words&& x) {
    const Integer word = x[k_] - x[wrapped(k_ + ranmar_words - ranmar_lag)];
    x[k_] = word;
    const Integer number = ranmar_number<Variant>(word, c_);
    c_ = ranmar_lower<Variant>(c_, stride_);
    k_ = wrapped(k_ + members_);
    return number;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    return k < ranmar_words ? k : k - ranmar_words;
  }

  Integer c_;
  Integer stride_;
  int members_;
  int k_;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once


#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet {

/// What distinguishes one twister from another: the twist coefficient and two tempering masks.
template <class W>
struct DcmtParameters {
  W a;
  W b;
  W c;
};

/// One step of the recurrence: the word n places after x_k, from x_k, x_{k+1} and x_{k+m}.
template <int P, class W>
KOKKOS_FORCEINLINE_FUNCTION W dcmt_twist(W x_k, W x_k1, W x_km, W a) {
  constexpr DcmtShape shape = dcmt_shape(P);
  const W y = (x_k & shape.upper_mask) | (x_k1 & shape.lower_mask);
  return x_km ^ (y >> 1) ^ WordTraits<W>::if_odd(y, a);
}

/// Tempering of Matsumoto & Nishimura, ACM TOMACS 8 (1998) 3, with the masks of one set.
template <class W>
KOKKOS_FORCEINLINE_FUNCTION W dcmt_temper(W x, W b, W c) {
  x ^= x >> dcmt_shift_0;
  x ^= (x << dcmt_shift_b) & b;
  x ^= (x << dcmt_shift_c) & c;
  x ^= x >> dcmt_shift_1;
  return x;
}

}  // namespace rivulet

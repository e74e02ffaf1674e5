// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "algebra/affine_map.hpp"
#include "algebra/bit_matrix.hpp"
#include "rng/tausworthe.hpp"

namespace rivulet {

/// So many steps of a generator at once: a matrix for each Tausworthe component, and a power of the
/// linear congruential part where there is one.
template <class Kind>
struct TauswortheJump {
  static constexpr bool has_lcg = Kind::words > Kind::components;

  BitMatrix components[Kind::components];
  AffineMap lcg;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(W (&z)[Kind::words]) const {
    for (int i = 0; i < Kind::components; ++i) z[i] = components[i](z[i]);
    if constexpr (has_lcg) z[Kind::components] = lcg(z[Kind::components]);
  }
};

/// The jump of any length, in a time that grows with its logarithm.
template <class Kind>
TauswortheJump<Kind> tausworthe_jump(Uint128 steps) {
  TauswortheJump<Kind> jump{};
  for (int i = 0; i < Kind::components; ++i) {
    const auto step = BitMatrix::of([i](std::uint32_t word) {
      std::uint32_t z[Kind::words] = {};
      z[i] = word;
      Kind::step(z);
      return z[i];
    });
    jump.components[i] = power(step, steps);
  }
  if constexpr (TauswortheJump<Kind>::has_lcg) {
    jump.lcg = power(AffineMap{Kind::lcg_a, Kind::lcg_c}, steps);
  }
  return jump;
}

}  // namespace rivulet

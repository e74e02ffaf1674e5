// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"
#include "rivulet/detail/streams/cycle_starts.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"

namespace rivulet {

/// A jump of a generator: one matrix per Tausworthe component, and a power of the linear
/// congruential part, if any.
template <class Kind>
struct TauswortheJump {
  BitMatrix components[Kind::components];
  AffineMap lcg;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(W (&z)[Kind::words]) const {
    for (int i = 0; i < Kind::components; ++i) z[i] = components[i](z[i]);
    if constexpr (Kind::has_lcg) z[Kind::components] = lcg(z[Kind::components]);
  }
};

/// Returns the jump by `steps` steps. The time grows with log(steps), up to the components'
/// periods.
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
    const Uint128 period = (Uint128{1} << Kind::exponents[static_cast<std::size_t>(i)]) - 1;
    // If steps > 0, the exponent must not be 0: the first step overwrites the bits that no step
    // reads, and only then is the state on the cycle.
    const Uint128 exponent = steps == 0 ? 0 : (steps - 1) % period + 1;
    jump.components[i] = power(step, exponent);
  }
  if constexpr (Kind::has_lcg)
    jump.lcg = power(AffineMap{tausworthe_lcg_a, tausworthe_lcg_c}, steps);
  return jump;
}

}  // namespace rivulet

namespace rivulet::detail {

/// Adapts the Tausworthe family to CycleStarts, as OnCycle does.
template <class Kind>
struct TauswortheOnCycle {
  using Plan = TausworthePlan;
  using State = typename Tausworthe<Kind>::State;
  using Jump = TauswortheJump<Kind>;
  static constexpr int words = Kind::words;
  static constexpr int step_numbers = 1;
  static constexpr bool separate_starts = false;
  template <class Word>
  using JumpWord = Word;

  static Jump jump(Uint128 steps) { return tausworthe_jump<Kind>(steps); }
  static std::vector<Jump> powers() {
    std::vector<Jump> powers{jump(1)};
    while (powers.size() <= IrregularStarts::most_exponent) {
      Jump next = powers.back();
      for (BitMatrix& component : next.components) component = component * component;
      next.lcg = next.lcg * next.lcg;
      powers.push_back(next);
    }
    return powers;
  }
  static State native_start(std::uint64_t run_seed) {
    return native_tausworthe_start<Kind>(run_seed);
  }
  KOKKOS_FUNCTION static State separate_start(std::uint64_t, std::uint64_t id) {
    return published_tausworthe_start<Kind>(id);
  }
};

template <class Kind>
using TauswortheStarts = CycleStarts<TauswortheOnCycle<Kind>>;

}  // namespace rivulet::detail

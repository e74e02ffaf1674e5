// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "rivulet/detail/algebra/lagged_fibonacci.hpp"
#include "rivulet/detail/rng/ranmar.hpp"

namespace rivulet {

/// The state that as many draws as the jump is long would lead to, at a round boundary. On the
/// host.
template <class Variant>
RanmarState<Variant> ranmar_jump(const RanmarState<Variant>& state,
                                 const LaggedFibonacciJump& jump) {
  using Integer = typename Variant::Integer;
  static_assert(LaggedFibonacciJump::words == ranmar_words);
  LaggedFibonacciJump::Words words;
  for (int k = 0; k < ranmar_words; ++k) {
    words[static_cast<std::size_t>(k)] = state.x[(state.next + k) % ranmar_words];
  }
  words = jump.apply(words);
  RanmarState<Variant> moved;
  for (int k = 0; k < ranmar_words; ++k) {
    moved.x[k] = static_cast<Integer>(words[static_cast<std::size_t>(k)]);
  }
  const auto step = static_cast<Integer>(jump.times(Variant::c_step, Variant::c_modulus));
  moved.c = ranmar_lower<Variant>(state.c, step);
  return moved;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "rivulet/detail/streams/cycle_starts.hpp"
#include "rivulet/detail/streams/tausworthe_jump.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"

namespace rivulet::detail {

/// The Tausworthe family's, for CycleStarts.
template <class Kind>
struct TauswortheOnCycle {
  using Plan = TausworthePlan;
  using State = typename Tausworthe<Kind>::State;
  using Jump = TauswortheJump<Kind>;
  static constexpr int words = Kind::words;
  static constexpr int step_numbers = 1;
  static constexpr bool own_starts = false;
  template <class Word>
  using JumpWord = Word;

  static Jump jump(Uint128 steps) { return tausworthe_jump<Kind>(steps); }
  static std::vector<Jump> powers() { return tausworthe_powers<Kind>(); }
  static State native_start(std::uint64_t run_seed) {
    return native_tausworthe_start<Kind>(run_seed);
  }
  KOKKOS_FUNCTION static State published_start(std::uint64_t id) {
    return published_tausworthe_start<Kind>(id);
  }
};

template <class Kind>
using TauswortheStarts = CycleStarts<TauswortheOnCycle<Kind>>;

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "kernels/generators/team_engine.hpp"
#include "rng/ranmar_vector_leapfrog.hpp"

namespace rivulet::detail {

/// RANMAR with strides of its terms in memory: 1, 2, .. numbers long.
template <class Variant>
struct RanmarStrides : RanmarRecurrence<Variant> {
  using Integer = typename Variant::Integer;
  using Term = typename RanmarRecurrence<Variant>::Term;
  const Integer* strides;

  KOKKOS_FORCEINLINE_FUNCTION Term after(Term term, int numbers) const {
    return {ranmar_lower<Variant>(term.c, strides[numbers - 1])};
  }
};

template <class Variant>
struct ScratchRecurrence<RanmarRecurrence<Variant>> {
  using type = RanmarStrides<Variant>;
  using Integer = typename Variant::Integer;
  static constexpr int most = ranmar_lag;
  static constexpr std::size_t bytes = (most + 1) / 2 * 2 * sizeof(Integer);

  template <class Lanes>
  KOKKOS_FUNCTION static type load(const Lanes& lanes, const RanmarRecurrence<Variant>&,
                                   void* scratch) {
    auto* const strides = static_cast<Integer*>(scratch);
    lanes.each(int{most}, [=](int j) { strides[j] = ranmar_stride<Variant>(j + 1); });
    return {{}, strides};
  }
};

/// What draws one sequence with the lanes of a team: of a warp, or of a CPU's vector registers.
#if RIVULET_VECTOR_WORD
template <class Variant>
using RanmarTeam =
    std::conditional_t<(lanes<WordOf<typename Variant::Integer>> > 1), RanmarVectorTeam<Variant>,
                       TeamOfLanes<RanmarRecurrence<Variant>>>;
#else
template <class Variant>
using RanmarTeam = TeamOfLanes<RanmarRecurrence<Variant>>;
#endif

}  // namespace rivulet::detail

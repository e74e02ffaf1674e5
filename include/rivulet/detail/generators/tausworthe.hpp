// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"

namespace rivulet::detail {

template <class G>
concept TauswortheGenerator = std::is_same_v<G, HybridTausworthe> || std::is_same_v<G, Lfsr113>;

template <TauswortheGenerator Kind>
struct Family<Kind> : PlannedFamily<Kind, TauswortheStarts<Kind>> {
  static constexpr std::string_view name = Kind::name;
  using Word = std::uint32_t;
  static constexpr int words = Kind::words;
  using Engine = Tausworthe<Kind>;

  template <class Store, class Shared>
  using States = SlotStates<Store, Shared>;

  template <class Shared>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared&, Slot<Word> slot, std::uint64_t) {
    typename Engine::State state;
    for (int k = 0; k < words; ++k) state.z[k] = slot[k];
    return Engine(state);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    for (int k = 0; k < words; ++k) slot[k] = engine.state().z[k];
  }

  static bool is_state(Slot<Word> slot) {
    const typename Engine::State state = open(slot, slot, 0).state();
    typename Engine::State good = state;
    Kind::make_good(good.z);
    return std::ranges::equal(good.z, state.z);
  }
  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    require_fit(options, name, tausworthe_cycle<Kind>().fit());
  }
  template <class Shared>
  static TausworthePlan plan(const Shared&, const StreamsOptions& options) {
    return TausworthePlan(tausworthe_cycle<Kind>(),
                          request_of(options, cycle_starts.log2_distance()));
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/streams/cycle_starts.hpp"
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
    Kind::make_valid(good.z);
    return std::ranges::equal(good.z, state.z);
  }
  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    require_fit(options, name, tausworthe_cycle<Kind>().max_streams());
  }
  template <class Shared>
  static TausworthePlan plan(const Shared&, const StreamsOptions& options) {
    return TausworthePlan(tausworthe_cycle<Kind>(),
                          request_of(options, cycle_starts.log2_distance()));
  }
};

/// A stream's memory holds the state, and the engine's position among the numbers of a step.
template <CycleGenerator G>
struct Family<G> : PlannedFamily<G, CycleStarts<OnCycle<G>>> {
  using Planned = PlannedFamily<G, CycleStarts<OnCycle<G>>>;
  static constexpr std::string_view name = G::name;
  using Word = std::uint32_t;
  using Engine = CycleEngine<G>;
  static constexpr int words = state_words<G> + Engine::position_words;

  template <class Shared>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared&, Slot<Word> slot, std::uint64_t) {
    typename Engine::State state;
    get_state<G>([&](int k) { return slot[k]; }, state.z);
    for (int k = 0; k < Engine::position_words; ++k) state.place[k] = slot[state_words<G> + k];
    return Engine(state);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    put_state<G>(engine.state().z, [&](int k, Word word) { slot[k] = word; });
    [[maybe_unused]] const auto& place = engine.state().place;
    if constexpr (Engine::position_words == 2) {
      // Clears a half that was already drawn, so that equal positions have equal words.
      slot[words - 2] = place[1] != 0 ? place[0] : 0;
      slot[words - 1] = place[1];
    } else if constexpr (Engine::position_words == 1) {
      slot[words - 1] = place[0];
    }
  }

  static bool is_state(Slot<Word> slot) {
    constexpr Word most_drawn = Engine::position_words == 2 ? 1 : step_numbers<G>;
    if (Engine::position_words > 0 && slot[words - 1] > most_drawn) return false;
    return is_cycle_state<G>(slot);
  }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    if constexpr (CountsSteps<G>) {
      end_of(options);
    } else {
      require_fit(options, name, max_cycle_streams);
    }
  }
  template <class Shared>
  static PlanOnCycle<G> plan(const Shared&, const StreamsOptions& options) {
    return PlanOnCycle<G>(request_of(options, cycle_starts.log2_distance() + log2_step_numbers<G>));
  }

  template <class Store>
  struct ResetPosition {
    Store store;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const auto slot = store.slot(stream);
      for (int k = state_words<G>; k < words; ++k) slot[k] = 0;
    }
  };
  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared& shared,
                    const StreamsOptions& options) {
    Planned::start(exec, store, shared, options);
    if constexpr (Engine::position_words > 0) {
      Kokkos::parallel_for("rivulet::start_places", StreamRange64<Exec>(exec, 0, store.count()),
                           ResetPosition<Store>{store});
      exec.fence();
    }
  }

  /// Jumps whole steps, then draws the last 1 .. step_numbers numbers. A pending half of a word is
  /// stale after the jump; the draws consume that half.
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions& options, Uint128 numbers) {
    if constexpr (Engine::position_words == 0) {
      Planned::jump(exec, store, shared, options, numbers);
    } else {
      require_jump(numbers, cycle_starts.log2_distance() + log2_step_numbers<G> - 1, name);
      const std::uint64_t rest = static_cast<std::uint64_t>((numbers - 1) % step_numbers<G>) + 1;
      Planned::jump(exec, store, shared, options, numbers - rest);
      Kokkos::parallel_for("rivulet::jump_rest", StreamRange64<Exec>(exec, 0, store.count()),
                           SkipNumbers<Family, Store, Shared>{store, shared, rest});
      exec.fence();
    }
  }
};

}  // namespace rivulet::detail

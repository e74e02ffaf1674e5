// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/streams/cycle_starts.hpp"

namespace rivulet::detail {

/// Memory holds the state and, of numbers of 64 bits, the half that is still to be drawn and
/// whether there is one.
template <CycleGenerator G>
struct Family<G> : PlannedFamily<G, CycleStarts<OnCycle<G>>> {
  using Planned = PlannedFamily<G, CycleStarts<OnCycle<G>>>;
  static constexpr std::string_view name = G::name;
  using Word = std::uint32_t;
  static constexpr bool has_halves = step_numbers<G> == 2;
  static constexpr int words = state_words<G> + (has_halves ? 2 : 0);
  using Engine = CycleEngine<G>;

  template <class Store, class Shared>
  using States = SlotStates<Store, Shared>;

  template <class Shared>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared&, Slot<Word> slot, std::uint64_t) {
    typename Engine::State state;
    get_state<G>([&](int k) { return slot[k]; }, state.z);
    if constexpr (has_halves) {
      state.half = slot[words - 2];
      state.has_half = slot[words - 1];
    }
    return Engine(state);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    put_state<G>(engine.state().z, [&](int k, Word word) { slot[k] = word; });
    if constexpr (has_halves) {
      // What was drawn is forgotten: equal positions are equal words.
      const auto& state = engine.state();
      slot[words - 2] = state.has_half != 0 ? state.half : 0;
      slot[words - 1] = state.has_half;
    }
  }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    require_fit(options, name, cycle_fit);
  }
  template <class Shared>
  static PlanOnCycle<G> plan(const Shared&, const StreamsOptions& options) {
    return PlanOnCycle<G>(
        request_of(options, cycle_starts.log2_distance() + static_cast<unsigned>(has_halves)));
  }

  template <class Store>
  struct ForgetHalf {
    Store store;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const auto slot = store.slot(stream);
      slot[words - 2] = 0;
      slot[words - 1] = 0;
    }
  };
  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared& shared,
                    const StreamsOptions& options) {
    Planned::start(exec, store, shared, options);
    if constexpr (has_halves) {
      Kokkos::parallel_for("rivulet::start_halves", StreamRange64<Exec>(exec, 0, store.count()),
                           ForgetHalf<Store>{store});
    }
  }

  template <class Store, class Shared>
  struct Skip {
    Store store;
    Shared shared;
    std::uint64_t numbers;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const auto slot = store.slot(stream);
      auto engine = open(shared, slot, stream);
      engine.discard(numbers);
      close(slot, engine);
    }
  };
  /// Steps, and the last number or two by drawing: then it does not matter that a half which is
  /// still to be drawn is an old one.
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions& options, Uint128 numbers) {
    if constexpr (!has_halves) {
      Planned::jump(exec, store, shared, options, numbers);
    } else {
      require_jump(numbers, cycle_starts.log2_distance(), name);
      const std::uint64_t rest = 2 - static_cast<std::uint64_t>(numbers % 2);
      Planned::jump(exec, store, shared, options, numbers - rest);
      Kokkos::parallel_for("rivulet::jump_halves", StreamRange64<Exec>(exec, 0, store.count()),
                           Skip<Store, Shared>{store, shared, rest});
    }
  }
};

}  // namespace rivulet::detail

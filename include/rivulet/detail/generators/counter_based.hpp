// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/family.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/streams/counter_plan.hpp"

namespace rivulet::detail {

/// A stream's memory holds its position: the index of the current block, and the index of the next
/// number in this block.
template <CounterBased G>
struct Family<G> {
  static constexpr std::string_view name = G::name;
  using Word = std::uint64_t;
  static constexpr int words = 2;
  using Engine = CounterEngine<G>;
  using Counter = G;

  template <class Mem>
  struct Shared {
    std::uint64_t seed = 0;
    Shared() = default;
    template <class Exec>
    Shared(const Exec&, const StreamsOptions& options) : seed(options.seed) {}
  };

  KOKKOS_FORCEINLINE_FUNCTION static CounterPlace place(Slot<Word> slot) {
    return {slot[0], slot[1]};
  }
  KOKKOS_FORCEINLINE_FUNCTION static void set_place(Slot<Word> slot, const CounterPlace& place) {
    slot[0] = place.block;
    slot[1] = place.number;
  }
  static bool is_state(Slot<Word> slot) { return slot[1] < block_numbers<G>; }

  template <class Mem>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared<Mem>& shared, Slot<Word> slot,
                                                 std::uint64_t id) {
    return Engine(shared.seed, id, place(slot));
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    set_place(slot, engine.place());
  }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  template <class Store>
  struct Start {
    Store store;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      set_place(store.slot(stream), {});
    }
  };
  template <class Store>
  struct Move {
    Store store;
    CounterPlace by;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const auto slot = store.slot(stream);
      const CounterPlace from = place(slot);
      CounterPlace to = from.template after<G>(by.number);
      to.block += by.block;
      RIVULET_ASSERT(to.block >= from.block,
                     "A stream of a counter-based generator was moved beyond its last number.");
      set_place(slot, to);
    }
  };

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&) {
    Kokkos::parallel_for("rivulet::start_counters", StreamRange64<Exec>(exec, 0, store.count()),
                         Start<Store>{store});
  }
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&,
                   Uint128 numbers) {
    require_jump(numbers, log2_stream_numbers<G> - 1, name);
    Kokkos::parallel_for("rivulet::jump_counters", StreamRange64<Exec>(exec, 0, store.count()),
                         Move<Store>{store, CounterPlace::of<G>(numbers)});
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions& options) {
    return CounterPlan<G>(request_of(options, log2_stream_numbers<G>)).certificate();
  }
};

template <class Family>
concept ByCounter = requires {
  typename Family::Counter;
};

}  // namespace rivulet::detail

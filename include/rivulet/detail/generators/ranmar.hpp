// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_jump.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"

namespace rivulet::detail {

template <class G>
concept RanmarVariant = std::is_same_v<G, Ranmar24> || std::derived_from<G, Ranmar48>;

template <RanmarVariant Variant>
struct Family<Variant> : RingFamily<RanmarRecurrence<Variant>> {
  static constexpr const char* name = std::is_same_v<Variant, Ranmar24>         ? "ranmar24"
                                      : std::is_same_v<Variant, Ranmar48>       ? "ranmar48"
                                      : std::is_same_v<Variant, Ranmar48Scaled> ? "ranmar48_scaled"
                                                                                : "ranmar48x";
  using Recurrence = RanmarRecurrence<Variant>;
  using Word = typename Variant::Integer;
  using Memory = RingMemory<Recurrence>;

  /// Far below the periods, 2^144 and more.
  static constexpr unsigned log2_jump_limit = 127;

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void put(Slot<Word> slot, const RanmarState<Variant>& state) {
    for (int k = 0; k < ranmar_words; ++k) {
      const int from = state.next + k;
      slot[k] = state.x[from < ranmar_words ? from : from - ranmar_words];
    }
    slot[Memory::place] = 0;
    slot[Memory::term] = state.c;
  }

  template <class Store>
  struct Start {
    Store store;
    std::uint64_t seed;
    std::uint64_t first;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      put(store.slot(stream), native_start<Variant>(seed, first + stream));
    }
  };
  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&,
                    const StreamsOptions& options) {
    Kokkos::parallel_for("rivulet::start_ranmar", StreamRange64<Exec>(exec, 0, store.count()),
                         Start<Store>{store, options.seed, options.first});
  }

  /// On the host: a jump takes 97^2 products, and memory that a device's threads have not.
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&,
                   Uint128 numbers) {
    require_jump(numbers, log2_jump_limit, name);
    const LaggedFibonacciJump jump(numbers);
    store.change_on_host(exec, [&jump](const auto& slots, std::uint64_t stream) {
      const Slot<Word> slot = slots(stream);
      RanmarState<Variant> state;
      for (int k = 0; k < ranmar_words; ++k) state.x[k] = slot[k];
      state.next = static_cast<int>(slot[Memory::place]);
      state.c = slot[Memory::term];
      put(slot, ranmar_jump(state, jump));
    });
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions& options) {
    return RanmarPlan(Variant::bits, request_of(options, log2_jump_limit)).certificate();
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/ring_engine.hpp"

namespace rivulet::detail {

/// The states of streams of a recurrence as starts and jumps see them.
template <class Store, class Shared, class R>
struct RingStates {
  using Integer = typename R::Integer;
  using Memory = RingMemory<R>;

  Store store;
  Shared shared;
  std::uint64_t first;  ///< number of the first stream

  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t stream(std::uint64_t index) { return index; }
  KOKKOS_FORCEINLINE_FUNCTION R recurrence(std::uint64_t stream) const {
    return shared.recurrence(first + stream);
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer word(int k, std::uint64_t stream) const {
    const auto slot = store.slot(stream);
    const auto oldest = static_cast<int>(slot[Memory::place]);
    RIVULET_ASSERT(oldest != R::n, "A stream was moved that is open: close it first.");
    return slot[oldest + k < R::n ? oldest + k : oldest + k - R::n];
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer& rest(int k, std::uint64_t stream) const {
    return store.slot(stream)[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint64_t stream, Integer word) const {
    const auto slot = store.slot(stream);
    slot[k] = word;
    if (k > 0) return;
    if constexpr (requires { R::shape.upper_mask; }) slot[0] &= R::shape.upper_mask;
    slot[Memory::place] = 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer& term(std::uint64_t stream) const {
    return store.slot(stream)[Memory::term];
  }
};

/// What families have in common whose streams are words of a recurrence in memory. S: as
/// PlannedFamily's.
template <class G, class R, class S>
struct RingFamily : PlannedFamily<G, S> {
  using Recurrence = R;
  using Word = typename R::Integer;
  using Engine = RingEngine<R>;
  static constexpr int words = RingMemory<R>::words;
  template <class Store, class Shared>
  using States = RingStates<Store, Shared, R>;

  /// Nothing but the words tells streams apart.
  template <class Mem>
  struct Shared {
    Shared() = default;
    template <class Exec>
    Shared(const Exec&, const StreamsOptions&) {}
    KOKKOS_FORCEINLINE_FUNCTION R recurrence(std::uint64_t) const { return {}; }
  };

  template <class Shared>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared& shared, Slot<Word> slot,
                                                 std::uint64_t id) {
    return Engine(shared.recurrence(id), slot);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word>, const Engine& engine) {
    engine.close();
  }
  static bool is_state(Slot<Word> slot) {
    if (slot[RingMemory<R>::place] >= R::n) return false;
    const auto oldest = static_cast<int>(slot[RingMemory<R>::place]);
    Word any = 0;
    for (int k = 0; k < R::n; ++k) any |= k == oldest ? 0 : slot[k];
    if constexpr (has_term<R>) {
      return (any | slot[oldest]) % 2 != 0 && slot[RingMemory<R>::term] < R::term_modulus;
    } else {
      return (any | (slot[oldest] & R::shape.upper_mask)) != 0;
    }
  }
};

}  // namespace rivulet::detail

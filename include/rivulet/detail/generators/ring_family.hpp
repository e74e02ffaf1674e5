// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/generators/family.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"

namespace rivulet::detail {

/// What families have in common whose streams are words of a recurrence in memory.
template <class R>
struct RingFamily {
  using Recurrence = R;
  using Word = typename R::Integer;
  using Engine = RingEngine<R>;
  static constexpr int words = RingMemory<R>::words;

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

  /// A stream from E(index), where a jump led it, to its start (IrregularStarts).
  KOKKOS_FUNCTION static void scatter(const R& recurrence, Slot<Word> slot, std::uint64_t index) {
    Engine engine(recurrence, slot);
    engine.discard(IrregularStarts::hashed_steps(index));
    engine.close();
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"

namespace rivulet::detail {

template <class G>
concept TauswortheGenerator = std::is_same_v<G, HybridTausworthe> || std::is_same_v<G, Lfsr113>;

/// The states of streams as starts and jumps see them: words, and nothing else.
template <class Store, class Shared>
struct TauswortheStates {
  Store store;
  Shared shared;
  std::uint64_t first;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int k, std::uint64_t stream) const {
    return store.slot(stream)[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint64_t stream, std::uint32_t word) const {
    store.slot(stream)[k] = word;
  }
};

template <TauswortheGenerator Kind>
struct Family<Kind> : PlannedFamily<Kind, TauswortheStarts<Kind>> {
  static constexpr std::string_view name = Kind::name;
  using Word = std::uint32_t;
  static constexpr int words = Kind::words;
  using Engine = Tausworthe<Kind>;

  template <class Store, class Shared>
  using States = TauswortheStates<Store, Shared>;

  template <class Shared>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared&, Slot<Word> slot, std::uint64_t) {
    typename Engine::State state;
    for (int k = 0; k < words; ++k) state.z[k] = slot[k];
    return Engine(state);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    for (int k = 0; k < words; ++k) slot[k] = engine.state().z[k];
  }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    const std::uint64_t fit = tausworthe_cycle<Kind>().fit();
    if (options.count == 0 || end_of(options) <= fit) return;
    throw Error(
        "streams " + ids_text(options) + " do not fit on the cycle of " + std::string(name),
        "streams start at least 2^64 steps apart, and there is room for " + std::to_string(fit),
        "Use a smaller first, or fewer streams.");
  }
  template <class Shared>
  static TausworthePlan plan(const Shared&, const StreamsOptions& options) {
    return TausworthePlan(tausworthe_cycle<Kind>(),
                          request_of(options, tausworthe_starts.log2_distance()));
  }
};

}  // namespace rivulet::detail

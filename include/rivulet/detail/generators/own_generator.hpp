// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <string_view>

#include "rivulet/detail/generators/family.hpp"

namespace rivulet::detail {

/// A stream's memory holds the bytes of its engine.
template <OwnGenerator G>
struct Family<G> {
  static constexpr std::string_view name = G::name;
  using Word = std::uint32_t;
  using Engine = typename G::Engine;
  static constexpr int words = static_cast<int>((sizeof(Engine) + sizeof(Word) - 1) / sizeof(Word));

  template <class>
  using Shared = EmptyShared;

  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const EmptyShared&, Slot<Word> slot,
                                                 std::uint64_t) {
    alignas(Engine) alignas(Word) unsigned char bytes[words * sizeof(Word)];
    for (int k = 0; k < words; ++k) {
      const Word word = slot[k];
      memcpy(bytes + static_cast<std::size_t>(k) * sizeof(Word), &word, sizeof(Word));
    }
    return *reinterpret_cast<const Engine*>(bytes);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    unsigned char bytes[words * sizeof(Word)] = {};
    memcpy(bytes, &engine, sizeof(Engine));
    for (int k = 0; k < words; ++k) {
      Word word = 0;
      memcpy(&word, bytes + static_cast<std::size_t>(k) * sizeof(Word), sizeof(Word));
      slot[k] = word;
    }
  }

  static bool is_state(Slot<Word>) {
    return true;
  }  // only the generator's author knows which states are valid
  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  template <class Store>
  struct Start {
    Store store;
    std::uint64_t seed;
    std::uint64_t first;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      close(store.slot(stream), G::engine(seed, first + stream));
    }
  };
  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&,
                    const StreamsOptions& options) {
    Kokkos::parallel_for("rivulet::start_streams", StreamRange64<Exec>(exec, 0, store.count()),
                         Start<Store>{store, options.seed, options.first});
  }

  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions&, Uint128 numbers) {
    static_assert(
        requires(Engine engine) { engine.discard(std::uint64_t{}); },
        "jumps need an engine with discard(std::uint64_t). Add this member to Engine");
    if (numbers >> 64 != 0) {
      throw Error(text_of("a jump of 2^64 numbers or more is too long for ", name),
                  "its discard() counts in 64 bits", "Jump by less than 2^64 numbers.");
    }
    Kokkos::parallel_for(
        "rivulet::jump_streams", StreamRange64<Exec>(exec, 0, store.count()),
        SkipNumbers<Family, Store, Shared>{store, shared, static_cast<std::uint64_t>(numbers)});
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions&) {
    if constexpr (requires { Certificate(G::certificate()); }) {
      return G::certificate();
    } else {
      return {{"method", "the generator's own: engine(seed, stream)"},
              {"proved", "nothing: what keeps its streams apart, its author knows"}};
    }
  }
};

}  // namespace rivulet::detail

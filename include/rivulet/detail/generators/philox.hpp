// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/family.hpp"

namespace rivulet::detail {

/// Memory holds how many numbers were drawn.
template <>
struct Family<Philox4x32> {
  static constexpr const char* name = "philox4x32";
  using Word = std::uint64_t;
  static constexpr int words = 1;
  using Engine = PhiloxEngine;

  template <class Mem>
  struct Shared {
    std::uint64_t seed = 0;
    Shared() = default;
    template <class Exec>
    Shared(const Exec&, const StreamsOptions& options) : seed(options.seed) {}
  };

  template <class Mem>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared<Mem>& shared, Slot<Word> slot,
                                                 std::uint64_t id) {
    const std::uint64_t drawn = slot[0];
    Engine engine(shared.seed, id, drawn / 4);
    for (std::uint64_t i = 0; i < drawn % 4; ++i) engine();
    return engine;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    slot[0] = engine.position();
  }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  template <class Store>
  struct Move {
    Store store;
    bool from_start;
    std::uint64_t numbers;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      Word& drawn = store.slot(stream)[0];
      RIVULET_ASSERT(from_start || drawn + numbers >= drawn,
                     "A stream of philox4x32 was moved beyond its 2^64 numbers.");
      drawn = (from_start ? 0 : drawn) + numbers;
    }
  };

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&) {
    Kokkos::parallel_for("rivulet::start_philox", StreamRange64<Exec>(exec, 0, store.count()),
                         Move<Store>{store, true, 0});
  }
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&,
                   Uint128 numbers) {
    require_jump(numbers, 63, name);
    Kokkos::parallel_for("rivulet::jump_philox", StreamRange64<Exec>(exec, 0, store.count()),
                         Move<Store>{store, false, static_cast<std::uint64_t>(numbers)});
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions&) {
    return {
        {"method", "a counter's upper 64 bits are the stream's number, the key is the seed"},
        {"proved",
         "for one key the generator maps the 2^128 counters one to one, and no two streams have "
         "a counter in common; each has 2^64 numbers here"}};
  }
};

}  // namespace rivulet::detail

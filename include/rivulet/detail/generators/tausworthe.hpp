// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <type_traits>

#include "rivulet/detail/generators/family.hpp"
#include "rivulet/detail/streams/tausworthe_jump.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"

namespace rivulet::detail {

template <class G>
concept TauswortheGenerator = std::is_same_v<G, HybridTausworthe> || std::is_same_v<G, Lfsr113>;

template <TauswortheGenerator Kind>
struct Family<Kind> {
  static constexpr const char* name =
      std::is_same_v<Kind, HybridTausworthe> ? "hybrid_tausworthe" : "lfsr113";
  using Word = std::uint32_t;
  static constexpr int words = Kind::words;
  using Engine = Tausworthe<Kind>;
  using State = typename Engine::State;
  using Jump = TauswortheJump<Kind>;

  static constexpr IrregularStarts starts = tausworthe_starts;

  template <class Mem>
  struct Shared {
    Shared() = default;
    template <class Exec>
    Shared(const Exec&, const StreamsOptions&) {}
  };

  KOKKOS_FORCEINLINE_FUNCTION static State load(Slot<Word> slot) {
    State state;
    for (int k = 0; k < words; ++k) state.z[k] = slot[k];
    return state;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(Slot<Word> slot, const State& state) {
    for (int k = 0; k < words; ++k) slot[k] = state.z[k];
  }
  template <class Mem>
  KOKKOS_FORCEINLINE_FUNCTION static Engine open(const Shared<Mem>&, Slot<Word> slot,
                                                 std::uint64_t) {
    return Engine(load(slot));
  }
  KOKKOS_FORCEINLINE_FUNCTION static void close(Slot<Word> slot, const Engine& engine) {
    store(slot, engine.state());
  }

  static Uint128 period() { return tausworthe_cycle<Kind>().period(); }

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    const std::uint64_t fit = tausworthe_cycle<Kind>().fit();
    if (options.count == 0 || end_of(options) <= fit) return;
    throw Error(
        "streams " + ids_text(options) + " do not fit on the cycle of " + name,
        "streams start at least 2^64 steps apart, and there is room for " + std::to_string(fit),
        "Use a smaller first, or fewer streams.");
  }

  /// Streams at the base moved by the jumps of their numbers' bits. A thread makes the first of
  /// `chunk` streams so, and each other one from the stream that lacks its lowest set bit.
  template <class Store, class Jumps>
  struct Start {
    Store store;
    Jumps jumps;
    State base;
    std::uint64_t first;
    std::uint64_t chunk;

    KOKKOS_FUNCTION void operator()(std::uint64_t number) const {
      // Chunks begin at multiples of their length, so that their numbers differ in the low bits.
      const std::uint64_t begin = (first / chunk + number) * chunk;
      const std::uint64_t from = begin < first ? first : begin;
      const std::uint64_t end =
          begin + chunk < first + store.count() ? begin + chunk : first + store.count();
      for (std::uint64_t id = from; id < end; ++id) {
        const std::uint64_t parent = id & (id - 1);
        const bool has_parent = id != 0 && parent >= from;
        State state = has_parent ? load(store.slot(parent - first)) : base;
        const std::uint64_t bits = has_parent ? id ^ parent : id;
        for (std::uint64_t r = 0; bits >> r != 0; ++r) {
          if ((bits >> r & 1) != 0) jumps(r)(state.z);
          if (r == 63) break;
        }
        Family::store(store.slot(id - first), state);
      }
    }
  };
  /// And then each by the hashed part of its start.
  template <class Store, class Powers>
  struct Scatter {
    Store store;
    Powers powers;
    std::uint64_t first;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      State state = load(store.slot(stream));
      hashed_jump(powers, first + stream, state.z);
      Family::store(store.slot(stream), state);
    }
  };

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&,
                    const StreamsOptions& options) {
    using Mem = typename Exec::memory_space;
    if (options.count == 0) return;
    std::vector<Jump> jumps;
    const std::uint64_t last = end_of(options) - 1;
    for (unsigned r = 0; r < static_cast<unsigned>(std::bit_width(last)); ++r) {
      jumps.push_back(tausworthe_jump<Kind>(starts.jump(r)));
    }
    const auto there = uploaded<Mem>(exec, "rivulet::tausworthe_jumps", jumps);
    // A device needs many threads, a CPU few jumps.
    const std::uint64_t chunk = Store::word_by_word ? 8 : 256;
    const std::uint64_t chunks = last / chunk - options.first / chunk + 1;
    Kokkos::parallel_for(
        "rivulet::start_tausworthe", StreamRange64<Exec>(exec, 0, chunks),
        Start<Store, decltype(there)>{store, there, native_tausworthe_start<Kind>(options.seed),
                                      options.first, chunk});
    const auto powers =
        uploaded<Mem>(exec, "rivulet::tausworthe_powers", tausworthe_powers<Kind>());
    Kokkos::parallel_for("rivulet::scatter_tausworthe", StreamRange64<Exec>(exec, 0, store.count()),
                         Scatter<Store, decltype(powers)>{store, powers, options.first});
    exec.fence();
  }

  template <class Store, class Jumps>
  struct Move {
    Store store;
    Jumps jump;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      State state = load(store.slot(stream));
      jump(0)(state.z);
      Family::store(store.slot(stream), state);
    }
  };
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&,
                   Uint128 numbers) {
    require_jump(numbers, starts.log2_distance() - 1, name);
    const auto there = uploaded<typename Exec::memory_space>(
        exec, "rivulet::tausworthe_jumps", std::vector<Jump>{tausworthe_jump<Kind>(numbers)});
    Kokkos::parallel_for("rivulet::jump_tausworthe", StreamRange64<Exec>(exec, 0, store.count()),
                         Move<Store, decltype(there)>{store, there});
    exec.fence();
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions& options) {
    return TausworthePlan(tausworthe_cycle<Kind>(), request_of(options, starts.log2_distance()))
        .certificate();
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/dcmt_seeding.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/twister_jump.hpp"

namespace rivulet::detail {

/// Stream s has parameter set s % sets, and starts with index s / sets on its cycle.
template <int P>
struct Family<Dcmt<P>> : RingFamily<DcmtRecurrence<P>> {
  static constexpr const char* name = P == 521    ? "dcmt521"
                                      : P == 607  ? "dcmt607"
                                      : P == 1279 ? "dcmt1279"
                                                  : "dcmt2203";
  using Recurrence = DcmtRecurrence<P>;
  using Word = std::uint32_t;
  using Memory = TwisterMemory<Recurrence>;
  static constexpr IrregularStarts starts{log2_jump_option.fallback};

  static DcmtSets sets_of(const StreamsOptions& options) {
    if (!options.sets.sets.empty()) return options.sets;
    if constexpr (P == 521 || P == 607) return shipped_dcmt(P);
    throw Error(std::string("no parameter sets of ") + name + " are shipped",
                "there are tables of exponents 521 and 607 only",
                "Give some as StreamsOptions::sets: create_dcmt_sets() of <rivulet/create.hpp>, in "
                "the whole library, makes them.");
  }

  /// What tells the streams apart: parameters by column, in kernels.
  template <class Mem>
  struct Shared {
    Kokkos::View<DcmtSet*, Mem> sets;
    Kokkos::View<DcmtSet*, Kokkos::HostSpace> host_sets;

    Shared() = default;
    template <class Exec>
    Shared(const Exec& exec, const StreamsOptions& options) : Shared(exec, sets_of(options).sets) {}
    template <class Exec>
    Shared(const Exec& exec, const std::vector<DcmtSet>& all)
        : sets(uploaded<Mem>(exec, "rivulet::dcmt_sets", all)),
          host_sets(uploaded<Kokkos::HostSpace>(host_instance(exec), "rivulet::dcmt_sets", all)) {}

    /// On the host.
    std::vector<DcmtSet> all() const {
      return {host_sets.data(), host_sets.data() + host_sets.extent(0)};
    }

    KOKKOS_FORCEINLINE_FUNCTION Recurrence recurrence(std::uint64_t id) const {
      const DcmtSet& set = sets(id % sets.extent(0));
      return {{set.a, set.b, set.c}};
    }
  };

  static void require(const StreamsOptions& options) {
    const DcmtSets sets = sets_of(options);
    if (sets.p != P) {
      throw Error(
          "parameter sets of exponent " + std::to_string(sets.p) + " were given for " + name,
          "it takes those of exponent " + std::to_string(P),
          "Use Streams<Dcmt" + std::to_string(sets.p) + ">, or other sets.");
    }
    if (common_twist(sets)) {
      throw Error("two parameter sets have the same twist coefficient",
                  "they would be the same twister, and streams on them could overlap",
                  "Leave one of them out.");
    }
    if (!options.sets.sets.empty()) require_irreducible(sets);
    plan(sets, options);
  }
  static DcmtPlan plan(const DcmtSets& sets, const StreamsOptions& options) {
    return DcmtPlan(sets, request_of(options, starts.log2_distance()));
  }
  /// Of sets that are not shipped, which tests prove: takes a millisecond a set and more.
  static void require_irreducible(const DcmtSets& sets) {
    for_each_on_host("rivulet::irreducible", sets.sets.size(), [&](std::size_t i) {
      const DcmtSet& set = sets.sets[i];
      if (is_irreducible(dcmt_characteristic_polynomial(dcmt_shape(P), set.a))) return;
      throw Error("parameter set number " + std::to_string(i) + ", of twist coefficient " +
                      std::to_string(set.a) + ", is no twister of exponent " + std::to_string(P),
                  "its characteristic polynomial is not irreducible, so its period is not 2^" +
                      std::to_string(P) + " - 1",
                  "Use sets that create_dcmt_sets() of <rivulet/create.hpp> made.");
    });
  }

  /// Of the columns that some streams have: the polynomials that make(characteristic polynomial)
  /// gives.
  template <class Exec, class Make>
  static JumpBits polynomials(const Exec& exec, const std::vector<DcmtSet>& sets,
                              const StreamsOptions& options, unsigned count, const Make& make) {
    const std::uint64_t columns = sets.size();
    JumpBits jumps(columns, P, count);
    if (count == 0) return jumps;
    const auto used = static_cast<std::size_t>(std::min<std::uint64_t>(columns, options.count));
    for_each_on_host(host_instance(exec), "rivulet::jump_polynomials", used, [&](std::size_t j) {
      const std::uint64_t column = (options.first + j) % columns;
      const std::vector<Gf2Polynomial> made =
          make(dcmt_characteristic_polynomial(dcmt_shape(P), sets[column].a));
      for (unsigned r = 0; r < count; ++r) jumps.put(r, column, made[r]);
    });
    return jumps;
  }

  template <class Bits>
  struct Jumps {
    Bits bits;
    std::uint64_t columns;
    KOKKOS_FORCEINLINE_FUNCTION JumpColumn operator()(unsigned r, std::uint64_t id) const {
      constexpr std::uint64_t rows = (P + 31) / 32;
      return {bits.data() + r * rows * columns + id % columns, columns};
    }
  };

  template <class Store, class Shared, class Bits>
  struct Start {
    Store store;
    Shared shared;
    Jumps<Bits> jumps;
    StartOrder order;
    std::uint64_t seed;
    int bit;  ///< of the streams to make now their index's lowest; -1: those without a parent

    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const std::uint64_t distance = order.distance(stream);
      const std::uint64_t id = order.first + stream;
      const Slot<Word> to = store.slot(stream);
      if (bit < 0) {
        if (distance == 0) from_seed(id, to);
      } else if (distance == order.columns << bit) {
        Memory::move(shared.recurrence(id), jumps(static_cast<unsigned>(bit), id),
                     store.slot(stream - distance), to);
      }
    }
    KOKKOS_FUNCTION void from_seed(std::uint64_t id, Slot<Word> to) const {
      const Recurrence recurrence = shared.recurrence(id);
      const auto key = dcmt_key(seed, id % order.columns, P, recurrence.set);
      init_by_array(to, Recurrence::n, key.words, DcmtKey::length);
      to[RingMemory<Recurrence>::place] = 0;
      const std::uint64_t index = id / order.columns;
      for (unsigned r = 0; index >> r != 0; ++r) {
        if ((index >> r & 1) != 0) Memory::move(recurrence, jumps(r, id), to, to);
        if (r == 63) break;
      }
    }
  };

  template <class Store, class Shared>
  struct Scatter {
    Store store;
    Shared shared;
    StartOrder order;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      Family::scatter(shared.recurrence(order.first + stream), store.slot(stream),
                      order.index(stream));
    }
  };

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared& shared,
                    const StreamsOptions& options) {
    using Mem = typename Exec::memory_space;
    if (options.count == 0) return;
    const std::vector<DcmtSet> sets = shared.all();
    const std::uint64_t columns = sets.size();
    const std::uint64_t most = (end_of(options) - 1) / columns;
    const auto bits = static_cast<unsigned>(std::bit_width(most));
    const JumpBits jumps = polynomials(exec, sets, options, bits, [most](const Gf2Polynomial& phi) {
      return JumpPolynomials(phi, starts, most).of_bits();
    });
    const auto there = uploaded<Mem>(exec, "rivulet::jump_polynomials", jumps.bits);
    for (int bit = -1, left = static_cast<int>(bits); left >= 0; bit = --left) {
      Kokkos::parallel_for(
          "rivulet::start_twisters", StreamRange64<Exec>(exec, 0, store.count()),
          Start<Store, Shared, decltype(there)>{
              store, shared, {there, columns}, {options.first, columns}, options.seed, bit});
    }
    Kokkos::parallel_for("rivulet::scatter_streams", StreamRange64<Exec>(exec, 0, store.count()),
                         Scatter<Store, Shared>{store, shared, {options.first, columns}});
    exec.fence();
  }

  template <class Store, class Shared, class Bits>
  struct Move {
    Store store;
    Shared shared;
    Jumps<Bits> jumps;
    std::uint64_t first;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const Slot<Word> slot = store.slot(stream);
      Memory::move(shared.recurrence(first + stream), jumps(0, first + stream), slot, slot);
    }
  };
  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions& options, Uint128 numbers) {
    require_jump(numbers, starts.log2_distance() - 1, name);
    const std::vector<DcmtSet> sets = shared.all();
    const JumpBits jumps = polynomials(exec, sets, options, 1, [numbers](const Gf2Polynomial& phi) {
      return doubling_powers_of_t(numbers, 1, phi);
    });
    const auto there =
        uploaded<typename Exec::memory_space>(exec, "rivulet::jump_polynomials", jumps.bits);
    Kokkos::parallel_for(
        "rivulet::jump_twisters", StreamRange64<Exec>(exec, 0, store.count()),
        Move<Store, Shared, decltype(there)>{store, shared, {there, sets.size()}, options.first});
    exec.fence();
  }

  template <class Shared>
  static Certificate certificate(const Shared& shared, const StreamsOptions& options) {
    DcmtSets sets{P, "the program's own", shared.all()};
    if ((P == 521 || P == 607) && sets.sets == shipped_dcmt(P == 521 ? 521 : 607).sets) {
      sets.source = "shipped";
    }
    Certificate lines = plan(sets, options).certificate();
    lines.emplace_back(
        "linear relations",
        text_of("of more than ", P, " streams on one set some always add up to zero, bit by bit"));
    return lines;
  }
};

}  // namespace rivulet::detail

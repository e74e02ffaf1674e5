// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet::detail {

/// Adapts the streams of a recurrence to States (twister_jump.hpp), which starts and jumps need.
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
    const auto oldest = static_cast<int>(slot[Memory::oldest_index]);
    RIVULET_ASSERT(oldest != R::n, "An open stream was moved: close it first.");
    return slot[ring_index<R::n>(oldest + k)];
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer& stored_word(int k, std::uint64_t stream) const {
    return store.slot(stream)[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream, Integer word) const {
    const auto slot = store.slot(stream);
    slot[k] = word;
    if (k > 0) return;
    if constexpr (requires { R::shape.upper_mask; }) slot[0] &= R::shape.upper_mask;
    slot[Memory::oldest_index] = 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer& term(std::uint64_t stream) const {
    return store.slot(stream)[Memory::term];
  }
};

/// Base of families whose streams store the words of a recurrence. S implements starts and jumps,
/// as in PlannedFamily.
template <class G, class R, class S>
struct RingFamily : PlannedFamily<G, S> {
  using Recurrence = R;
  using Word = typename R::Integer;
  using Engine = RingEngine<R>;
  static constexpr int words = RingMemory<R>::words;
  template <class Store, class Shared>
  static RingStates<Store, Shared, R> states(const Store& store, const Shared& shared,
                                             std::uint64_t first) {
    return {store, shared, first};
  }

  template <class Mem>
  struct Shared : EmptyShared {
    using EmptyShared::EmptyShared;
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
    if (slot[RingMemory<R>::oldest_index] >= R::n) return false;
    const auto oldest = static_cast<int>(slot[RingMemory<R>::oldest_index]);
    Word any = 0;
    for (int k = 0; k < R::n; ++k) any |= k == oldest ? 0 : slot[k];
    if constexpr (has_term<R>) {
      return (any | slot[oldest]) % 2 != 0 && slot[RingMemory<R>::term] < R::term_modulus;
    } else {
      return (any | (slot[oldest] & R::shape.upper_mask)) != 0;
    }
  }
};

template <class G>
concept RanmarVariant = std::is_same_v<G, Ranmar24> || std::derived_from<G, Ranmar48>;

template <RanmarVariant Variant>
struct Family<Variant> : RingFamily<Variant, RanmarRecurrence<Variant>, RanmarStarts<Variant>> {
  static constexpr std::string_view name = Variant::name;

  template <class Shared>
  static RanmarPlan plan(const Shared&, const StreamsOptions& options) {
    return RanmarPlan(Variant::bits, request_of(options, RanmarStarts<Variant>::log2_most_numbers));
  }
};

/// With n parameter sets, stream s uses set s % n, and has the index s / n on the set's cycle
/// (SetsPlan).
template <int P>
struct Family<Dcmt<P>> : RingFamily<Dcmt<P>, DcmtRecurrence<P>, TwisterStarts> {
  static constexpr const char* name = P == 521    ? "dcmt521"
                                      : P == 607  ? "dcmt607"
                                      : P == 1279 ? "dcmt1279"
                                                  : "dcmt2203";
  using Recurrence = DcmtRecurrence<P>;

  static DcmtSets sets_of(const StreamsOptions& options) {
    if (!options.sets.sets.empty()) return options.sets;
    if constexpr (P == 521 || P == 607) return shipped_dcmt(P);
    throw Error(
        text_of("no parameter sets of ", name, " are shipped"),
        "there are tables of exponents 521 and 607 only",
        "Set StreamsOptions::sets to what create_dcmt_sets() of <rivulet/create.hpp> returns; "
        "link Rivulet::rivulet for it.");
  }

  /// The parameter sets, for kernels and for the host.
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
      throw Error(text_of("parameter sets of exponent ", sets.p, " were given for ", name),
                  text_of("it takes those of exponent ", P),
                  text_of("Use Streams<Dcmt", sets.p, ">, or other sets."));
    }
    if (common_twist(sets)) {
      throw Error("two parameter sets have the same twist coefficient",
                  "they would be the same twister, and streams on them could overlap",
                  "Remove one of them.");
    }
    if (!options.sets.sets.empty()) require_irreducible(sets);
    plan_of(sets, options);
  }
  /// Proves that sets are twisters of exponent P. Throws Error if a proof fails. A proof takes at
  /// least a millisecond. (Callers pass only sets that are not shipped. Tests prove the shipped
  /// sets.)
  static void require_irreducible(const DcmtSets& sets) {
    for_each_on_host("rivulet::irreducible", sets.sets.size(), [&](std::size_t i) {
      const DcmtSet& set = sets.sets[i];
      if (is_irreducible(dcmt_characteristic_polynomial(dcmt_shape(P), set.a))) return;
      throw Error(text_of("parameter set number ", i, ", of twist coefficient ", set.a,
                          ", is not a twister of exponent ", P),
                  "its characteristic polynomial is not irreducible, so its period is not " +
                      text_of("2^", P, " - 1"),
                  "Use sets that create_dcmt_sets() of <rivulet/create.hpp> made.");
    });
  }

  template <class Shared>
  static DcmtPlan plan(const Shared& shared, const StreamsOptions& options) {
    DcmtSets sets{P, "the program's own", shared.all()};
    if ((P == 521 || P == 607) && sets.sets == shipped_dcmt(P == 521 ? 521 : 607).sets) {
      sets.source = "shipped";
    }
    return plan_of(std::move(sets), options);
  }
  static DcmtPlan plan_of(DcmtSets sets, const StreamsOptions& options) {
    return DcmtPlan(std::move(sets), request_of(options, log2_jump_option.fallback));
  }

  template <class Shared>
  static Certificate certificate(const Shared& shared, const StreamsOptions& options) {
    Certificate lines = plan(shared, options).certificate();
    lines.emplace_back(
        "linear relations",
        text_of("of more than ", P, " streams on one set some always add up to zero, bit by bit"));
    return lines;
  }
};

/// All streams share one cycle, on which stream s has the index s (SetsPlan).
template <>
struct Family<Mt19937> : RingFamily<Mt19937, Mt19937Words, TwisterStarts> {
  static constexpr const char* name = "mt19937";

  template <class Shared>
  static Mt19937Plan plan(const Shared&, const StreamsOptions& options) {
    return Mt19937Plan(request_of(options, mt19937_starts.log2_distance()));
  }
};

/// Stream s uses the authors' parameter set s % 200, and has the index s / 200 on the set's cycle
/// (SetsPlan).
template <>
struct Family<Mtgp11213> : RingFamily<Mtgp11213, MtgpWords, TwisterStarts> {
  static constexpr const char* name = "mtgp11213";

  /// The authors' parameter sets, in the form that kernels need.
  template <class Mem>
  struct Shared {
    Kokkos::View<MtgpTables*, Mem> tables;

    Shared() = default;
    template <class Exec>
    Shared(const Exec& exec, const StreamsOptions&)
        : tables(uploaded<Mem>(exec, "rivulet::mtgp_sets", all_mtgp_tables())) {}

    KOKKOS_FORCEINLINE_FUNCTION MtgpWords recurrence(std::uint64_t id) const {
      return MtgpWords{tables.data() + id % mtgp_set_count};
    }
  };

  template <class Shared>
  static MtgpPlan plan(const Shared&, const StreamsOptions& options) {
    return MtgpPlan(request_of(options, mtgp_starts.log2_distance()));
  }
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host_copy.hpp"
#include "representatives.hpp"
#include "rivulet/rivulet.hpp"

// Draws numbers from the C++ library's Streams in kernels, for tests.

namespace rivulet {

using NumberList = std::vector<std::uint64_t>;

template <class Exec>
using NumberView = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

template <class Exec>
using StreamPolicy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint64_t>>;

/// Opens each stream repeatedly. In each turn, draws as many numbers as the next entry of `lengths`
/// states.
template <class S>
struct DrawInTurns {
  static constexpr int turns = 8;
  S streams;
  NumberView<typename S::execution_space> to;
  std::uint64_t count;
  std::uint64_t lengths[turns];

  KOKKOS_FUNCTION void operator()(std::uint64_t s) const {
    std::uint64_t drawn = 0;
    for (int turn = 0; drawn < count; turn = (turn + 1) % turns) {
      auto rng = streams.open(s);
      for (std::uint64_t i = 0; i < lengths[turn] && drawn < count; ++i, ++drawn) {
        to(s * count + drawn) = rng();
      }
      streams.close(s, rng);
    }
  }
};

/// Returns the next `count` numbers of every stream, stream after stream. Streams are opened
/// repeatedly, as in DrawInTurns.
template <class S>
NumberList drawn(const typename S::execution_space& exec, const S& streams, std::uint64_t count,
                 const std::uint64_t (&lengths)[DrawInTurns<S>::turns]) {
  using Exec = typename S::execution_space;
  const NumberView<Exec> to("rivulet::test", streams.count() * count);
  Kokkos::fence();
  DrawInTurns<S> draw{streams, to, count, {}};
  for (int turn = 0; turn < DrawInTurns<S>::turns; ++turn) draw.lengths[turn] = lengths[turn];
  Kokkos::parallel_for("rivulet::test_draw", StreamPolicy<Exec>(exec, 0, streams.count()), draw);
  return host_copy(to);
}

/// Returns the next `count` numbers of every stream. Opens each stream once.
template <class S>
NumberList drawn(const typename S::execution_space& exec, const S& streams, std::uint64_t count) {
  const std::uint64_t all = count == 0 ? 1 : count;
  return drawn(exec, streams, count, {all, all, all, all, all, all, all, all});
}

/// Returns the next `count` numbers of every stream, and then restores the streams.
template <class S>
NumberList peek_numbers(const S& streams, std::uint64_t count) {
  const typename S::execution_space exec;
  const auto before = streams.save(exec);
  const NumberList all = drawn(exec, streams, count);
  streams.restore(exec, before);
  return all;
}

/// Returns numbers first .. first + count - 1 of each stream. `all` contains `length` numbers per
/// stream.
inline NumberList part(const NumberList& all, std::uint64_t length, std::uint64_t first,
                       std::uint64_t count) {
  NumberList some;
  for (std::uint64_t begin = 0; begin < all.size(); begin += length) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin + first);
    some.insert(some.end(), from, from + static_cast<std::ptrdiff_t>(count));
  }
  return some;
}

/// The generators that satisfy a condition.
template <template <class> class Condition, class... G>
auto selected(detail::GeneratorTypes<G...>)
    -> decltype((TypeList<>() + ... +
                 std::conditional_t<Condition<G>::value, TypeList<G>, TypeList<>>()));

template <class>
using IsAny = std::true_type;
template <class G>
using IsTested = std::bool_constant<is_tested(Streams<G>::name())>;
template <class G>
using IsTestedTeam = std::bool_constant<detail::has_teams<detail::Family<G>> && IsTested<G>::value>;
template <class G>
using IsCounterBased = std::bool_constant<detail::CounterBased<G>>;
template <class G>
using IsTestedCounter = std::bool_constant<detail::CounterBased<G> && IsTested<G>::value>;
template <class G>
using HasSmallState = std::bool_constant<detail::CycleGenerator<G>>;
template <class G>
using IsOnCycle = std::bool_constant<detail::CycleGenerator<G> && !detail::CountsSteps<G>>;

/// Every generator that the library has, for typed tests.
using LibraryGenerators = decltype(selected<IsAny>(detail::AllGenerators()))::Types;
/// The representatives (representatives.hpp).
using TestedGenerators = decltype(selected<IsTested>(detail::AllGenerators()))::Types;
/// Representatives whose streams a team can draw together.
using TeamGenerators = decltype(selected<IsTestedTeam>(detail::AllGenerators()))::Types;
using TestedCounters = decltype(selected<IsTestedCounter>(detail::AllGenerators()))::Types;
/// Counter-based generators.
using CounterTypes = decltype(selected<IsCounterBased>(detail::AllGenerators()));
using CounterGenerators = CounterTypes::Types;
/// Generators with few words of state, except for the Tausworthe family.
using SmallStateGenerators = decltype(selected<HasSmallState>(detail::AllGenerators()))::Types;
/// SmallStateGenerators whose streams share one cycle.
using CycleGenerators = decltype(selected<IsOnCycle>(detail::AllGenerators()))::Types;

struct NameOfLibraryGenerator {
  template <class G>
  static std::string GetName(int) {
    return std::string(Streams<G>::name());
  }
};

/// Returns the numbers that Rivulet's CLI draws from streams first .. first + count - 1. The
/// numbers are computed with the scalar engines of the listed generator with that name
/// (src/generators/list.hpp).
NumberList program_numbers(std::string_view generator, const StreamsOptions& options,
                           std::uint64_t numbers);

/// Returns parameter sets for tests. Exponent p is 1279 or 2203, for which Rivulet ships none.
const DcmtSets& sets_of_exponent(int p);

template <class G>
StreamsOptions with_sets(StreamsOptions options) {
  if constexpr (std::is_same_v<G, Dcmt1279>) options.sets = sets_of_exponent(1279);
  if constexpr (std::is_same_v<G, Dcmt2203>) options.sets = sets_of_exponent(2203);
  return options;
}

/// The number of streams that covers all cases of a generator in a short test. MT19937 and MTGP get
/// fewer, because their jumps have thousands of terms.
template <class G>
inline constexpr std::uint64_t enough_streams = std::is_same_v<G, Mtgp11213> ? 20
                                                : std::is_same_v<G, Mt19937> ? 75
                                                                             : 1300;

}  // namespace rivulet

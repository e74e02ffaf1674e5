// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rivulet/fill.hpp"
#include "rivulet/streams.hpp"

// Runs the battery job's tests on the streams of a host program. Link the library Rivulet::rivulet.

namespace rivulet {

/// One p-value of a statistical test.
struct BatteryPValue {
  std::string name;  ///< test set and number, class, statistic: "small.10 RandomWalk1 H"
  double statistic;
  double p;    ///< near 0 or near 1 if the test fails
  bool fails;  ///< true if p is too extreme for chance, given the number of p-values
};

namespace detail {

/// Runs tests on a sequence of words and returns their p-values. draw(units, words) writes the next
/// `units` units of the sequence to `words`. A unit has `unit` words.
std::vector<BatteryPValue> run_battery(
    std::uint64_t unit, const std::function<void(std::uint64_t, std::uint32_t*)>& draw,
    const std::string& tests);

}  // namespace detail

/// Runs the tests that `tests` names (docs/battery.md) on the streams' next 32-bit words, and
/// returns their p-values. Word i is number i / count() of stream i % count(), as in fill(). Each
/// stream advances past the words drawn. Blocking. Throws Error for unknown or repeated tests, for
/// tests that need a missing Fourier transform library, if count() is 0, and if memory is
/// insufficient. Example: `battery(streams, "small");`
template <class Generator, class Mem>
std::vector<BatteryPValue> battery(
    const Streams<Generator, Kokkos::DefaultExecutionSpace, Mem>& streams,
    const std::string& tests = "small") {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Words = Kokkos::View<std::uint32_t*, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return detail::run_battery(
      streams.count(),
      [&](std::uint64_t units, std::uint32_t* words) {
        fill(Exec(), streams, Words(words, units * streams.count()));
      },
      tests);
}

}  // namespace rivulet

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

// The battery job's tests, for streams of a program. Like create.hpp this header needs the library
// Rivulet::rivulet.

namespace rivulet {

/// A p-value of a test.
struct BatteryPValue {
  std::string name;  ///< set and number, class, and which statistic: "small.10 RandomWalk1 H"
  double statistic;
  double p;    ///< near 0 or near 1 if the test fails
  bool fails;  ///< beyond chance, with this many p-values
};

namespace detail {

/// draw(units, words) writes the next units of a sequence, each of `unit` words.
std::vector<BatteryPValue> run_battery(
    std::uint64_t unit, const std::function<void(std::uint64_t, std::uint32_t*)>& draw,
    const std::string& tests);

}  // namespace detail

/// Runs tests, by the names of docs/battery.md, on the streams' next words: word i is number
/// i / count() of stream i % count(), as fill() draws unsigned integers of 32 bits. Leaves each
/// stream behind the words that were drawn. Waits. Throws Error for unknown tests, and if there is
/// no memory.
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

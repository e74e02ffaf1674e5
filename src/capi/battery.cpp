// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/run_tests.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "capi/calls.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

/// Words per tile, unless a test needs larger tiles. The number is small, because the caller's
/// function computes the words on the host.
constexpr std::uint64_t host_words = std::uint64_t{1} << 21;

std::vector<BatteryTest> known_tests(const char* names) {
  try {
    std::vector<BatteryTest> tests = tests_named(names);
    require_transforms_for(tests);
    return tests;
  } catch (const Error& error) {
    throw SequenceError(Fault::unknown_name, error);
  }
}

}  // namespace
}  // namespace rivulet::capi

using namespace rivulet;
using namespace rivulet::capi;

int rivulet_battery(const char* tests, rivulet_words* words, rivulet_p_value* p_value, void* user) {
  if (!runs_here()) return RIVULET_ERROR_OTHER;
  DefaultArithmetic ours;
  return guarded(RIVULET_ERROR_OUT_OF_RANGE, [&] {
    require_not_null(tests, "tests");
    require_not_null(reinterpret_cast<const void*>(words), "words");
    require_not_null(reinterpret_cast<const void*>(p_value), "p_value");
    const std::vector<BatteryTest> wanted = known_tests(tests);
    const std::shared_lock<SharedMutex> shared(kokkos_mutex());
    start_kokkos();
    require_no_parallel_region("run tests", "rivulet_battery");
    // Released while the caller's functions run.
    std::unique_lock<std::mutex> threads(kokkos_threads());
    const std::shared_ptr<void> launches = launch_here();
    const ReadWords read = [&](std::span<std::uint32_t> to) {
      threads.unlock();
      ours.end();
      const std::int64_t there = words(user, static_cast<std::int64_t>(to.size()), to.data());
      ours.begin();
      threads.lock();
      return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max<std::int64_t>(there, 0)),
                                     to.size());
    };
    run_tests(make_word_supply(Space(), read), wanted, host_words, [&](const BatteryPValue& one) {
      if (threads.owns_lock()) threads.unlock();
      ours.end();
      p_value(user, one.name.c_str(), one.statistic, one.p, one.fails ? 1 : 0);
      ours.begin();
    });
  });
}

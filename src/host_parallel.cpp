// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet {
namespace {

/// Calls body(i) for i = 0 .. count-1 on as many threads as the machine has.
template <class Body>
void for_each_on_threads(std::size_t count, const Body& body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> helpers;
  for (std::size_t t = 1; t < std::min(cores, count); ++t) helpers.emplace_back(work);
  work();
}

}  // namespace

void for_each_on_host(const std::string& label, std::size_t count,
                      const std::function<void(std::size_t)>& body) {
  std::vector<std::exception_ptr> failures(count);
  const auto guarded = [&](const std::size_t i) {
    try {
      body(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  if (device_build && HostSpace().concurrency() == 1) {
    // Builds for devices have, as a rule, no parallel host space beside that.
    for_each_on_threads(count, guarded);
  } else {
    using Policy = Kokkos::RangePolicy<HostSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                       Kokkos::IndexType<std::size_t>>;
    Kokkos::parallel_for(label, Policy(0, count), guarded);
    HostSpace().fence();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace rivulet

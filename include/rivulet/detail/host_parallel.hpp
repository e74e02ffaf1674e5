// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/this_thread.hpp"

#if RIVULET_DEVICE_BUILD
#include <algorithm>
#include <atomic>
#include <thread>
#endif

namespace rivulet {
namespace detail {

#if RIVULET_DEVICE_BUILD
/// Calls body(i) for i = 0 .. count-1 on all hardware threads of the machine.
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
#endif

/// Wraps a body and stores its exceptions instead of throwing.
template <class Body>
struct GuardedBody {
  const Body* body;
  std::exception_ptr* failures;
  void operator()(std::size_t i) const {
    try {
      (*body)(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  }
};

}  // namespace detail

/// Calls body(i) for i = 0 .. count-1 on this process's host threads, in any order. The call is
/// blocking. The body may throw. After the last call, the function rethrows the exception of the
/// lowest i.
template <class Host, class Body>
void for_each_on_host(const Host& host, const std::string& label, std::size_t count,
                      const Body& body) {
  std::vector<std::exception_ptr> failures(count);
  const detail::GuardedBody<Body> guarded{&body, failures.data()};
  const auto run_on_kokkos = [&] {
    using Policy = Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>,
                                       Kokkos::IndexType<std::size_t>>;
    Kokkos::parallel_for(label, Policy(host, 0, count), guarded);
    host.fence();
  };
#if RIVULET_DEVICE_BUILD
  // If a device build's host space is serial, as is usual, plain threads run the body.
  if (host.concurrency() == 1) {
    detail::for_each_on_threads(count, guarded);
  } else {
    run_on_kokkos();
  }
#else
  if (ThisThreadOnly::active()) {
    for (std::size_t i = 0; i < count; ++i) guarded(i);
  } else {
    run_on_kokkos();
  }
#endif
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}
template <class Body>
void for_each_on_host(const std::string& label, std::size_t count, const Body& body) {
  for_each_on_host(Kokkos::DefaultHostExecutionSpace(), label, count, body);
}

}  // namespace rivulet

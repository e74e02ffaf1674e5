// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Calls body(i) for i = 0 .. count-1 on this rank's host threads, in any order: for work with
/// libraries that know nothing of Kokkos. Exceptions may leave the body; the one of the lowest i is
/// thrown when all is done.
template <class Body>
void for_each_on_host(const std::string& label, std::size_t count, const Body& body) {
  std::vector<std::exception_ptr> failures(count);
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<HostSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                           Kokkos::IndexType<std::size_t>>(0, count),
                       [&](const std::size_t i) {
                         try {
                           body(i);
                         } catch (...) {
                           failures[i] = std::current_exception();
                         }
                       });
  HostSpace().fence();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace rivulet

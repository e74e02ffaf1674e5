// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace rivulet {

/// While a thread owns a ThisThreadOnly object, CPU builds run the thread's launches on that thread
/// alone, as plain loops. Launches are kernels over streams, work on the host's threads, and
/// copies. Plain loops save the cost of waking threads, and also run on threads that are unknown to
/// Kokkos. (Kokkos 3.4 crashes if a thread other than the one that initialised Kokkos launches
/// teams.) Launches inside OpenMP parallel regions, even of one thread, also run as plain loops,
/// because Kokkos 5 would abort the program.
class ThisThreadOnly {
 public:
  ThisThreadOnly() { ++depth(); }
  ~ThisThreadOnly() { --depth(); }
  ThisThreadOnly(const ThisThreadOnly&) = delete;
  ThisThreadOnly& operator=(const ThisThreadOnly&) = delete;

  static bool active() {
#if defined(KOKKOS_ENABLE_OPENMP)
    if (omp_get_level() > 0) return true;
#endif
    return depth() > 0;
  }

 private:
  static int& depth() {
    thread_local int value = 0;
    return value;
  }
};

}  // namespace rivulet

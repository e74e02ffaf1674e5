// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace rivulet {

/// During the life of such an object, its thread's launches (kernels over streams, work on the
/// host's threads, copies) run on that thread alone, as plain loops, in builds for CPUs: without
/// the cost of waking threads, and from threads unknown to Kokkos. Kokkos 3.4 crashes if a thread
/// other than the one that initialised it launches teams. The same holds within OpenMP parallel
/// regions, those of one thread included: launches there end a program with Kokkos 5.
class ThisThreadOnly {
 public:
  ThisThreadOnly() { ++depth(); }
  ~ThisThreadOnly() { --depth(); }
  ThisThreadOnly(const ThisThreadOnly&) = delete;
  ThisThreadOnly& operator=(const ThisThreadOnly&) = delete;

  static bool active() { return depth() > 0 || is_in_region(); }

 private:
  static bool is_in_region() {
#if defined(KOKKOS_ENABLE_OPENMP)
    return omp_get_level() > 0;
#else
    return false;
#endif
  }

  static int& depth() {
    thread_local int value = 0;
    return value;
  }
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// During the life of such an object, its thread's launches (kernels over streams, work on the
/// host's threads, copies) run on that thread alone, as plain loops, in builds for CPUs: without
/// the cost of waking threads, and from threads unknown to Kokkos. Kokkos 3.4 crashes if a thread
/// other than the one that initialised it launches teams.
class ThisThreadOnly {
 public:
  ThisThreadOnly() { ++depth(); }
  ~ThisThreadOnly() { --depth(); }
  ThisThreadOnly(const ThisThreadOnly&) = delete;
  ThisThreadOnly& operator=(const ThisThreadOnly&) = delete;

  static bool active() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int value = 0;
    return value;
  }
};

}  // namespace rivulet

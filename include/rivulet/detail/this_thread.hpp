// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// While one lives, what its thread launches (kernels over streams, work on the host's threads,
/// copies) runs on that thread alone, as plain loops, in builds for CPUs: without the price of
/// waking threads, and from threads that Kokkos does not know. Kokkos 3.4 crashes when a thread but
/// the one that initialised it launches teams.
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

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <mutex>

namespace rivulet::capi {

/// Many may be inside at a time, until somebody closes it: who comes then waits outside, so that
/// closing is not put off for ever by those who come and go.
class Gate {
 public:
  void enter();
  void leave();
  /// Waits until nobody is inside; then the caller has it alone.
  void close();
  void open();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool closed_ = false;
};

/// The program's: who makes or frees what Kokkos holds is inside, and who ends Kokkos closes it.
Gate& kokkos_gate();

class InsideGate {
 public:
  InsideGate() { kokkos_gate().enter(); }
  ~InsideGate() { kokkos_gate().leave(); }
  InsideGate(const InsideGate&) = delete;
  InsideGate& operator=(const InsideGate&) = delete;
};

class ClosedGate {
 public:
  ClosedGate() { kokkos_gate().close(); }
  ~ClosedGate() { kokkos_gate().open(); }
  ClosedGate(const ClosedGate&) = delete;
  ClosedGate& operator=(const ClosedGate&) = delete;
};

}  // namespace rivulet::capi

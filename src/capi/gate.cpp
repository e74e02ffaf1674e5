// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/gate.hpp"

namespace rivulet::capi {

void Gate::enter() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !closed_; });
  ++inside_;
}

void Gate::leave() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--inside_ == 0) changed_.notify_all();
}

void Gate::close() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !closed_; });
  closed_ = true;
  changed_.wait(lock, [this] { return inside_ == 0; });
}

void Gate::open() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

Gate& kokkos_gate() {
  static auto* const gate = new Gate;  // never destructed, like the table
  return *gate;
}

}  // namespace rivulet::capi

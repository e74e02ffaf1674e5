// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/refill.hpp"

#include <utility>

namespace rivulet {

Refill::~Refill() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Refill::start(std::function<void()> work) {
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ = std::move(work);
    done_ = false;
  }
  under_way_ = true;
  changed_.notify_all();
}

void Refill::wait() {
  if (!under_way_) return;
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  under_way_ = false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Refill::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || work_; });
    if (!work_) return;
    const std::function<void()> work = std::exchange(work_, nullptr);
    lock.unlock();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    done_ = true;
    changed_.notify_all();
  }
}

}  // namespace rivulet

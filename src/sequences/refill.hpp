// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace rivulet {

/// A thread that does one thing at a time for another, which meanwhile goes on.
class Refill {
 public:
  Refill() = default;
  ~Refill();
  Refill(const Refill&) = delete;
  Refill& operator=(const Refill&) = delete;

  /// Hands over work; nothing may be under way. Starts the thread on first use.
  void start(std::function<void()> work);
  /// Waits for the work, and throws what it threw. Returns at once if nothing is under way.
  void wait();

 private:
  void run();

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  std::exception_ptr failure_;
  bool under_way_ = false;  ///< as the owner sees it
  bool done_ = false;
  bool ends_ = false;
};

}  // namespace rivulet

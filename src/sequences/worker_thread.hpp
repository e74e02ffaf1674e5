// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace rivulet {

/// A worker thread: it does one piece of work at a time while its owner goes on.
class WorkerThread {
 public:
  WorkerThread() = default;
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

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

/// Copies within the host's memory by several threads, which wait for the next copy in between:
/// one alone is slower than a device sends. Not for two threads at once.
class HostCopy {
 public:
  void operator()(void* to, const void* from, std::size_t bytes);

 private:
  std::deque<WorkerThread> helpers_;
};

}  // namespace rivulet

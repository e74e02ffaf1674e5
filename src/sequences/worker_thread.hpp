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

/// A worker thread, which runs one task at a time while its owner continues.
class WorkerThread {
 public:
  WorkerThread() = default;
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Starts a task. No task may be running. Creates the thread on first use.
  void start(std::function<void()> work);
  /// Waits for the task and rethrows its exception. Returns at once if no task is running.
  void wait();

 private:
  void run();

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  std::exception_ptr failure_;
  bool is_running_ = false;  ///< a task was started, and wait() has not returned since
  bool done_ = false;
  bool stop_requested_ = false;
};

/// Copies within host memory with several threads, because one thread copies more slowly than a
/// device sends. The threads sleep between copies. Not thread-safe.
class HostCopy {
 public:
  void operator()(void* to, const void* from, std::size_t bytes);

 private:
  std::deque<WorkerThread> helpers_;
};

}  // namespace rivulet

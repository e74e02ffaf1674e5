// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/worker_thread.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "machine/default_arithmetic.hpp"

namespace rivulet {
namespace {

/// Maximum number of threads. Eight suffice, because a core copies about 10 GB/s and a device sends
/// up to 64 GB/s (PCI Express 5).
constexpr std::size_t max_threads = 8;

/// Minimum bytes per thread. Copying this many bytes takes longer than waking another thread (about
/// 50 us).
constexpr std::size_t min_share = std::size_t{1} << 20;

}  // namespace

WorkerThread::~WorkerThread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_requested_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WorkerThread::start(std::function<void()> work) {
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ = std::move(work);
    done_ = false;
  }
  is_running_ = true;
  changed_.notify_all();
}

void WorkerThread::wait() {
  if (!is_running_) return;
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  is_running_ = false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerThread::run() {
  // Threads inherit the floating-point environment of their parent.
  const DefaultArithmetic default_arithmetic;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_requested_ || work_; });
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

void HostCopy::operator()(void* to, const void* from, std::size_t bytes) {
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1U);
  const std::size_t shares =
      std::clamp<std::size_t>(bytes / min_share, 1, std::min(cores, max_threads));
  const std::size_t share = bytes / shares;
  while (helpers_.size() + 1 < shares) helpers_.emplace_back();
  const auto copy = [=](std::size_t i) {
    const std::size_t begin = i * share;
    const std::size_t end = i + 1 == shares ? bytes : begin + share;
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                end - begin);
  };
  for (std::size_t i = 1; i < shares; ++i) {
    try {
      helpers_[i - 1].start([copy, i] { copy(i); });
    } catch (const std::system_error&) {  // no thread can be started
      copy(i);
    }
  }
  copy(0);
  for (std::size_t i = 1; i < shares; ++i) helpers_[i - 1].wait();
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace rivulet::capi {

/// Initializes Kokkos unless the program has. Throws SequenceError: ended if Kokkos has been
/// finalized, kokkos if it cannot start.
void start_kokkos();

/// Throws SequenceError (kokkos) inside a parallel region of other OpenMP threads than Kokkos':
/// that Kokkos cannot do `action`, which `function` needs.
void require_no_parallel_region(const std::string& action, const char* function);

/// Lets this thread launch kernels while the result lives and the caller holds kokkos_threads().
/// Throws SequenceError (kokkos) if Kokkos < 3.7 began on a thread without a start_kokkos().
std::shared_ptr<void> launch_here();

/// Destroys all sequences, and finalizes Kokkos if start_kokkos() initialized it. Throws
/// SequenceError (kokkos), with all sequences alive, if it cannot end here.
void finish_kokkos();

/// Whether this process was forked after its parent had started Kokkos: it then has none of the
/// threads that Kokkos and prefetching need, and its sequences would repeat its parent's numbers.
bool is_forked() noexcept;

/// Throws SequenceError (forked) if is_forked().
void require_not_forked();

/// A shared mutex that prefers the exclusive owner: once lock() waits, lock_shared() waits too.
/// (std::shared_mutex leaves the order to the system; on Linux readers can starve a writer.)
class SharedMutex {
 public:
  void lock_shared();
  void unlock_shared();
  void lock();
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int shared_ = 0;
  bool exclusive_ = false;  ///< owned, or waited for
};

/// The program's mutex: shared by calls that create or free Kokkos' resources, exclusive for
/// Kokkos' end.
SharedMutex& kokkos_mutex();

}  // namespace rivulet::capi

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "capi/handle_table.hpp"
#include "capi/rivulet.h"
#include "machine/default_arithmetic.hpp"
#include "sequences/sequence.hpp"

// Shared parts of the C interface's functions.

namespace rivulet::capi {

/// Initializes Kokkos unless the caller's program has done so. Throws SequenceError (ended) if
/// Kokkos has been finalized, and SequenceError (kokkos) if Kokkos cannot start.
void start_kokkos();

/// Throws SequenceError (kokkos) inside an OpenMP parallel region of the caller. The message says
/// that Kokkos cannot do `action` there, and where to call `function`.
void require_no_parallel_region(const std::string& action, const char* function);

/// Returns a guard: this thread may launch kernels while the guard lives and the caller holds
/// kokkos_threads(). Throws SequenceError (kokkos) if Kokkos < 3.7 was started on a thread that has
/// not called start_kokkos().
std::shared_ptr<void> launch_here();

/// Destroys all sequences, and finalizes Kokkos if start_kokkos() initialized it. Throws
/// SequenceError (kokkos), with all sequences intact, if Kokkos cannot end here.
void finish_kokkos();

/// True if this process was forked after its parent had started Kokkos. The child lacks the threads
/// of Kokkos and of prefetching, and its sequences would repeat the parent's numbers.
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
  bool exclusive_ = false;  ///< owned exclusively, or a writer waits
};

/// Returns the process's mutex for Kokkos. Calls that create or free Kokkos' resources share the
/// mutex. The thread that finalizes Kokkos owns the mutex exclusively.
SharedMutex& kokkos_mutex();

/// Replaces deck keys in a message by the names of members of rivulet_options.
std::string named_as_options(std::string text);

/// Call this only inside a catch block. Stores the exception's message for rivulet_message() and
/// returns its status; `for_errors` is the status of an Error that is not a SequenceError.
int store_error(rivulet_status for_errors) noexcept;

/// True if this processor can run the library; otherwise stores a message. Every function of the
/// interface calls this first.
bool runs_here() noexcept;

const char* last_message() noexcept;

/// Returns the word for the type in names such as rivulet_get_double and, in Fortran,
/// rivulet_double.
const char* type_word(NumberType type);

/// Runs the action in DefaultArithmetic and returns a status: no exception leaves the C interface.
template <class Action>
int guarded(rivulet_status for_errors, const Action& action) noexcept {
  if (!runs_here()) return RIVULET_ERROR_OTHER;
  const DefaultArithmetic ours;
  try {
    require_not_forked();
    action();
    return RIVULET_OK;
  } catch (...) {
    return store_error(for_errors);
  }
}
template <class Action>
int guarded(const Action& action) noexcept {
  return guarded(RIVULET_ERROR_OTHER, action);
}

/// Like guarded(), for an action on a sequence's slot, which is locked during the action.
template <class Action>
int with_sequence(rivulet_sequence id, rivulet_status for_errors, const Action& action) noexcept {
  return guarded(for_errors, [&] { handle_table().use(id, action); });
}
template <class Action>
int with_sequence(rivulet_sequence id, const Action& action) noexcept {
  return with_sequence(id, RIVULET_ERROR_OTHER, action);
}

/// Throws SequenceError (null_pointer), naming the argument, if the pointer is null.
void require_not_null(const void* pointer, const char* name);

/// Throws SequenceError (count) unless count > 0.
void require_positive(long long count, const char* name);

/// Sets *sequence to 0, which is no sequence's id. Throws SequenceError (null_pointer) for nullptr.
void reset(rivulet_sequence* sequence);

rivulet_options default_options();

/// Converts the caller's options; returns the defaults for a null pointer. Throws SequenceError
/// (option, seed, out_of_range) for unknown enumerators and negative numbers.
SequenceOptions sequence_options(const rivulet_options* caller_options);

/// Throws SequenceError (option) for an unknown type.
NumberType number_type(std::int32_t type);

/// Returns the mutex that a thread holds while it reads files, because HDF5 may be built without
/// thread safety.
std::mutex& file_mutex();

/// Returns the name if rivulet_create can use it. Throws SequenceError (null_pointer, option,
/// name_taken).
std::string checked_name(const char* name);

/// Creates a sequence from SequenceOptions or a SavedSequence. Holds file_mutex() if
/// `reads_a_file`. Throws Error.
template <class From>
std::unique_ptr<Sequence> make_sequence(const From& from, bool reads_a_file) {
  std::unique_lock<std::mutex> files(file_mutex(), std::defer_lock);
  if (reads_a_file) files.lock();
  return std::make_unique<Sequence>(from);
}

}  // namespace rivulet::capi

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/calls.hpp"

#include <pthread.h>

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstdlib>
#include <exception>

#include "capi/handle_table.hpp"
#include "machine/kokkos_start.hpp"
#include "sequences/sequence_error.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
#define RIVULET_ONE_THREAD_LAUNCHES 1
#endif

namespace rivulet::capi {
namespace {

std::atomic<bool> forked{false};

/// The child's only thread runs this before fork() returns. The handler must not allocate or lock,
/// because a lock's owner may not exist in the child.
void in_child() {
  forked = true;
  handle_table().close_all();
}

void watch_forks() {
  static const int done = (handle_table(), pthread_atfork(nullptr, nullptr, in_child));
  static_cast<void>(done);  // if pthread_atfork runs out of memory, forks go undetected
}

struct Session {
  std::mutex mutex;
  void* launcher = nullptr;            ///< OpenMP instance of the launching thread
  bool has_hooks = false;              ///< at_finalize() is registered
  bool owns_kokkos = false;            ///< start_kokkos() initialized Kokkos
  std::atomic<bool> is_ending{false};  ///< finish_kokkos() is finalizing Kokkos
  std::atomic<bool> has_ended{false};
};

Session& session() {
  static auto* const instance = new Session;  // never destroyed, like the table
  return *instance;
}

/// Destroys all sequences at the beginning of Kokkos::finalize, because device memory must be freed
/// before Kokkos ends. The user's program may also call Kokkos::finalize.
void at_finalize() {
  if (is_forked()) return;
  std::unique_lock<SharedMutex> alone(kokkos_mutex(), std::defer_lock);
  if (!session().is_ending) alone.lock();  // else finish_kokkos() has locked it
  handle_table().destroy_all();
  session().has_ended = true;
}

/// Stops prefetching threads before the libraries that they use are unloaded. Does not finalize
/// Kokkos: a static destructor runs too late, because MPI or a device may be gone.
void at_exit() {
  if (is_forked()) return;
  try {
    handle_table().synchronize_all();
  } catch (...) {  // the program exits anyway
  }
}

void initialize_quietly() {
#if KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
#else
  Kokkos::InitArguments arguments;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

bool kokkos_has_ended() {
#if KOKKOS_VERSION >= 40000
  if (Kokkos::is_finalized()) return true;
#endif
  return session().has_ended;
}

/// Stores Kokkos' OpenMP instance of the calling thread. Only a launching thread has an instance.
void note_launcher() {
#if RIVULET_ONE_THREAD_LAUNCHES
  if (auto* const instance = Kokkos::Impl::t_openmp_instance) session().launcher = instance;
#endif
}

/// Initializes Kokkos. Reports a failure as Fault::kokkos, to distinguish it from a failure of the
/// constructor that needed Kokkos.
void initialize() {
  require_no_parallel_region("start", "rivulet_initialize");
  try {
    check_threads({});
    check_devices({});
    initialize_quietly();
  } catch (const Error& error) {
    throw SequenceError(Fault::kokkos, error);
  } catch (const std::exception& error) {
    throw SequenceError(Fault::kokkos, "Kokkos failed to start", error.what(),
                        "Check the variables that `env | grep -E '^(KOKKOS|OMP)_'` prints.");
  }
}

}  // namespace

void require_no_parallel_region([[maybe_unused]] const std::string& action,
                                [[maybe_unused]] const char* function) {
#if defined(KOKKOS_ENABLE_OPENMP) && defined(_OPENMP)
  if (omp_in_parallel() == 0) return;
  throw SequenceError(Fault::kokkos, "Kokkos cannot " + action + " here",
                      "the call comes from inside an OpenMP parallel region",
                      std::string("Call ") + function + " outside of parallel regions.");
#endif
}

SharedMutex& kokkos_mutex() {
  static auto* const mutex = new SharedMutex;  // never destroyed, like the table
  return *mutex;
}

void SharedMutex::lock_shared() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !exclusive_; });
  ++shared_;
}

void SharedMutex::unlock_shared() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--shared_ == 0) changed_.notify_all();
}

void SharedMutex::lock() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !exclusive_; });
  exclusive_ = true;
  changed_.wait(lock, [this] { return shared_ == 0; });
}

void SharedMutex::unlock() {
  const std::lock_guard<std::mutex> lock(mutex_);
  exclusive_ = false;
  changed_.notify_all();
}

bool is_forked() noexcept { return forked; }

void require_not_forked() {
  if (!is_forked()) return;
  throw SequenceError(
      Fault::forked, "this process cannot use Rivulet",
      "it is a fork of a process that uses Rivulet: it lacks that process's threads, and would "
      "repeat its numbers",
      "Fork before the first call of rivulet_initialize or rivulet_create, or "
      "execute a program in the child.");
}

void start_kokkos() {
  Session& current = session();
  const std::lock_guard<std::mutex> lock(current.mutex);
  if (kokkos_has_ended()) {
    throw SequenceError(Fault::ended, "Kokkos has been finalized", "it cannot start again",
                        "Finalize Kokkos and this library only at the end of the program.");
  }
  if (current.has_hooks) return note_launcher();
  watch_forks();
  if (!Kokkos::is_initialized()) {
    initialize();
    current.owns_kokkos = true;
  }
  note_launcher();
  Kokkos::push_finalize_hook(at_finalize);
  std::atexit(at_exit);
  current.has_hooks = true;
}

std::shared_ptr<void> launch_here() {
#if RIVULET_ONE_THREAD_LAUNCHES
  using Launcher = decltype(Kokkos::Impl::t_openmp_instance);
  Launcher& now = Kokkos::Impl::t_openmp_instance;
  const Launcher before = now;
  if (before == nullptr) now = static_cast<Launcher>(session().launcher);
  if (now == nullptr) {
    throw SequenceError(
        Fault::kokkos, "Kokkos cannot run tests on this thread",
        "before version 3.7 it serves only the thread that started it, which has not called "
        "this library",
        "Call rivulet_initialize on the thread that started Kokkos.");
  }
  return {before, [](void* previous) {
            Kokkos::Impl::t_openmp_instance = static_cast<Launcher>(previous);
          }};
#else
  return {};
#endif
}

void finish_kokkos() {
  const std::unique_lock<SharedMutex> alone(kokkos_mutex());
  Session& current = session();
  const std::lock_guard<std::mutex> lock(current.mutex);
  const bool finalizes = current.owns_kokkos && Kokkos::is_initialized();
  if (finalizes) require_no_parallel_region("end", "rivulet_finalize");
  handle_table().destroy_all();
  if (!finalizes) return;
  current.is_ending = true;
  Kokkos::finalize();
  current.is_ending = false;
}

}  // namespace rivulet::capi

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/kokkos_session.hpp"

#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "capi/handle_table.hpp"
#include "kernels/kokkos_start.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

struct Session {
  std::mutex mutex;
  bool is_watched = false;  ///< whether we hear of Kokkos' end
  bool is_ours = false;     ///< whether we initialized Kokkos
  std::atomic<bool> has_ended{false};
};

Session& session() {
  static auto* const one = new Session;  // never destructed, like the table
  return *one;
}

/// Kokkos::finalize calls this, whoever called that: device memory must go first.
void at_finalize() {
  handle_table().destroy_all();
  session().has_ended = true;
}

/// Threads that draw ahead must rest before the libraries they use are taken down. Kokkos itself is
/// left alone: a static destructor is too late to finalize it, as MPI or a device may be gone.
void at_exit() {
  try {
    handle_table().settle_all();
  } catch (...) {  // the program ends all the same
  }
}

void initialize_quietly() {
  check_devices({});
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

}  // namespace

void start_kokkos() {
  Session& one = session();
  const std::lock_guard<std::mutex> lock(one.mutex);
  if (kokkos_has_ended()) {
    throw SequenceError(Fault::ended, "Kokkos has been finalized", "it cannot start again",
                        "Finalize it, and this library, at the end of the program.");
  }
  if (one.is_watched) return;
  if (!Kokkos::is_initialized()) {
    initialize_quietly();
    one.is_ours = true;
  }
  Kokkos::push_finalize_hook(at_finalize);
  std::atexit(at_exit);
  one.is_watched = true;
}

void finish_kokkos() {
  Session& one = session();
  const std::lock_guard<std::mutex> lock(one.mutex);
  handle_table().destroy_all();
  if (one.is_ours && Kokkos::is_initialized()) Kokkos::finalize();
}

}  // namespace rivulet::capi

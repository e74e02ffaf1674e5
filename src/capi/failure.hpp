// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "capi/kokkos_session.hpp"
#include "capi/rivulet.h"

namespace rivulet::capi {

/// Called while an exception is handled: keeps its message for rivulet_message() and returns its
/// status; `for_errors` is the status of an Error that is no SequenceError. Throws nothing.
int keep_failure(rivulet_status for_errors) noexcept;

/// The last message of this thread.
const char* kept_message() noexcept;

/// The action's outcome as a status: no exception leaves the C interface.
template <class Action>
int guarded(rivulet_status for_errors, const Action& action) noexcept {
  try {
    require_not_forked();
    action();
    return RIVULET_OK;
  } catch (...) {
    return keep_failure(for_errors);
  }
}
template <class Action>
int guarded(const Action& action) noexcept {
  return guarded(RIVULET_ERROR_OTHER, action);
}

/// Throws SequenceError (null_pointer) naming the argument.
void require_not_null(const void* pointer, const char* name);

/// Throws SequenceError (count) unless count > 0.
void require_positive(long long count, const char* name);

}  // namespace rivulet::capi

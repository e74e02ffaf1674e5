// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/forked.hpp"

#include <pthread.h>

#include <atomic>

#include "capi/handle_table.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

std::atomic<bool> forked{false};

/// The child's only thread runs this before fork() returns: it takes no lock, as whoever held it is
/// not there, and no memory.
void in_child() {
  forked = true;
  handle_table().close_all();
}

}  // namespace

void watch_forks() {
  static const int done = (handle_table(), pthread_atfork(nullptr, nullptr, in_child));
  static_cast<void>(done);  // no memory for it: then as without
}

bool is_forked() noexcept { return forked; }

void require_not_forked() {
  if (!is_forked()) return;
  throw SequenceError(Fault::forked, "this process cannot use Rivulet",
                      "it was forked by one that did, whose threads it lacks and whose numbers it "
                      "would repeat",
                      "Fork before the first call of rivulet_initialize or rivulet_create, or let "
                      "the child execute a program.");
}

}  // namespace rivulet::capi

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace rivulet::io {

/// Parses names of signals, such as "SIGTERM SIGINT". The prefix SIG is optional; blanks or commas
/// separate the names. Accepts the signals that users and batch systems send to end a program;
/// throws Error for any other word.
std::vector<int> signals_from(const std::string& text);
std::string name_of_signal(int signal);

/// Functions that remove open outputs (io/files/open_outputs.hpp) if the program ends without
/// running destructors; null until an output is opened. Signal handlers call remove_in_handler, and
/// Communicator::abort() calls remove_at_abort.
inline std::atomic<void (*)()> remove_in_handler = nullptr;
inline std::atomic<void (*)()> remove_at_abort = nullptr;
static_assert(std::atomic<void (*)()>::is_always_lock_free);  // as signal handlers require

/// Makes each of these signals remove open outputs and end the program at once. The exit status is
/// `status` or, if that is 0, 128 + the signal's number, as in a shell.
void exit_on_signals(const std::vector<int>& signals, int status = 0);
/// Blocks these signals, even across an exec, until exit_on_signals() or record_signals() is
/// called.
void block_signals(const std::vector<int>& signals);
/// Makes these signals only set received_signal(), without ending the program.
void record_signals(const std::vector<int>& signals);
/// Returns the last signal recorded after record_signals(), or 0 if there is none.
int received_signal();

}  // namespace rivulet::io

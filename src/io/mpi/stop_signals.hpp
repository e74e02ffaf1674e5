// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace rivulet::io {

/// Names of signals in a text, such as "SIGTERM SIGINT", with or without SIG, separated by blanks
/// or commas. Throws Error for what is none that a program can be sent to end it.
std::vector<int> signals_from(const std::string& text);
std::string name_of_signal(int signal);

/// Functions that remove open outputs (io/files/open_outputs.hpp), for ends without destructors:
/// a handler of signals calls the first, Communicator::abort() the second. Null before any output.
inline std::atomic<void (*)()> remove_in_handler = nullptr;
inline std::atomic<void (*)()> remove_at_abort = nullptr;
static_assert(std::atomic<void (*)()>::is_always_lock_free);  // which handlers may touch

/// From now on each of these signals ends the program at once: open outputs are removed, and the
/// exit status is `status` or, if that is 0, 128 + the signal's number, as a shell's.
void end_on(const std::vector<int>& signals, int status = 0);
/// From now on these signals wait for end_on() or note(), also if an exec comes before.
void hold(const std::vector<int>& signals);
/// From now on these signals are only recorded.
void note(const std::vector<int>& signals);
/// The last recorded signal; 0 for none.
int noted_signal();

}  // namespace rivulet::io

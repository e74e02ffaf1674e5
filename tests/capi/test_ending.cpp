// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program ends, without rivulet_finalize, while threads of its draw: its status is its own.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "check.h"

namespace {

constexpr int programs = 24;
constexpr int status = 7;
constexpr unsigned patience = 60;  // seconds

/// Draws in the main thread until another ends the program.
[[noreturn]] void end_while_drawing(int delay, int asynchronous) {
  rivulet_options options;
  rivulet_sequence sequence = 0;
  SUCCEEDS(rivulet_options_default(&options));
  options.buffer_numbers = 5000;
  options.asynchronous = asynchronous;
  SUCCEEDS(rivulet_create("drawn to the end", &options, &sequence));
  std::thread([delay] {
    std::this_thread::sleep_for(std::chrono::microseconds(delay));
    exit(failures == 0 ? status : 1);
  }).detach();
  for (std::array<double, 1000> numbers{};;) {
    SUCCEEDS(rivulet_get_double(sequence, numbers.size(), numbers.data()));
  }
}

}  // namespace

int main() {
  for (int i = 0; i < programs; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      alarm(patience);
      end_while_drawing(100 * i, i % 2);
    }
    int ended = 0;
    waitpid(pid, &ended, 0);
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == status);
  }
  return failures == 0 ? 0 : 1;
}

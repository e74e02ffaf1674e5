// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A child of fork() may use the library if its parent did not. Otherwise each call in the child
// returns RIVULET_ERROR_FORKED, whatever the parent's threads were doing. A program that ends
// without rivulet_finalize, while its threads draw, keeps its exit status.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "check.h"

namespace {

constexpr unsigned patience = 60;  // seconds
constexpr int own_status = 7;

/// Runs the body in a child process. Returns true if the child exits with the expected status.
template <class Body>
bool child(const Body& body, int expected = 0) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(patience);  // ends a child that hangs
    failures = 0;
    body();
    fflush(stderr);
    exit(failures == 0 ? 0 : 1);  // runs the library's exit handlers
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == expected;
}

double drawn_by_its_own() {
  rivulet_sequence sequence = 0;
  double number = -1;
  SUCCEEDS(rivulet_create("own", nullptr, &sequence));
  SUCCEEDS(rivulet_get_double(sequence, 1, &number));
  return number;
}

void expect_forked_errors(rivulet_sequence sequence) {
  double number = -1;
  CHECK(rivulet_get_double(sequence, 1, &number) == RIVULET_ERROR_FORKED);
  CHECK(number == -1);
  CHECK(std::string(rivulet_message()).find("this process cannot use Rivulet (it is a fork") == 0);
  CHECK(rivulet_skip(sequence, 1) == RIVULET_ERROR_FORKED);
  CHECK(rivulet_destroy(sequence) == RIVULET_ERROR_FORKED);
  rivulet_sequence made = 1;
  CHECK(rivulet_create("new", nullptr, &made) == RIVULET_ERROR_FORKED);
  CHECK(rivulet_initialize() == RIVULET_ERROR_FORKED);
  CHECK(rivulet_finalize() == RIVULET_ERROR_FORKED);
  CHECK(child([&] { CHECK(rivulet_get_double(sequence, 1, &number) == RIVULET_ERROR_FORKED); }));
}

/// Draws in the main thread until another thread ends the program.
[[noreturn]] void end_while_drawing(int delay, int asynchronous) {
  rivulet_options options = default_options();
  options.buffer_numbers = 5000;
  options.asynchronous = asynchronous;
  const rivulet_sequence sequence = created("drawn to the end", &options);
  std::thread([delay] {
    std::this_thread::sleep_for(std::chrono::microseconds(delay));
    exit(failures == 0 ? own_status : 1);
  }).detach();
  for (std::array<double, 1000> numbers{};;) {
    SUCCEEDS(rivulet_get_double(sequence, numbers.size(), numbers.data()));
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 24; ++i) CHECK(child([&] { end_while_drawing(100 * i, i % 2); }, own_status));
  CHECK(child([] { CHECK(drawn_by_its_own() >= 0); }));

  rivulet_options options = default_options();
  options.buffer_numbers = 1000;
  options.asynchronous = 1;
  const rivulet_sequence sequence = created("parent's", &options);
  double number = -1;
  SUCCEEDS(rivulet_get_double(sequence, 1, &number));

  std::atomic<bool> stop{false};
  std::thread busy([&] {
    static double numbers[5000];
    while (!stop) rivulet_get_double(sequence, 5000, numbers);
  });
  for (int i = 0; i < 5; ++i) CHECK(child([&] { expect_forked_errors(sequence); }));
  stop = true;
  busy.join();
  SUCCEEDS(rivulet_get_double(sequence, 1, &number));
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library is finalized while threads make, use and destroy sequences: they are told so, and the
// program goes on.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr int threads = 6;
std::atomic<int> rounds{0};

/// Until it is told that the library has ended.
void make_and_destroy(int thread, std::string& failure) {
  rivulet_options options;
  rivulet_options_default(&options);
  options.buffer_numbers = thread % 2 == 0 ? 0 : 1000;
  options.asynchronous = thread % 3 == 0 ? 1 : 0;
  const std::string name = "thread " + std::to_string(thread);
  for (;; ++rounds) {
    rivulet_sequence sequence = 0;
    const int made = rivulet_create(name.c_str(), &options, &sequence);
    if (made == RIVULET_ERROR_ENDED) return;
    double numbers[100];
    const int drawn = made == RIVULET_OK ? rivulet_get_double(sequence, 100, numbers) : made;
    const int gone = drawn == RIVULET_OK ? rivulet_destroy(sequence) : drawn;
    if (gone != RIVULET_OK && gone != RIVULET_ERROR_DESTROYED) {
      failure = rivulet_message();
      return;
    }
  }
}

}  // namespace

int main() {
  SUCCEEDS(rivulet_initialize());
  std::vector<std::string> messages(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back(make_and_destroy, t, std::ref(messages[static_cast<std::size_t>(t)]));
  }
  while (rounds < 10 * threads) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::vector<int> statuses(2, -1);
  std::thread other([&] { statuses[1] = rivulet_finalize(); });
  statuses[0] = rivulet_finalize();
  other.join();
  for (std::thread& one : running) one.join();
  for (const int status : statuses) CHECK(status == RIVULET_OK);
  for (const std::string& message : messages) {
    if (!message.empty()) fprintf(stderr, "%s\n", message.c_str());
    CHECK(message.empty());
  }
  return failures == 0 ? 0 : 1;
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kokkos has room for 512 OpenMP threads, and the library refuses to start more. The program may
// call the library from more threads of its own.

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr int threads = 600;  // more than the 512 entries of Kokkos' thread table

std::atomic<int> good{0};

void draw(int thread) {
  rivulet_options options;
  rivulet_options_default(&options);
  options.generator = "philox4x32";
  options.first_stream = thread;
  options.instances = 4;
  const std::string name = "thread " + std::to_string(thread);
  rivulet_sequence sequence = 0;
  double numbers[100];
  if (rivulet_create(name.c_str(), &options, &sequence) != RIVULET_OK) return;
  if (rivulet_get_double(sequence, 100, numbers) != RIVULET_OK) return;
  ++good;
  while (good < threads) std::this_thread::yield();  // all threads exist at the same time
  if (rivulet_destroy(sequence) != RIVULET_OK) --good;
}

}  // namespace

int main() {
#if RIVULET_TEST_KOKKOS_HAS_OPENMP
  setenv("KOKKOS_NUM_THREADS", "513", 1);
  CHECK(rivulet_initialize() == RIVULET_ERROR_KOKKOS);
  const std::string message = rivulet_message();
  CHECK(message.find("KOKKOS_NUM_THREADS=513 is invalid (Kokkos runs at most 512 OpenMP") == 0);
  unsetenv("KOKKOS_NUM_THREADS");
#endif
  SUCCEEDS(rivulet_initialize());
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) running.emplace_back(draw, t);
  for (std::thread& one : running) one.join();
  CHECK(good == threads);
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}

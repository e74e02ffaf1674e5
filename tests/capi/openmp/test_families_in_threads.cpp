// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A generator of each family gives the same results in the thread that started Kokkos and in two
// concurrent threads. The same holds for each thread of an OpenMP parallel region, even of a region
// with one thread.

#include <set>
#include <string>
#include <thread>

#include "check.h"
#include "every_generator.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace {

constexpr int threads = 2;

void in_two_threads(const Trial& trial, const Life& expected) {
  Life lives[threads];
  {
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&trial, &lives, t] {
        lives[t] = life_of("thread " + std::to_string(t), trial.options);
      });
    }
    for (std::thread& one : running) one.join();
  }
  for (int t = 0; t < threads; ++t) {
    failures += failures_of(lives[t], expected, trial.what + ", thread " + std::to_string(t));
  }
}

void in_a_parallel_region([[maybe_unused]] const Trial& trial,
                          [[maybe_unused]] const Life& expected) {
#if defined(_OPENMP)
  Life lives[threads];
  int in_region = 0;
#pragma omp parallel num_threads(threads)
  {
    const int t = omp_get_thread_num();
    lives[t] = life_of("region " + std::to_string(t), trial.options);
#pragma omp atomic
    ++in_region;
  }
  CHECK(in_region == threads);
  for (int t = 0; t < threads; ++t) {
    failures += failures_of(lives[t], expected, trial.what + ", region " + std::to_string(t));
  }
#pragma omp parallel num_threads(1)
  lives[0] = life_of("region of one", trial.options);
  failures += failures_of(lives[0], expected, trial.what + ", region of one thread");
#endif
}

}  // namespace

int main() {
#if !defined(_OPENMP)
  printf("SKIPPED: threads of a parallel region: built without OpenMP\n");
#endif
  SUCCEEDS(rivulet_initialize());
  const std::set<std::string> families{"dcmt521",          "ranmar48",   "mt19937",
                                       "mtgp11213",        "philox4x32", "xoshiro256pp",
                                       "hybrid_tausworthe"};
  std::int64_t trials = 0;
  std::int64_t tried = 0;
  for (std::int64_t i = 0; i < rivulet_generator_count(); ++i) {
    if (families.count(rivulet_generator_name(i)) == 0) continue;
    ++tried;
    for (const Trial& trial : trials_of(rivulet_generator_name(i))) {
      const Life expected = life_of("main", trial.options);
      failures += failures_of(expected, expected, trial.what + ", main");
      in_two_threads(trial, expected);
      in_a_parallel_region(trial, expected);
      ++trials;
    }
  }
  CHECK(tried > 0 && trials >= 6 * tried);
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}

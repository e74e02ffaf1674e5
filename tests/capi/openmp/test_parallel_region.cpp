// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kokkos' OpenMP threads cannot start or end inside a parallel region. The library reports this and
// still works after the region. If Kokkos has no OpenMP threads, the library also works inside the
// region.

#include <string>

#include "check.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace {

/// The outcome of one thread of a region.
struct Answer {
  int status = RIVULET_OK;
  std::string message;
};

template <class Call>
void expect_in_region([[maybe_unused]] const Call& call, [[maybe_unused]] const char* advice) {
#if defined(_OPENMP)
  Answer answers[2];
#pragma omp parallel num_threads(2)
  {
    Answer& mine = answers[omp_get_thread_num()];
    mine.status = call();
    mine.message = rivulet_message();
  }
  for (const Answer& answer : answers) {
#if RIVULET_TEST_KOKKOS_HAS_OPENMP
    CHECK(answer.status == RIVULET_ERROR_KOKKOS);
    CHECK(answer.message.find("inside an OpenMP parallel region). Call ") != std::string::npos);
    CHECK(answer.message.ends_with(advice));
    if (failures > 0) fprintf(stderr, "%d: %s\n", answer.status, answer.message.c_str());
#else
    CHECK(answer.status == RIVULET_OK);
#endif
  }
#endif
}

}  // namespace

int main() {
#if !defined(_OPENMP)
  printf("SKIPPED: parallel regions: built without OpenMP\n");
  return 77;
#endif
  const char* const start = "rivulet_initialize outside of parallel regions.";
  expect_in_region([] { return rivulet_initialize(); }, start);
#if RIVULET_TEST_KOKKOS_HAS_OPENMP
  expect_in_region(
      [] {
        rivulet_sequence sequence = 1;
        const int status = rivulet_create("too early", nullptr, &sequence);
        return sequence == 0 ? status : RIVULET_OK;
      },
      start);
#endif

  rivulet_sequence sequence = 0;
  double number = 0;
  SUCCEEDS(rivulet_create("in time", nullptr, &sequence));
#if RIVULET_TEST_KOKKOS_HAS_OPENMP
  expect_in_region([] { return rivulet_finalize(); },
                   "rivulet_finalize outside of parallel regions.");
#if RIVULET_TEST_BATTERY
  expect_in_region(
      [] {
        const auto words = [](void*, int64_t, uint32_t*) { return int64_t{0}; };
        const auto tell = [](void*, const char*, double, double, int) {};
        return rivulet_battery("small", words, tell, nullptr);
      },
      "rivulet_battery outside of parallel regions.");
#endif
#endif
  SUCCEEDS(rivulet_get_double(sequence, 1, &number));
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests a program that itself uses Kokkos. The library neither starts nor ends Kokkos. It draws
// ahead while the program runs kernels, and frees its memory when the program finalizes Kokkos.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "check.h"

int main(int argc, char** argv) {
  rivulet_options options = default_options();
  options.buffer_numbers = 20000;
  options.asynchronous = 1;
  rivulet_sequence sequence = 0;
  double number = 0;

  Kokkos::initialize(argc, argv);
  SUCCEEDS(rivulet_create("one", &options, &sequence));
  for (int step = 0; step < 200; ++step) {
    double numbers[1000];
    SUCCEEDS(rivulet_get_double(sequence, 1000, numbers));
    std::int64_t sum = 0;
    Kokkos::parallel_reduce(
        "host's own work", 1000,
        KOKKOS_LAMBDA(const int i, std::int64_t& partial) { partial += i; }, sum);
    CHECK(sum == 499500);
  }
  SUCCEEDS(rivulet_finalize());
  CHECK(Kokkos::is_initialized());
  FAILS(RIVULET_ERROR_DESTROYED, rivulet_get_double(sequence, 1, &number));

  SUCCEEDS(rivulet_create("two", &options, &sequence));
  SUCCEEDS(rivulet_get_double(sequence, 1, &number));
  Kokkos::finalize();
  FAILS(RIVULET_ERROR_DESTROYED, rivulet_get_double(sequence, 1, &number));
  FAILS(RIVULET_ERROR_ENDED, rivulet_create("three", &options, &sequence));
  return failures == 0 ? 0 : 1;
}

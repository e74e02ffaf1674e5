// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "../skipped_tests.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Death tests run this program again, because a fork of a process with threads or a device cannot
  // continue.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const bool only_lists = testing::GTEST_FLAG(list_tests);
  if (only_lists) return RUN_ALL_TESTS();
  Kokkos::initialize(argc, argv);
  const int status = rivulet::run_tests_and_list_skipped();
  Kokkos::finalize();
  return status;
}

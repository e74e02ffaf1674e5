// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <string_view>

#include "io/mpi/communicator.hpp"
#include "io/results/hdf5_support.hpp"
#include "skipped_tests.hpp"

namespace {

/// True if the program only lists the tests, as the build does to discover them. Listing needs
/// neither a device nor MPI.
bool only_lists(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--gtest_list_tests") return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (only_lists(argc, argv)) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  }
  rivulet::io::start_hdf5();
  const rivulet::io::MpiSession mpi(argc, argv);
  Kokkos::initialize(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const int status = rivulet::run_tests_and_list_skipped();
  Kokkos::finalize();
  return status;
}

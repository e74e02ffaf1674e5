// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The main function of tests with several ranks. Every rank runs every test. Root prints
// GoogleTest's report; other ranks print only their failures.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include "../skipped_tests.hpp"
#include "io/mpi/communicator.hpp"
#include "io/results/hdf5_support.hpp"

namespace {

using rivulet::io::Communicator;
using rivulet::io::MpiSession;

/// Prints only failures, for ranks other than root.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }

  /// GoogleTest holds its lock here, so current_test_info() would block.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::ostringstream text;  // one write, so that ranks' lines do not interleave
    text << "rank " << rank_ << ": " << test_ << " " << result << "\n";
    std::cerr << text.str() << std::flush;
  }

 private:
  int rank_;
  std::string test_;
};

int run_tests(const Communicator& world) {
  if (!world.is_root()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(world.rank()));
  }
  const int status = rivulet::run_tests_and_list_skipped();
  const bool skipped = status == rivulet::skipped_status;
  if (world.max(std::uint64_t{status != 0 && !skipped}) != 0) return 1;
  return world.max(std::uint64_t{!skipped}) == 0 ? rivulet::skipped_status : 0;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  rivulet::io::start_hdf5();
  const MpiSession mpi(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return run_tests(Communicator::world());
}

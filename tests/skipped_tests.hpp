// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

namespace rivulet {

inline constexpr int skipped_status = 77;  ///< ctest's SKIP_RETURN_CODE

/// As all test programs do, prints "SKIPPED: TEST: REASON" for each test that skipped itself.
class SkipPrinter : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    for (int i = 0; i < result.total_part_count(); ++i) {
      const testing::TestPartResult& part = result.GetTestPartResult(i);
      if (!part.skipped()) continue;
      std::printf("SKIPPED: %s.%s: %s\n", test.test_suite_name(), test.name(), part.message());
    }
  }
};

/// Runs all tests. Returns the exit status: 1 if any failed, `skipped_status` if all were skipped,
/// otherwise 0.
inline int run_tests_and_list_skipped() {
  testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  tests.listeners().Append(new SkipPrinter);
  if (RUN_ALL_TESTS() != 0) return 1;
  const int skipped = tests.skipped_test_count();
  return skipped > 0 && skipped == tests.test_to_run_count() ? skipped_status : 0;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "../skipped_tests.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return rivulet::run_tests_and_list_skipped();
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace rivulet {

/// A failure that a user can mend. The message reads "PROBLEM (WHY). WHAT TO DO."
class Error : public std::runtime_error {
 public:
  /// The problem and the reason as clauses without a period, the advice as sentences.
  Error(const std::string& problem, const std::string& why, const std::string& what_to_do)
      : std::runtime_error(problem + " (" + why + "). " + what_to_do) {}
};

}  // namespace rivulet

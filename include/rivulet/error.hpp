// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace rivulet {

/// An error that the user can fix. what() reads "PROBLEM (WHY). WHAT TO DO."
class Error : public std::runtime_error {
 public:
  /// problem and why are clauses without a period; what_to_do is one or more sentences.
  Error(const std::string& problem, const std::string& why, const std::string& what_to_do)
      : std::runtime_error(problem + " (" + why + "). " + what_to_do) {}
};

}  // namespace rivulet

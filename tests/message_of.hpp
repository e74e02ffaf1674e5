// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>

#include "rivulet/error.hpp"

namespace rivulet {

/// Returns the message of the Error that the action throws; "nothing was thrown" if it throws none.
template <class F>
std::string message_of(F&& action) {
  try {
    std::forward<F>(action)();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "rivulet/error.hpp"

namespace rivulet {

/// The kind of a sequence's failure; the values are the statuses of the C interface.
enum class Fault {
  null_pointer = 1,
  count,
  unknown_name,
  name_taken,
  option,
  seed,
  no_such_sequence,
  destroyed,
  wrong_type,
  out_of_memory,
  out_of_range,
  space,
  not_a_state,
  wrong_version,
  wrong_generator,
  ended,
  kokkos,
  forked = 19
};

/// An Error whose kind a caller can query.
class SequenceError : public Error {
 public:
  SequenceError(Fault fault, const std::string& problem, const std::string& why,
                const std::string& what_to_do)
      : Error(problem, why, what_to_do), fault_(fault) {}
  SequenceError(Fault fault, const Error& error)
      : Error(error), fault_(fault), message_(error.what()) {}

  const char* what() const noexcept override {
    return message_.empty() ? Error::what() : message_.c_str();
  }
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
  std::string message_;  ///< copied, because copying an AgreedError loses it
};

}  // namespace rivulet

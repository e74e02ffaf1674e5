// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"

namespace rivulet {

/// The exit status of a run whose digest is not the expected one.
constexpr int unexpected_status = 4;

/// The digest that a deck expects (output.expect).
struct ExpectedDigest {
  std::string digest;   ///< empty: the run compares nothing
  std::string changed;  ///< the key of the command line for which the deck's digest is not compared

  /// The report's text after a digest, such as "(as expected)"; may be empty.
  std::string remark(const std::string& found) const;
  /// Returns unexpected_status for another digest, which the root reports, and 0 otherwise.
  int status_of(const std::string& found, const io::Communicator& ranks) const;
};

/// The first key among "key=value" that may change a result; empty if none can. The run's place and
/// speed cannot: output, checkpoint, the mapping of streams to hardware, and the job's free keys.
std::string changing_key(const std::vector<std::string>& overrides,
                         const std::vector<std::string>& free_keys);

}  // namespace rivulet

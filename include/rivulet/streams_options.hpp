// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// The seed if the user gives none: the day on which Rivulet began.
inline constexpr std::uint64_t default_seed = 20261120;

/// The streams of a Streams object: first .. first + count - 1 of the streams of a seed. They are
/// the same as in Rivulet's program and its other libraries.
struct StreamsOptions {
  /// first + count < 2^64; fewer for generators whose streams share a cycle
  /// (docs/library.md#streams-with-memory).
  std::uint64_t count = 1;
  /// default_seed is 20261120.
  std::uint64_t seed = default_seed;
  /// Streams k (from 0) of the K of each MPI rank: first = (rank * K + k) * count.
  std::uint64_t first = 0;
  /// For dynamically created twisters: parameter sets of the generator's exponent; stream s has set
  /// number s % sets. Empty: the 512 sets that are shipped for exponents 521 and 607.
  DcmtSets sets = {};
};

/// The reasons why streams are disjoint, and their limits, as pairs of a name and a text.
using Certificate = std::vector<std::pair<std::string, std::string>>;

}  // namespace rivulet

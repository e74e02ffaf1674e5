// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/default_seed.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// Which streams a Streams object holds: numbers first .. first + count - 1 of those of a seed.
/// They are the streams of the same numbers of Rivulet's program and libraries.
struct StreamsOptions {
  std::uint64_t count = 1;
  std::uint64_t seed = default_seed;
  /// MPI ranks take ranges that follow each other: first = rank * count.
  std::uint64_t first = 0;
  /// Of dynamically created twisters: parameter sets of the generator's exponent, of which stream s
  /// has number s % sets. Empty: the 512 that are shipped for exponents 521 and 607.
  DcmtSets sets = {};
};

/// What is known of the streams being disjoint, as pairs of a name and a text.
using Certificate = std::vector<std::pair<std::string, std::string>>;

}  // namespace rivulet

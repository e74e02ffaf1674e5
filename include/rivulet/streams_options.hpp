// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// The default seed: the date on which Rivulet began.
inline constexpr std::uint64_t default_seed = 20261120;

/// Selects the streams of a Streams object: streams `first` to `first` + `count` - 1 of a seed, for
/// example `{.count = 1000, .seed = 42}`. The `rivulet` program and Rivulet's other libraries have
/// the same streams.
struct StreamsOptions {
  /// The number of streams. first + count must be less than 2^64. The limit is lower for generators
  /// whose streams share a cycle (docs/library.md#streams-with-memory).
  std::uint64_t count = 1;
  std::uint64_t seed = default_seed;
  /// The number of the first stream. With K Streams objects per MPI rank, object k = 0 .. K - 1
  /// needs first = (rank * K + k) * count.
  std::uint64_t first = 0;
  /// Parameter sets for the generator's exponent, used only by dynamically created twisters. Stream
  /// s uses set s % sets.size(). If `sets.sets` is empty, the streams use the 512 shipped sets,
  /// which exist for exponents 521 and 607 only.
  DcmtSets sets = {};
};

/// The proof that streams are disjoint, and the limits of that proof, as (name, text) pairs.
using Certificate = std::vector<std::pair<std::string, std::string>>;

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "streams/generator_options.hpp"
#include "streams/stream_defaults.hpp"

namespace rivulet {

/// A contiguous range of global stream ids.
struct StreamRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The range of a rank when `streams` ids are split over `ranks` as evenly as they go; the first
/// streams % ranks ranges have one more. A function of its arguments alone: no rank asks another.
constexpr StreamRange stream_range(std::uint64_t streams, std::uint64_t rank, std::uint64_t ranks) {
  const std::uint64_t share = streams / ranks;
  const std::uint64_t extra = streams % ranks;
  const std::uint64_t first = rank * share + (rank < extra ? rank : extra);
  return {first, share + (rank < extra ? 1 : 0)};
}

/// How a stream's first state is made.
enum class Seeding {
  native,    ///< from (run seed, stream id)
  published  ///< as the program that the generator is known from does
};

/// What a run asks of its streams.
struct StreamRequest {
  std::uint64_t streams = 1;
  std::uint64_t seed = default_seed;
  Seeding seeding = Seeding::native;
  std::uint64_t numbers_per_stream = 1;  ///< the most that any stream will draw, for the record
  std::string parameters = "shipped";    ///< twisters: shipped, published, or a parameter file
  OptionValues options = {};             ///< of the generator's own options
};

}  // namespace rivulet

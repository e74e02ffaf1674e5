// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "generators/generators.hpp"
#include "kokkos_compat.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// How far a sequence is prefetched in a device's memory, and how it is copied to the host. Speed
/// only.
struct AheadLimits {
  /// Whether numbers go through memory of a device, or of a test's substitute for one.
  bool through_device = device_build;
  /// Reads of at least this many bytes are prefetched: smaller ones are sent in less time than
  /// kernels take to start.
  std::size_t large_bytes = 4'000'000;
  /// Device memory for prefetched numbers, if a unit does not take more: drawing this much of a
  /// stream that is cut into as many segments as a device wants takes some ten times the time of
  /// cutting it.
  std::size_t most_bytes = std::size_t{1} << 30;
  /// Bytes of each pinned buffer. They are sent in 0.3 ms (PCI Express 5), far longer than a copy
  /// takes to begin; after that time the host can already copy the first ones on.
  std::size_t chunk_bytes = std::size_t{16} << 20;
};

struct SequenceOptions {
  std::string generator{default_sequence_generator};
  std::string parameters = "shipped";  ///< twisters: shipped, published, or a parameter file
  NumberType type = NumberType::float64;
  Interval interval = Interval::closed_open;
  Seeding seeding = Seeding::native;
  Order order = Order::interleaved;
  std::uint64_t seed = default_seed;  ///< of native seeding
  std::uint64_t first_stream = 0;     ///< global id of instance 0
  OptionValues own = {};              ///< generators' own options
  std::uint64_t instances = 1;
  std::uint64_t block_length = 0;  ///< of blocked order: a multiple of instances
  std::uint64_t buffer_numbers = 0;
  bool asynchronous = false;
  Uint128 start = 0;  ///< position of the first number delivered
  /// Speed only: 0 leaves the mapping to the library; otherwise the lanes of a team's thread draw a
  /// stream, and a team draws this many streams.
  int streams_per_team = 0;
  /// Speed only: segments that streams are cut into where that is possible; 0 for the fastest
  /// number.
  std::uint64_t segments = 0;
  /// Speed only: prefetching on a device.
  AheadLimits ahead = {};
  /// Speed only: wait after drawing and after copying, and measure the seconds of each.
  bool profiled = false;

  /// Throws SequenceError (unknown_name).
  const Generator& generator_facts() const;
  /// The type that holds the generator's own numbers: uint32, or of 24 and 48 bits float64.
  NumberType own_type() const;
  /// The format (NumberFormat) of numbers that are the generator's own, 0 if they are not.
  int own_format() const;
  /// Positions are below this: streams of one cycle that are kept apart end at their least
  /// distance, at two words a number.
  Uint128 end() const;
  bool names_a_file() const { return generator_facts().reads_file(request()); }
  StreamRequest request() const;
};

/// Positions in sequences are below this, or below SequenceOptions::end().
inline constexpr Uint128 position_limit = Uint128{1} << 127;

/// The most instances of a sequence and the largest stream id, far beyond any memory.
inline constexpr std::uint64_t stream_limit = std::uint64_t{1} << 40;

/// The reason why positions end there.
std::string end_text(const SequenceOptions& options);

/// The generator and what names a sequence's streams, "philox4x32 seed=42 first_stream=7": words
/// name=value, of those with a default only what differs.
std::string description(const SequenceOptions& options);

/// Throws SequenceError for invalid options.
void check(const SequenceOptions& options);

/// Throws SequenceError (out_of_memory) if this machine has less than `bytes` bytes: an operating
/// system may promise memory that it does not have, and kill the program when it is used.
void require_memory(const std::string& what, Uint128 bytes);

}  // namespace rivulet

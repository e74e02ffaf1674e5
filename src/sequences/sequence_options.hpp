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

/// Limits of prefetching in device memory and of copies to the host. Affects speed only.
struct AheadLimits {
  /// True if numbers go through memory of a device, or of a test's substitute for one.
  bool through_device = device_build;
  /// Reads of at least this many bytes are prefetched. Sending a smaller read takes less time than
  /// starting a kernel.
  std::size_t large_bytes = 4'000'000;
  /// Device memory for prefetched numbers, unless one unit takes more. Drawing this much of one
  /// stream, cut into as many segments as a device wants, takes some ten times as long as the cut.
  std::size_t most_bytes = std::size_t{1} << 30;
  /// Bytes of each pinned buffer. A transfer takes 0.3 ms (PCI Express 5), far longer than its
  /// launch. The host can then copy the first buffer while the next one arrives.
  std::size_t chunk_bytes = std::size_t{16} << 20;
};

struct SequenceOptions {
  std::string generator{default_sequence_generator};
  std::string parameters = "shipped";  ///< twisters: shipped, published, or a parameter file
  NumberType type = NumberType::float64;
  Interval interval = Interval::closed_open;
  Seeding seeding = Seeding::native;
  Order order = Order::interleaved;
  std::uint64_t seed = default_seed;  ///< seed of native seeding
  std::uint64_t first_stream = 0;     ///< global id of instance 0
  OptionValues own = {};              ///< the generator's specific options
  std::uint64_t instances = 1;
  std::uint64_t block_length = 0;  ///< block length of blocked order, a multiple of instances
  std::uint64_t buffer_numbers = 0;
  bool asynchronous = false;
  Uint128 start = 0;  ///< position of the first number delivered
  /// Speed only. 0: the library chooses the mapping. Otherwise the lanes of a team's thread draw a
  /// stream, and a team draws this many streams.
  int streams_per_team = 0;
  /// Speed only: segments per stream, where streams can be cut; 0 for the fastest number.
  std::uint64_t segments = 0;
  /// Speed only: prefetching on a device.
  AheadLimits ahead = {};
  /// Speed only: wait after drawing and after copying, and time both.
  bool profiled = false;

  /// Throws SequenceError (unknown_name).
  const Generator& generator_facts() const;
  /// Type that holds the generator's native numbers: uint32, or float64 for 24 and 48 bits.
  NumberType own_type() const;
  /// Format (NumberFormat) if the numbers are the generator's native ones, else 0.
  int own_format() const;
  /// Upper bound of positions. Streams at known distances on one cycle end before they reach each
  /// other, at two words per number.
  Uint128 end() const;
  bool names_a_file() const { return generator_facts().reads_file(request()); }
  StreamRequest request() const;
};

/// Upper bound of all positions; SequenceOptions::end() may be lower.
inline constexpr Uint128 position_limit = Uint128{1} << 127;

/// Limit of a sequence's instances and of stream ids, far beyond any memory.
inline constexpr std::uint64_t stream_limit = std::uint64_t{1} << 40;

/// Returns the reason for options.end(), for messages.
std::string end_text(const SequenceOptions& options);

/// Returns the generator and the words that identify a sequence's streams, such as "philox4x32
/// seed=42 first_stream=7". Options with default values are omitted.
std::string description(const SequenceOptions& options);

/// Throws SequenceError for invalid options.
void check(const SequenceOptions& options);

/// Throws SequenceError (out_of_memory) if this machine has less than `bytes` bytes. Without this
/// check, an overcommitting operating system could kill the program later. `option` is the one to
/// lower.
void require_memory(const std::string& what, Uint128 bytes, const char* option);

}  // namespace rivulet

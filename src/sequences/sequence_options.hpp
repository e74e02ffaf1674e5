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

/// Limits on prefetching in device memory and on copies to the host. They affect speed only.
struct PrefetchLimits {
  /// True if numbers pass through device memory, or through a test's substitute for it.
  bool through_device = device_build;
  /// Reads of at least this many bytes are prefetched. Transferring a smaller read takes less time
  /// than launching a kernel.
  std::size_t min_prefetched_read = 4'000'000;
  /// Maximum bytes of device memory for prefetched numbers, unless one unit needs more. With the
  /// default, cuts are cheap: cutting a stream into enough segments for a device takes about a
  /// tenth of the time that it takes to draw max_bytes bytes.
  std::size_t max_bytes = std::size_t{1} << 30;
  /// Bytes of each pinned buffer. Transferring a buffer takes 0.3 ms (PCI Express 5), far longer
  /// than launching the transfer. With buffers of this size, the host can copy from one buffer
  /// while the next one arrives.
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
  OptionValues option_values = {};    ///< the generator's specific options
  std::uint64_t instances = 1;
  std::uint64_t block_length = 0;  ///< block length of blocked order, a multiple of instances
  std::uint64_t buffer_numbers = 0;
  bool asynchronous = false;
  Uint128 start = 0;  ///< position of the first number delivered
  /// Affects speed only. If 0, the library chooses the mapping. Otherwise the mapping is the team
  /// mapping with this many streams per team.
  int streams_per_team = 0;
  /// Affects speed only. The number of segments per stream, where streams can be cut. If 0, the
  /// library chooses the fastest number.
  std::uint64_t segments = 0;
  /// Affects speed only: prefetching on a device.
  PrefetchLimits prefetch = {};
  /// Affects speed only. If true, the sequence waits after drawing and after copying, and times
  /// both.
  bool profiled = false;

  /// Returns the generator's facts. Throws SequenceError (unknown_name).
  const Generator& generator_facts() const;
  /// Returns the type that holds the generator's native numbers: uint32, or float64 for 24 and 48
  /// bits.
  NumberType own_type() const;
  /// Returns the format (NumberFormat) if the numbers are the generator's native numbers, else 0.
  int own_format() const;
  /// Returns the upper bound of positions. If streams start at known distances on one cycle, no
  /// stream reaches the next stream's start before this position, even if each number consumes two
  /// words.
  Uint128 end() const;
  bool names_a_file() const { return generator_facts().reads_file(request()); }
  StreamRequest request() const;
};

/// Upper bound of all positions; SequenceOptions::end() may be lower.
inline constexpr Uint128 position_limit = Uint128{1} << 127;

/// Upper limit on instances and stream ids. The states of so many streams would exceed any memory.
inline constexpr std::uint64_t stream_limit = std::uint64_t{1} << 40;

/// Returns a text for messages that explains why positions end at options.end().
std::string end_text(const SequenceOptions& options);

/// Returns the text that identifies a sequence's streams, such as "philox4x32 seed=42
/// first_stream=7". Apart from the generator and the seed, the text names only options that differ
/// from their defaults.
std::string description(const SequenceOptions& options);

/// Throws SequenceError for invalid options.
void check(const SequenceOptions& options);

/// Throws SequenceError (out_of_memory) if this machine has less than `bytes` bytes. Without this
/// check, an overcommitting operating system could kill the process later. The message tells the
/// user to lower `option`.
void require_memory(const std::string& what, Uint128 bytes, const char* option);

}  // namespace rivulet

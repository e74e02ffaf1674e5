// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

class StreamPlan;

/// Mapping of streams to hardware. The numbers do not depend on the mapping.
enum class StreamMapping {
  lane,  ///< each lane (GPU thread or CPU vector lane) draws a stream
  team   ///< each team thread (GPU warp or CPU thread) draws a stream
};
std::string_view name_of(StreamMapping mapping);

/// Order of the numbers of S streams in one sequence.
enum class Order {
  interleaved,  ///< number i of the sequence is number i / S of stream i % S
  blocked       ///< in each block of B numbers, stream s fills the s-th part of B / S numbers
};

/// Properties of a generator for decks, the library and reports, derived from its type
/// (GeneratorType).
struct Generator {
  std::string_view name;
  std::string_view doc;
  std::string_view period;
  std::string_view disjoint;      ///< reason why its streams are disjoint; empty if there is none
  std::string_view published;     ///< source of published starts; empty without published seeding
  std::string_view fails = {};    ///< tests that one stream fails (docs/choosing.md); may be empty
  int bits = 0;                   ///< bits per number
  int format_bits = 0;            ///< bits of the NumberFormat; 64 if numbers are halves of words
  std::uint64_t state_bytes = 0;  ///< memory per stream
  bool published_seed = false;    ///< true if published seeding uses the run's seed
  bool has_sets = false;          ///< true if there are parameter sets (StreamRequest::parameters)
  bool jumps = true;              ///< true if jumps are faster than single steps
  bool teams_share = false;       ///< true if the C++ library has streams that a team shares
  std::vector<StreamMapping> mappings;          ///< supported mappings, usually the best first
  std::vector<const GeneratorOption*> options;  ///< options of this generator

  /// Creates the plan. Collective. Throws Error if the streams cannot be kept disjoint.
  std::unique_ptr<StreamPlan> (*plan)(const StreamRequest&, const io::Communicator&) = nullptr;
  /// True if creating the plan reads a file.
  bool (*reads_file)(const StreamRequest&) = nullptr;
  /// Changes a request for stream `id` into a request for child n of that stream, and returns the
  /// child's id. Null if streams have no children.
  std::uint64_t (*child)(StreamRequest& request, std::uint64_t id, std::uint64_t n) = nullptr;
  /// Returns log2 of the guaranteed distance between streams on one cycle; nullopt without a
  /// guarantee.
  std::optional<unsigned> (*log2_distance)(const StreamRequest&) = nullptr;

  bool has(StreamMapping mapping) const { return std::ranges::count(mappings, mapping) > 0; }
  /// Returns how many numbers form a 32-bit word.
  std::uint64_t numbers_per_word() const { return bits >= 32 ? 1 : 2; }
};

/// Common part of the generator types (GeneratorType).
template <class S, class StarterType>
struct GeneratorBase {
  using Plan = typename S::Plan;
  using Streams = S;
  using Starter = StarterType;

  /// Creates a plan from the request alone.
  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

/// Returns the generator's mappings in this build, as a text such as "lane, team".
std::string mappings_text(const Generator& generator);

/// Throws Error if the generator lacks this mapping; the message lists its mappings.
void require_mapping(const Generator& generator, StreamMapping mapping);

}  // namespace rivulet

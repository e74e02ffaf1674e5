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

/// How streams map to hardware. The numbers do not depend on it.
enum class StreamMapping {
  lane,  ///< a lane draws a stream: a GPU's thread, or a lane of a vector
  team   ///< a team's thread draws streams: a warp on a GPU, one thread on a CPU
};
std::string_view name_of(StreamMapping mapping);

/// How the numbers of S streams form one sequence.
enum class Order {
  interleaved,  ///< number i is number i / S of stream i % S
  blocked       ///< within each run of B numbers, stream s fills the s-th share of B / S
};

/// Properties of a generator for decks, the library and reports, made from its type
/// (GeneratorType).
struct Generator {
  std::string_view name;
  std::string_view doc;
  std::string_view period;
  std::string_view disjoint;      ///< reason why its streams are disjoint; empty for none
  std::string_view published;     ///< source of published starts; empty without published seeding
  std::string_view fails = {};    ///< tests that one stream fails (docs/choosing.md); may be empty
  int bits = 0;                   ///< of each number
  int format_bits = 0;            ///< of the NumberFormat: 64 if numbers are halves of words
  std::uint64_t state_bytes = 0;  ///< memory per stream
  bool published_seed = false;    ///< published seeding uses the run's seed
  bool has_sets = false;          ///< has parameter sets, which StreamRequest::parameters names
  bool jumps = true;              ///< has jumps that are faster than single steps
  bool teams_share = false;       ///< the C++ library has streams that a team shares
  std::vector<StreamMapping> mappings;          ///< supported mappings, usually the best first
  std::vector<const GeneratorOption*> options;  ///< options of this generator

  /// Makes the plan. Collective. Throws Error if the streams cannot be kept apart.
  std::unique_ptr<StreamPlan> (*plan)(const StreamRequest&, const io::Communicator&) = nullptr;
  /// True if making the plan reads a file.
  bool (*reads_file)(const StreamRequest&) = nullptr;
  /// Changes a request for stream `id` to one for its child n, and returns the child's id. Null if
  /// streams have no children.
  std::uint64_t (*child)(StreamRequest& request, std::uint64_t id, std::uint64_t n) = nullptr;
  /// log2 of the guaranteed distance of streams on one cycle, if there is a guarantee.
  std::optional<unsigned> (*log2_distance)(const StreamRequest&) = nullptr;

  bool has(StreamMapping mapping) const { return std::ranges::count(mappings, mapping) > 0; }
  /// Numbers per 32-bit word.
  std::uint64_t numbers_per_word() const { return bits >= 32 ? 1 : 2; }
};

/// The common part of generator types (GeneratorType).
template <class S, class OwnStarter>
struct GeneratorOf {
  using Plan = typename S::Plan;
  using Streams = S;
  using Starter = OwnStarter;

  /// Makes a plan that needs the request alone.
  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

/// Returns the mappings of the generator in this build, as "lane, team".
std::string mappings_text(const Generator& generator);

/// Throws Error if the generator lacks this mapping; the message lists its mappings.
void require_mapping(const Generator& generator, StreamMapping mapping);

}  // namespace rivulet

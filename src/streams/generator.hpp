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

/// How streams meet hardware. All give the same numbers.
enum class StreamMapping {
  lane,  ///< a stream to each lane: a GPU's thread or a vector's lane
  team   ///< a stream to lanes of a team's thread: a warp's on a GPU, one thread on a CPU
};
std::string_view name_of(StreamMapping mapping);

/// How the numbers of S streams form one sequence.
enum class Order {
  interleaved,  ///< number i is number i / S of stream i % S
  blocked       ///< within each run of B numbers, stream s fills the s-th share of B / S
};

/// What decks, the library and reports know of a generator; made of its type (GeneratorType).
struct Generator {
  std::string_view name;
  std::string_view doc;
  std::string_view period;
  std::string_view disjoint;      ///< what keeps its streams apart; empty for nothing
  std::string_view published;     ///< what published seeding starts from; empty if it has none
  std::string_view fails = {};    ///< tests that one stream fails (docs/choosing.md); may be empty
  int bits = 0;                   ///< of each number
  int format_bits = 0;            ///< of their NumberFormat: 64 if they are halves of words
  std::uint64_t state_bytes = 0;  ///< of memory per stream
  bool published_seed = false;    ///< published seeding uses the run's seed
  bool has_sets = false;          ///< which StreamRequest::parameters names
  bool jumps = true;              ///< faster than by its steps
  bool teams_share = false;       ///< the C++ library has streams of it that teams share
  std::vector<StreamMapping> mappings;          ///< that it has, the first of them usually the best
  std::vector<const GeneratorOption*> options;  ///< that are its own

  /// Who draws what. Collective. Throws Error where the streams cannot be kept apart.
  std::unique_ptr<StreamPlan> (*plan)(const StreamRequest&, const io::Communicator&) = nullptr;
  /// Whether making the plan reads a file.
  bool (*reads_file)(const StreamRequest&) = nullptr;
  /// Makes a request of stream `id` that of its child n, and returns the child's id; where streams
  /// have children.
  std::uint64_t (*child)(StreamRequest& request, std::uint64_t id, std::uint64_t n) = nullptr;
  /// How far streams of one cycle are kept apart, as a power of two, where they are by that.
  std::optional<unsigned> (*log2_distance)(const StreamRequest&) = nullptr;

  bool has(StreamMapping mapping) const { return std::ranges::count(mappings, mapping) > 0; }
  /// Numbers that make a 32-bit word.
  std::uint64_t numbers_per_word() const { return bits >= 32 ? 1 : 2; }
};

/// The common part of generator types (GeneratorType).
template <class S, class OwnStarter>
struct GeneratorOf {
  using Plan = typename S::Plan;
  using Streams = S;
  using Starter = OwnStarter;

  /// The plan of a generator that needs nothing but the request.
  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

/// "lane, team": the mappings that the generator has in this build.
std::string mappings_text(const Generator& generator);

/// Throws Error, with the mappings that there are, if the generator lacks this one.
void require_mapping(const Generator& generator, StreamMapping mapping);

}  // namespace rivulet

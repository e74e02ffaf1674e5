// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>

#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
#include "streams/generator.hpp"

// A generator is a type with a function facts() and these members, defined or named in one file:
// - Plan: assigns sets and starts to streams (rivulet/detail/streams);
// - Streams: the streams of one rank, as kernels see them;
// - Starter: moves the streams to their starts, and makes them jump ahead;
// - Library: the generator's tag in the C++ library, present if teams can share the streams.

namespace rivulet {

/// Members of every generator's streams:
/// - Integer, bits: numbers are uniform in 0 .. 2^bits - 1. With a 32-bit Integer and bits = 64,
///   numbers are the halves of 64-bit words, the lower one first;
/// - round_numbers: numbers that an engine draws at a time (states in memory are at round
///   boundaries);
/// - words: words of a stream's state, unless the streams have no state in memory;
/// - round_words: 32-bit words that an engine makes from numbers_per_word * round_words numbers;
/// - Bounds: launch bounds of device kernels whose threads draw one stream;
/// - max_streams_per_thread, MultiStreamBounds: maximum streams per device thread, and the launch
///   bounds of kernels whose threads draw several;
/// - scalar(stream): returns an engine, as in <random>, that begins at the stream's state in
///   memory. Code that draws one number at a time uses this engine, also on the device;
/// - count(): returns the number of streams;
/// - range(): returns the streams' ids;
/// - state_bytes(), save() and restore().
template <class S>
concept StreamsOfARank = std::copy_constructible<S> && requires(const S& streams) {
  typename S::Integer;
  requires S::bits >
  0 && S::round_numbers > 0 && S::round_words > 0 && S::numbers_per_word > 0;
  { streams.count() } -> std::same_as<std::uint64_t>;
  { streams.range() } -> std::same_as<StreamRange>;
  { streams.scalar(std::uint64_t{})() } -> std::convertible_to<std::uint64_t>;
  { streams.state_bytes() } -> std::same_as<std::uint64_t>;
};

/// Streams for the lane mapping: each lane draws a stream. load<W>(first) returns the engine of
/// lanes<W> streams from `first` on. The engine's draw_words(sink), draw_numbers(to) and
/// draw_each(sink) draw a round of each stream. store(first, engine) stores the engine's state
/// after whole rounds.
template <class S>
concept StreamsByLane = StreamsOfARank<S> && requires {
  typename S::Engine;
};

/// Streams for the team mapping: a CPU thread draws one stream with an engine in scratch memory,
/// team_numbers numbers at a time. word_of() converts these numbers to words. On a GPU, a warp
/// draws such streams (warp_engine.hpp).
template <class S>
concept StreamsByTeam = StreamsOfARank<S> && requires {
  typename S::TeamEngine;
};

/// Streams without state in memory: at(rounds) returns the streams at a later position.
template <class S>
concept StreamsWithoutState = StreamsOfARank<S> && requires(const S& streams) {
  { streams.at(Uint128{}) } -> std::same_as<S>;
};

template <class G>
concept GeneratorType = StreamsOfARank<typename G::Streams> &&
    std::derived_from<typename G::Plan, StreamPlan> &&
    requires(const StreamRequest& request, const io::Communicator& ranks) {
  { G::facts() } -> std::same_as<Generator>;
  { G::plan(request, ranks) } -> std::same_as<std::unique_ptr<typename G::Plan>>;
  typename G::Starter;
};

/// Streams that can be cut into segments. cut_into() turns a copy into segments, and the starter's
/// place() moves the segments to their starts.
/// - jump_rounds: cost of a jump, in rounds of a stream;
/// - min_numbers_to_cut: the fewest numbers per draw for which the jumps of a cut pay off on a CPU.
template <class G>
concept CutsStreams = requires(const Space& space, typename G::Streams& streams,
                               const typename G::Streams& from, typename G::Starter& starter,
                               const Segments& cut) {
  { G::Streams::jump_rounds } -> std::convertible_to<std::uint64_t>;
  { G::Streams::min_numbers_to_cut } -> std::convertible_to<std::uint64_t>;
  streams.cut_into(cut);
  starter.place(space, from, streams, cut);
  starter.advance(space, streams, Uint128{}, StreamRange{});
};

/// Constants of streams that draw `numbers` numbers per round and make one word from each number. A
/// device thread can draw four of these streams, because the states are short.
template <int numbers>
struct RoundsOfWords {
  static constexpr int round_numbers = numbers;
  static constexpr int round_words = numbers;
  static constexpr int numbers_per_word = 1;
  using Bounds = Kokkos::LaunchBounds<>;
  static constexpr int max_streams_per_thread = 4;
  using MultiStreamBounds = Bounds;
};

template <class S>
std::vector<StreamMapping> mappings_of() {
  std::vector<StreamMapping> all;
  if (StreamsByLane<S>) all.push_back(StreamMapping::lane);
  if (StreamsByTeam<S>) all.push_back(StreamMapping::team);
  return all;
}

/// Returns the facts of a generator, completed from its types. The object is unique and never
/// destroyed, because a process may exit while its threads draw.
template <GeneratorType G>
const Generator& generator_of() {
  static const auto* const generator = new Generator([] {
    Generator facts = G::facts();
    facts.bits = std::min(G::Streams::bits, 8 * int{sizeof(typename G::Streams::Integer)});
    facts.format_bits = G::Streams::bits;
    if constexpr (!StreamsWithoutState<typename G::Streams>) {
      facts.state_bytes = G::Streams::words * G::Streams::word_bytes;
    }
    facts.mappings = mappings_of<typename G::Streams>();
    facts.teams_share = requires { typename G::Library; };
    facts.plan = [](const StreamRequest& request,
                    const io::Communicator& ranks) -> std::unique_ptr<StreamPlan> {
      auto plan = G::plan(request, ranks);
      plan->set_generator(generator_of<G>());
      return plan;
    };
    facts.has_sets = facts.reads_file != nullptr;
    if (facts.reads_file == nullptr) facts.reads_file = [](const StreamRequest&) { return false; };
    if (facts.log2_distance == nullptr) {
      facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> { return {}; };
    }
    return facts;
  }());
  return *generator;
}

/// For kernels, returns streams without state, moved to `rounds` rounds after their start.
/// Streams with state are returned unchanged.
template <StreamsOfARank S>
S after_rounds(const S& streams, [[maybe_unused]] Uint128 rounds) {
  if constexpr (StreamsWithoutState<S>) return streams.at(rounds);
  return streams;
}

/// A mapping that the streams S support, as a type. A generic lambda must also get the streams'
/// type from this parameter: nvcc compiles discarded branches that do not depend on a parameter of
/// the lambda.
template <StreamMapping mapping, class S>
struct OwnMapping {
  using Streams = S;
  constexpr StreamMapping operator()() const { return mapping; }
};

/// Calls use(m), where m is the OwnMapping of `mapping`. Kernels for unsupported mappings are not
/// compiled, because only this function chooses kernels by mapping. Callers must have called
/// require_mapping().
template <StreamsOfARank S, class Use>
decltype(auto) with_mapping([[maybe_unused]] StreamMapping mapping, const Use& use) {
  using Lane = OwnMapping<StreamMapping::lane, S>;
  using Team = OwnMapping<StreamMapping::team, S>;
  if constexpr (!StreamsByTeam<S>) {
    return use(Lane{});
  } else if constexpr (!StreamsByLane<S>) {
    return use(Team{});
  } else {
    if (mapping == StreamMapping::team) return use(Team{});
    return use(Lane{});
  }
}

}  // namespace rivulet

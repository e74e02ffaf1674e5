// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <type_traits>

#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
#include "streams/generator.hpp"

// What a generator is made of. One file holds, or names, all of it: the type with its facts and
// its three parts. Plan: who draws what (rivulet/detail/streams). Streams: those of one rank, as
// kernels see them. Starter: what puts these to their starts and moves them. Library, where teams
// can share its streams: its tag in the C++ library.

namespace rivulet {

/// What the streams of every generator have:
/// - Integer, bits: numbers are uniform in 0 .. 2^bits - 1; with an Integer of 32 bits and bits =
/// 64
///   they are the halves of words of 64 bits, the lower one first;
/// - round_numbers: what an engine draws at a time, and after which streams rest in memory;
///   round_words: 32-bit words that it makes of numbers_per_word times as many;
/// - scalar(stream): on the device too, an engine of one stream, from where it rests, in the shape
/// of
///   <random>, for code that draws a number at a time;
/// - count(), range(): which streams they are; state_bytes(), save() and restore().
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

/// A stream to each lane: load(first) gives the engine of the streams first .. first + lanes<Word>
/// - 1, whose draw_words(sink), draw_numbers(to) and draw_each(sink) draw a round of each.
template <class S>
concept StreamsByLane = StreamsOfARank<S> && requires {
  typename S::Engine;
};

/// A CPU's thread draws a stream: an engine in scratch memory, which draws team_numbers at a time
/// of one stream; word_of() makes words of them. On a GPU a warp draws such streams
/// (warp_engine.hpp).
template <class S>
concept StreamsByTeam = StreamsOfARank<S> && requires {
  typename S::TeamEngine;
};

/// Streams without memory: kernels are given them where they are.
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

/// Streams that can be cut into segments: become() makes segments of a copy, and place() of the
/// starter puts these to their starts. jump_rounds: how many rounds of a stream take as long as a
/// jump. worth_cuts: draws of fewer numbers are not worth the jumps that a CPU computes for a cut.
template <class G>
concept CutsStreams = requires(const Space& space, typename G::Streams& streams,
                               const typename G::Streams& from, typename G::Starter& starter,
                               const Segments& cut) {
  { G::Streams::jump_rounds } -> std::convertible_to<std::uint64_t>;
  { G::Streams::worth_cuts } -> std::convertible_to<std::uint64_t>;
  streams.become(cut);
  starter.place(space, from, streams, cut);
  starter.advance(space, streams, Uint128{}, StreamRange{});
};

template <class S>
std::vector<StreamMapping> mappings_of() {
  std::vector<StreamMapping> all;
  if (StreamsByLane<S>) all.push_back(StreamMapping::lane);
  if (StreamsByTeam<S>) all.push_back(StreamMapping::team);
  return all;
}

/// The facts of a generator, completed by what its types say; always the same object, which is
/// never destructed, since a program may end while its threads draw.
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

/// The streams a number of rounds after their start: for kernels over streams without state.
template <StreamsOfARank S>
S after_rounds(const S& streams, [[maybe_unused]] Uint128 rounds) {
  if constexpr (StreamsWithoutState<S>) return streams.at(rounds);
  return streams;
}

/// A mapping that the streams S have, as a type. Generic lambdas take the streams' type from it
/// too: what does not depend on their own parameter nvcc compiles in branches that are left out.
template <StreamMapping mapping, class S>
struct OwnMapping {
  using Streams = S;
  constexpr StreamMapping operator()() const { return mapping; }
};

/// Calls use(m), m an OwnMapping of the mapping, where the streams have it. The one place that
/// chooses a kernel by its mapping: what the streams lack is not compiled. (require_mapping()
/// refuses those before.)
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

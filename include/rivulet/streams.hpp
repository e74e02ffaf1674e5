// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/generators/cycle.hpp"
#include "rivulet/detail/generators/own.hpp"
#include "rivulet/detail/generators/twisters.hpp"
#include "rivulet/detail/on_demand.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/stream.hpp"
#include "rivulet/streams_options.hpp"
#include "rivulet/team_stream.hpp"

namespace rivulet {

/// The order in which a team's warps get numbers of its stream (Streams::open_shared): the order of
/// their requests. The used numbers are the stream's first ones, without gaps; their assignment to
/// warps differs from run to run.
struct on_demand {};

namespace detail {

template <class Family, class Team>
struct SharedStreamType {
  using type = OnDemandCounter<Family, Team>;
};
template <ByTeam Family, class Team>
struct SharedStreamType<Family, Team> {
  using type = OnDemandRing<Family, Team>;
};
template <class Family, class Team>
using SharedStreamOf = typename SharedStreamType<Family, Team>::type;

}  // namespace detail

/// Streams of random numbers for a program's kernels: number i of stream s depends on the
/// generator, the seed, s and i, and on nothing else; so results that are functions of streams are
/// the same for any number of threads and ranks and for any backend. Copies share the streams and
/// are passed to kernels by value. Exec: the execution space whose kernels open streams; Mem: a
/// memory space that it can access.
///
/// Functions with an argument `exec` run on that instance in order. Constructors, restart() and
/// jump() fence it for some generators, save() and restore() for all. No other kernel may use the
/// streams meanwhile. open(s) on the host needs memory that the host can access. Constructors,
/// jump() and restore() throw Error. Kokkos must be running.
template <class Generator, class Exec = Kokkos::DefaultExecutionSpace,
          class Mem = typename Exec::memory_space>
class Streams {
 public:
  using generator_type = Generator;
  using execution_space = Exec;
  using memory_space = Mem;
  using Family = detail::Family<Generator>;
  /// Models std::uniform_random_bit_generator. Of twisters and RANMAR it cannot be copied, as it
  /// works in the streams' memory: pass it by reference. Copies of others are at the same position.
  /// discard(n) leaves n numbers out: at once for counter-based generators, number by number for
  /// others; Streams::jump moves all streams in logarithmic time.
  using Engine = typename Family::Engine;
  static_assert(Kokkos::is_execution_space<Exec>::value, "Exec is a Kokkos execution space");
  static_assert(Kokkos::SpaceAccessibility<Exec, Mem>::accessible,
                "kernels of the execution space cannot reach this memory space");

  /// Makes no streams: opening one is an error.
  Streams() = default;

  /// Makes the streams and puts each at its start. Throws Error if the streams cannot be kept
  /// apart, or do not fit in memory.
  explicit Streams(const Exec& exec, const StreamsOptions& options = {})
      : first_(options.first), seed_(options.seed) {
    detail::require_kokkos(name());
    Family::require(options);
    store_ = Store(std::to_string(options.count) + " streams of " + std::string(name()),
                   Family::words, options.count);
    shared_ = Shared(exec, options);
    restart(exec);
  }
  explicit Streams(const StreamsOptions& options) : Streams(Exec(), options) {}

  /// The generator's name, as decks and results files write it.
  static constexpr std::string_view name() { return Family::name; }
  /// The number of streams.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t count() const { return store_.count(); }
  /// The number of the first one among the streams of the seed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t first() const { return first_; }
  /// The seed of which they are streams.
  std::uint64_t seed() const { return seed_; }
  /// Bytes of the streams' states in memory.
  std::uint64_t bytes() const { return store_.bytes(); }

  /// The engine of stream s, 0 <= s < count(), at its position when it was closed. Each stream is
  /// opened by one thread at a time.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Engine open(std::uint64_t s) const {
    RIVULET_ASSERT(store_.is_there(),
                   "These Streams have no memory: make them with a constructor that has options.");
    RIVULET_ASSERT(s < count(), "A stream was opened beyond the count: open 0 .. count() - 1.");
    return Family::open(shared_, store_.slot(s), first_ + s);
  }
  /// Stores the engine's position as that of stream s. A stream of small state that is not closed
  /// keeps its old position; one of a twister or of RANMAR is then in no valid state.
  KOKKOS_FORCEINLINE_FUNCTION void close(std::uint64_t s, const Engine& engine) const {
    RIVULET_ASSERT(s < count(), "A stream was closed beyond the count: close what was opened.");
    Family::close(store_.slot(s), engine);
  }

  /// Opens stream s, calls f(engine), closes the stream, and returns what f returned.
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // f of the host's code, on the host
#endif
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) with(std::uint64_t s, const F& f) const {
    struct Opened {
      const Streams& streams;
      std::uint64_t s;
      Engine engine;
      KOKKOS_FORCEINLINE_FUNCTION ~Opened() { streams.close(s, engine); }
    };
    Opened opened{*this, s, open(s)};
    return f(opened.engine);
  }

  /// Child n of stream s, a Stream<Generator>, without memory: it depends on the generator, the
  /// seed, the two numbers, and nothing else, and has children itself. s may exceed count(). The
  /// generator is counter-based.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto child(std::uint64_t s, std::uint64_t n) const {
    RIVULET_ASSERT(s < ~first_, "Streams are numbered from 0 to 2^64 - 2: lower s.");
    if constexpr (detail::ByCounter<Family>) {
      return Stream<Generator>(seed_, first_ + s).child(n);
    } else {
      return detail::NoChildren::child(n);
    }
  }

  /// A policy with a team for each stream and with the scratch memory that open(team) needs.
  Kokkos::TeamPolicy<Exec> team_policy(const Exec& exec) const {
    detail::require_teams<Family>();
    return detail::team_policy<Family>(exec, count());
  }
  /// Bytes of scratch memory (level 0) per team, for a program's policies: this amount for each
  /// stream that a team opens in a kernel.
  static constexpr std::size_t team_scratch_bytes() {
    detail::require_teams<Family>();
    return detail::TeamStreamOf<Family>::scratch_bytes;
  }
  /// Bytes more, for each stream from which a team's fill() takes numbers; none where a generator
  /// is counter-based.
  static constexpr std::size_t team_fill_bytes() {
    detail::require_teams<Family>();
    return detail::TeamStreamOf<Family>::fill_bytes;
  }
  /// Opens the stream of the team's league rank, called by all threads of the team together.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open(const Team& team) const {
    return open(team, static_cast<std::uint64_t>(team.league_rank()));
  }
  /// Opens stream s, called by all threads of the team together.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open(const Team& team, std::uint64_t s) const {
    if constexpr (detail::require_teams<Family>()) {
      RIVULET_ASSERT(
          store_.is_there(),
          "These Streams have no memory: make them with a constructor that has options.");
      RIVULET_ASSERT(s < count(), "A stream was opened beyond the count: open 0 .. count() - 1.");
      return detail::TeamStreamOf<Family>(team, shared_, store_.slot(s), first_ + s);
    }
  }
  /// Stores the position of a team's stream, called by all threads of the team together.
  template <detail::TeamMember Team>
  KOKKOS_FUNCTION void close(const Team& team, const detail::TeamStreamOf<Family>& rng) const {
    rng.close(team);
  }
  /// Opens the stream of the team's league rank, calls f(rng), and closes it: by all threads of the
  /// team together.
  template <detail::TeamMember Team, class F>
  KOKKOS_FUNCTION void with(const Team& team, const F& f) const {
    struct Opened {
      const Team& team;
      detail::TeamStreamOf<Family> rng;
      bool has_returned = false;
      KOKKOS_FUNCTION ~Opened() {
        // Where f throws, a thread alone may close; several would wait for each other.
        if (has_returned || team.team_size() == 1) rng.close(team);
      }
    };
    Opened opened{team, open(team)};
    f(opened.rng);
    opened.has_returned = true;
  }

  /// A policy with a team of `warps` warps for each stream, and with the scratch memory that
  /// open_shared() needs. `warps` is 1 to the device's largest number of threads in a team, divided
  /// by the lanes of a warp. On a CPU a team is one thread, which acts for the warps alternately.
  Kokkos::TeamPolicy<Exec> shared_policy(const Exec& exec, int warps) const {
    return detail::policy_of(exec, count(), warps, Kokkos::TeamPolicy<Exec>::vector_length_max(),
                             shared_scratch_bytes());
  }
  /// Bytes of scratch memory (level 0) per team, for a program's policies: this amount for each
  /// stream that a team opens by open_shared() in a kernel.
  static constexpr std::size_t shared_scratch_bytes(on_demand = {}) {
    detail::require_teams<Family>();
    return detail::SharedStreamOf<Family, SharedTeam>::scratch_bytes;
  }
  /// Opens the stream of the team's league rank for its warps, the threads of the team, each of
  /// which takes numbers at any time, in the order of requests. Called by all threads of the team
  /// together.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open_shared(const Team& team, on_demand = {}) const {
    return open_shared(team, static_cast<std::uint64_t>(team.league_rank()));
  }
  /// Opens stream s in the same way.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open_shared(const Team& team, std::uint64_t s,
                                                 on_demand = {}) const {
    if constexpr (detail::require_teams<Family>()) {
      RIVULET_ASSERT(
          store_.is_there(),
          "These Streams have no memory: make them with a constructor that has options.");
      RIVULET_ASSERT(s < count(), "A stream was opened beyond the count: open 0 .. count() - 1.");
      return detail::SharedStreamOf<Family, Team>(team, shared_, store_.slot(s), first_ + s);
    }
  }
  /// Stores the position of a stream that open_shared() opened, called by all threads of the team
  /// together: after the last number that was taken.
  template <detail::TeamMember Team, class Stream>
  requires std::same_as<Stream, detail::SharedStreamOf<Family, Team>> KOKKOS_FUNCTION void close(
      const Team& team, const Stream& rng) const {
    rng.close(team);
  }

  /// Puts every stream back at its start.
  void restart(const Exec& exec) const { Family::start(exec, store_, shared_, options()); }

  /// Advances every stream by `numbers` numbers, in time that grows with the logarithm of
  /// `numbers` (Sfc64's with `numbers`; more than 2^44 steps of all streams throw Error). A single
  /// jump of half the distance or more throws Error (docs/library.md#streams-with-memory; Ranluxpp:
  /// 2^66 numbers); jumps and draws together are not counted: keep their sum below half.
  void jump(const Exec& exec, Uint128 numbers) const {
    if (count() == 0 || numbers == 0) return;
    Family::jump(exec, store_, shared_, options(), numbers);
  }

  /// The reasons why no two of the streams overlap, for the log of a program.
  Certificate certificate() const {
    Certificate all{{"generator", std::string(name())},
                    {"seed", std::to_string(seed_)},
                    {"streams", detail::ids_text(options())}};
    for (const auto& line : Family::certificate(shared_, options())) all.push_back(line);
    return all;
  }

  /// The positions of all streams, as bytes that restore() takes on any machine and backend. Waits.
  [[nodiscard]] std::vector<std::byte> save(const Exec& exec) const {
    return detail::saved_streams(exec, store_, Family::name, options_with_sets());
  }
  /// Throws Error, and leaves the streams unchanged, unless the bytes are from save() for the same
  /// generator, seed and streams.
  void restore(const Exec& exec, std::span<const std::byte> saved) const {
    detail::restore_streams(exec, store_, Family::name, options_with_sets(), saved,
                            [](const auto& slot) { return Family::is_state(slot); });
  }

 private:
  using Store = detail::StreamStore<typename Family::Word, Exec, Mem>;
  using Shared = typename Family::template Shared<Mem>;
  using SharedTeam = typename Kokkos::TeamPolicy<Exec>::member_type;

  StreamsOptions options() const { return {count(), seed_, first_, {}}; }
  StreamsOptions options_with_sets() const {
    StreamsOptions all = options();
    if constexpr (requires { shared_.all(); }) all.sets.sets = shared_.all();
    return all;
  }

  // Only members that kernels may copy.
  Store store_;
  Shared shared_;
  std::uint64_t first_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace rivulet

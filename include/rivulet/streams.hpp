// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/generators/cycle.hpp"
#include "rivulet/detail/generators/own_generator.hpp"
#include "rivulet/detail/generators/twisters.hpp"
#include "rivulet/detail/on_demand.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/stream.hpp"
#include "rivulet/streams_options.hpp"
#include "rivulet/team_stream.hpp"

namespace rivulet {

/// Tag for Streams::open_shared(): a team's warps share a stream, and each request gets the
/// stream's next numbers. No number is skipped, but the assignment of numbers to warps differs from
/// run to run.
struct on_demand {};

namespace detail {

template <class Family, class Team>
using SharedStreamOf =
    std::conditional_t<ByTeam<Family>, OnDemandRing<Family, Team>, OnDemandCounter<Family, Team>>;

}  // namespace detail

/// Streams of random numbers for kernels. Number i of stream s depends only on the generator, the
/// seed, s and i. Work that is assigned to streams therefore gives the same results for any number
/// of threads and ranks, and on any backend.
/// \code
/// Streams<Pcg64dxsm> streams(exec, {.count = walkers, .seed = 42});
/// auto rng = streams.open(s);  // in a kernel
/// const double x = Uniform<double>()(rng);
/// streams.close(s, rng);
/// \endcode
/// Exec is the execution space whose kernels open streams; Mem is a memory space that Exec can
/// access. Copies share the streams; kernels capture them by value.
///
/// Functions with an argument `exec` run on that instance, in order. save() and restore() fence the
/// instance; constructors, restart() and jump() do so for some generators. No other kernel may use
/// the streams during such a call. On the host, open(s) needs memory that the host can access.
/// Constructors, jump() and restore() may throw Error. Kokkos must be running.
template <class Generator, class Exec = Kokkos::DefaultExecutionSpace,
          class Mem = typename Exec::memory_space>
class Streams {
 public:
  using generator_type = Generator;
  using execution_space = Exec;
  using memory_space = Mem;
  using Family = detail::Family<Generator>;
  /// The engine of a stream, a std::uniform_random_bit_generator. discard(n) skips n numbers: in
  /// constant time for counter-based generators, one by one for others (Streams::jump moves all
  /// streams in logarithmic time). Engines of twisters and RANMAR work in the streams' memory and
  /// cannot be copied: pass them by reference. A copy of any other engine is at the same position.
  using Engine = typename Family::Engine;
  static_assert(Kokkos::is_execution_space<Exec>::value,
                "rivulet::Streams<Generator, Exec>: Exec must be a Kokkos execution space");
  static_assert(Kokkos::SpaceAccessibility<Exec, Mem>::accessible,
                "rivulet::Streams<Generator, Exec, Mem>: kernels of Exec cannot reach Mem. Omit "
                "Mem, or use Exec::memory_space");

  /// Creates an object without streams; opening a stream is an error.
  Streams() = default;

  /// Creates the streams, each at its start. Throws Error if disjoint streams cannot be guaranteed,
  /// or if the streams do not fit in memory.
  explicit Streams(const Exec& exec, const StreamsOptions& options = {})
      : first_(options.first), seed_(options.seed) {
    detail::require_kokkos(name());
    Family::require(options);
    store_ =
        Store(detail::text_of(options.count, " streams of ", name()), Family::words, options.count);
    shared_ = Shared(exec, options);
    restart(exec);
  }
  explicit Streams(const StreamsOptions& options) : Streams(Exec(), options) {}

  /// The generator's name, as in decks and results files.
  static constexpr std::string_view name() { return Family::name; }
  /// The number of streams.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t count() const { return store_.count(); }
  /// The number of the first stream: StreamsOptions::first.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t first() const { return first_; }
  /// The seed of the streams.
  std::uint64_t seed() const { return seed_; }
  /// Size of the streams' states in memory, in bytes.
  std::uint64_t bytes() const { return store_.bytes(); }

  /// Returns the engine of stream s, 0 <= s < count(), at the position at which the stream was last
  /// closed. Only one thread at a time may have a stream open.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Engine open(std::uint64_t s) const {
    require_stream(s);
    return Family::open(shared_, store_.slot(s), first_ + s);
  }
  /// Stores the engine's position in stream s. A stream that is not closed keeps its old position,
  /// but an unclosed stream of a twister or RANMAR is left in an invalid state.
  KOKKOS_FORCEINLINE_FUNCTION void close(std::uint64_t s, const Engine& engine) const {
    RIVULET_ASSERT(s < count(), "A stream was closed beyond the count: close what was opened.");
    Family::close(store_.slot(s), engine);
  }

  /// Opens stream s, calls f(engine), closes the stream even if f throws, and returns f's result.
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // on the host, f may be a host function
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

  /// Returns child n of stream s as a `Stream<Generator>`, which needs no memory. The child depends
  /// only on the generator, the seed, the stream's number and n, and can have children itself.
  /// The index s may exceed count(). For counter-based generators only.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto child(std::uint64_t s, std::uint64_t n) const {
    RIVULET_ASSERT(s < ~first_, "Streams are numbered from 0 to 2^64 - 2: lower s.");
    if constexpr (detail::ByCounter<Family>) {
      return Stream<Generator>(seed_, first_ + s).child(n);
    } else {
      return detail::NoChildren::child(n);
    }
  }

  /// Returns a policy with one team per stream and the scratch memory that open(team) needs.
  Kokkos::TeamPolicy<Exec> team_policy(const Exec& exec) const {
    detail::require_teams<Family>();
    return detail::team_policy<Family>(exec, count());
  }
  /// Returns how many bytes of level-0 scratch memory a custom team policy needs for each stream
  /// that a team opens.
  static constexpr std::size_t team_scratch_bytes() {
    detail::require_teams<Family>();
    return detail::TeamStreamOf<Family>::scratch_bytes;
  }
  /// Returns how many additional bytes of level-0 scratch memory the policy needs for each stream
  /// that a team passes to fill(); 0 for counter-based generators.
  static constexpr std::size_t team_fill_bytes() {
    detail::require_teams<Family>();
    return detail::TeamStreamOf<Family>::fill_bytes;
  }
  /// Opens and returns stream team.league_rank(). Collective over the team's threads.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open(const Team& team) const {
    return open(team, static_cast<std::uint64_t>(team.league_rank()));
  }
  /// Opens and returns stream s. Collective over the team's threads.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open(const Team& team, std::uint64_t s) const {
    if constexpr (detail::require_teams<Family>()) {
      require_stream(s);
      return detail::TeamStreamOf<Family>(team, shared_, store_.slot(s), first_ + s);
    }
  }
  /// Stores the position of a team's stream. Collective over the team's threads.
  template <detail::TeamMember Team>
  KOKKOS_FUNCTION void close(const Team& team, const detail::TeamStreamOf<Family>& rng) const {
    rng.close(team);
  }
  /// Opens stream team.league_rank(), calls f(rng), and closes the stream. Collective over the
  /// team's threads. If f throws, only a team of one thread closes the stream.
  template <detail::TeamMember Team, class F>
  KOKKOS_FUNCTION void with(const Team& team, const F& f) const {
    struct Opened {
      const Team& team;
      detail::TeamStreamOf<Family> rng;
      bool has_returned = false;
      KOKKOS_FUNCTION ~Opened() {
        // If f throws, the other threads of a team may never reach close(), which has a barrier.
        if (has_returned || team.team_size() == 1) rng.close(team);
      }
    };
    Opened opened{team, open(team)};
    f(opened.rng);
    opened.has_returned = true;
  }

  /// Returns a policy with one team of `warps` warps per stream and the scratch memory that
  /// open_shared() needs. `warps` is at least 1, and at most the device's largest team divided by
  /// the lanes per warp. On a CPU a team is one thread, which acts for all warps in turn.
  Kokkos::TeamPolicy<Exec> shared_policy(const Exec& exec, int warps) const {
    return detail::policy_of(exec, count(), warps, Kokkos::TeamPolicy<Exec>::vector_length_max(),
                             shared_scratch_bytes());
  }
  /// Returns how many bytes of level-0 scratch memory a custom team policy needs for each stream
  /// that a team opens with open_shared().
  static constexpr std::size_t shared_scratch_bytes(on_demand = {}) {
    detail::require_teams<Family>();
    return detail::SharedStreamOf<Family, SharedTeam>::scratch_bytes;
  }
  /// Opens and returns stream team.league_rank() for the team's warps. Each warp is one Kokkos
  /// thread of the team, and may take the next numbers at any time: `const auto numbers =
  /// shared.template take<1>();`. Collective over the team's threads.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open_shared(const Team& team, on_demand = {}) const {
    return open_shared(team, static_cast<std::uint64_t>(team.league_rank()));
  }
  /// Opens and returns stream s in the same way.
  template <detail::TeamMember Team>
  [[nodiscard]] KOKKOS_FUNCTION auto open_shared(const Team& team, std::uint64_t s,
                                                 on_demand = {}) const {
    if constexpr (detail::require_teams<Family>()) {
      require_stream(s);
      return detail::SharedStreamOf<Family, Team>(team, shared_, store_.slot(s), first_ + s);
    }
  }
  /// Stores the position after the last number taken from a stream that open_shared() opened.
  /// Collective over the team's threads.
  template <detail::TeamMember Team, class Stream>
  requires std::same_as<Stream, detail::SharedStreamOf<Family, Team>> KOKKOS_FUNCTION void close(
      const Team& team, const Stream& rng) const {
    rng.close(team);
  }

  /// Moves every stream back to its start.
  void restart(const Exec& exec) const { Family::start(exec, store_, shared_, options()); }

  /// Advances every stream by `numbers` numbers, in logarithmic time. Sfc64 is the exception: it
  /// takes single steps, and throws Error for more than 2^44 steps over all streams. A single jump
  /// of at least half the distance between streams (2^66 numbers for Ranluxpp; see
  /// docs/library.md#streams-with-memory) throws Error. The library does not add up jumps and
  /// draws: keep their sum below half that distance.
  void jump(const Exec& exec, Uint128 numbers) const {
    if (count() == 0 || numbers == 0) return;
    Family::jump(exec, store_, shared_, options(), numbers);
  }

  /// Returns the reasons why no two of the streams overlap, for the log of a host program.
  Certificate certificate() const {
    Certificate all{{"generator", std::string(name())},
                    {"seed", std::to_string(seed_)},
                    {"streams", detail::ids_text(options())}};
    for (const auto& line : Family::certificate(shared_, options())) all.push_back(line);
    return all;
  }

  /// Returns the positions of all streams, as bytes that restore() accepts on any machine and
  /// backend. Blocking.
  [[nodiscard]] std::vector<std::byte> save(const Exec& exec) const {
    return detail::saved_streams(exec, store_, Family::name, options_with_sets());
  }
  /// Restores positions that save() returned. Blocking. Throws Error, and leaves the streams
  /// unchanged, unless the bytes are from save() for the same generator, seed and streams.
  void restore(const Exec& exec, std::span<const std::byte> saved) const {
    detail::restore_streams(exec, store_, Family::name, options_with_sets(), saved,
                            [](const auto& slot) { return Family::is_state(slot); });
  }

 private:
  using Store = detail::StreamStore<typename Family::Word, Exec, Mem>;
  using Shared = typename Family::template Shared<Mem>;
  using SharedTeam = typename Kokkos::TeamPolicy<Exec>::member_type;

  /// Checks that stream s can be opened.
  KOKKOS_FORCEINLINE_FUNCTION void require_stream([[maybe_unused]] std::uint64_t s) const {
    RIVULET_ASSERT(store_.is_allocated(),
                   "These Streams have no memory: make them with a constructor that has options.");
    RIVULET_ASSERT(s < count(), "A stream was opened beyond the count: open 0 .. count() - 1.");
  }

  StreamsOptions options() const { return {count(), seed_, first_, {}}; }
  StreamsOptions options_with_sets() const {
    StreamsOptions all = options();
    if constexpr (requires { shared_.all(); }) all.sets.sets = shared_.all();
    return all;
  }

  // Kernels copy these members.
  Store store_;
  Shared shared_;
  std::uint64_t first_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace rivulet

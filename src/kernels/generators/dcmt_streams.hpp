// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/generators/dcmt_team.hpp"
#include "kernels/generators/stream_memory.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rng/dcmt_warp.hpp"

namespace rivulet {

/// The dcmt streams of one rank in device memory: n words each, at a round boundary, and the
/// parameter sets they share.
template <int P>
class DcmtStreams : public StreamsInMemory<std::uint32_t> {
 public:
  using Plan = DcmtPlan;
  using Integer = std::uint32_t;
  static constexpr DcmtShape shape = dcmt_shape(P);
  /// Words of state a stream.
  static constexpr int words = shape.n;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that a round draws of each stream.
  static constexpr int round_numbers = shape.n;
  static constexpr int round_words = shape.n;
  static constexpr int numbers_per_word = 1;
  /// Rounds that a stream draws in the time of a jump: one step and n sums for each of P terms.
  static constexpr std::uint64_t jump_rounds = (device_build ? 1 : 4) * (P / shape.n + 1);
  using Bounds = Kokkos::LaunchBounds<>;
  /// Streams that a device's thread may draw side by side, four where 65536 registers hold so many
  /// for 512 threads.
  static constexpr int most_side_by_side = shape.n <= 20 ? 4 : 1;
  using SideBySideBounds = Kokkos::LaunchBounds<128, 4>;

  /// Allocates and uploads the sets; the states are for DcmtStarter to fill.
  DcmtStreams(const DcmtPlan& plan, StreamRange range)
      : StreamsInMemory("rivulet::dcmt_states", words, range),
        sets_(Kokkos::view_alloc("rivulet::dcmt_sets", Kokkos::WithoutInitializing),
              plan.sets() * set_words),
        set_count_(plan.sets()) {
    std::vector<std::uint32_t> host;
    for (const DcmtSet& set : plan.parameter_sets().sets) {
      host.insert(host.end(), {set.a, set.b, set.c});
    }
    copy_to_device(sets_.data(), host.data(), plan.sets() * set_words * sizeof(std::uint32_t));
  }

  KOKKOS_FUNCTION std::uint64_t sets() const { return set_count_; }

  /// Parameter set that a stream, or a segment of one, draws from.
  KOKKOS_FUNCTION std::uint64_t set_of(std::uint64_t index) const {
    return (range().first + stream(index)) % set_count_;
  }

  KOKKOS_FUNCTION DcmtParameters<std::uint32_t> parameters(std::uint64_t stream) const {
    const std::uint32_t* const set = sets_.data() + set_of(stream) * set_words;
    return {set[0], set[1], set[2]};
  }

  KOKKOS_FUNCTION detail::DcmtRecurrence<P> recurrence(std::uint64_t stream) const {
    return {parameters(stream)};
  }

  /// An engine of one stream.
  KOKKOS_FUNCTION Dcmt<P> scalar(std::uint64_t stream) const {
    typename Dcmt<P>::State state;
    for (int k = 0; k < words; ++k) state.x[k] = word(k, stream);
    return {parameters(stream), state};
  }

  /// Draws from the streams of a group of lanes<W>.
  template <class W>
  class EngineOf {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit EngineOf(const Dcmt<P, W>& lanes) : lanes_(lanes) {}

    /// The next round_words words of 32 bits, each to sink(int index, W word); the index is a
    /// constant once all is inlined.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
      lanes_.round([&sink](auto k, const W& word) RIVULET_INLINE_LAMBDA { sink(k.value, word); });
    }
    /// The next round_numbers numbers, which are words.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
      draw_words(sink);
    }
    /// The same to memory: number k of lane l goes to to[k * lanes<W> + l].
    KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(Integer* to) {
      draw_words([to](int k, const W& word)
                     RIVULET_INLINE_LAMBDA { WordTraits<W>::store(word, to + k * lanes<W>); });
    }
    KOKKOS_FORCEINLINE_FUNCTION const typename Dcmt<P, W>::State& state() const {
      return lanes_.state();
    }

   private:
    Dcmt<P, W> lanes_;
  };
  using Engine = EngineOf<Word>;

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    using Traits = WordTraits<W>;
    const auto column = [&](int what) {
      return Traits::generate([&](int l) {
        const std::uint64_t set = set_of(first + static_cast<std::uint64_t>(l));
        return sets_.data()[set * set_words + static_cast<std::size_t>(what)];
      });
    };
    typename Dcmt<P, W>::State state;
    for (int k = 0; k < words; ++k) state.x[k] = Traits::load(&word(k, first));
    return EngineOf<W>(Dcmt<P, W>({column(0), column(1), column(2)}, state));
  }

  /// Puts back what load() gave, after whole rounds.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const EngineOf<W>& engine) const {
    for (int k = 0; k < words; ++k) WordTraits<W>::store(engine.state().x[k], &word(k, first));
  }

  using TeamEngine = std::conditional_t<DcmtLine<P>::fits, DcmtLine<P>, DcmtHalves<P>>;

#if RIVULET_LANES_HAND_ON
  /// Draws from several streams with the lanes of a device's team thread, whose registers hold
  /// them.
  class WarpEngine {
   public:
    using Team = DcmtWarpTeam<P>;
    static constexpr int members = Team::members;
    static constexpr int run = 1;
    static constexpr int numbers_per_lane = 1;
    static constexpr int steps_around = Team::steps_around;
    static constexpr std::size_t scratch_bytes =
        team_lanes / members * Team::scratch_words * sizeof(std::uint32_t);

    KOKKOS_FUNCTION WarpEngine(const StreamLanes& lanes, const DcmtStreams& streams,
                               std::uint64_t stream, void* scratch, int back = 0)
        : team_(lanes, lanes.lane() % members, lanes.lane() / members * members,
                streams.parameters(stream), back,
                static_cast<std::uint32_t*>(scratch) +
                    static_cast<std::size_t>(lanes.lane() / members) * Team::scratch_words,
                [&](int k) { return streams.word(k, stream); }) {}

    KOKKOS_FORCEINLINE_FUNCTION void next(const StreamLanes& lanes, Integer* to) {
      *to = team_.next(lanes);
    }
    KOKKOS_FUNCTION void store(const StreamLanes&, int ago, const DcmtStreams& streams,
                               std::uint64_t stream) const {
      team_.save(ago, [&](int k, std::uint32_t word) { streams.word(k, stream) = word; });
    }

   private:
    Team team_;
  };
#endif

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }

 private:
  /// Of a parameter set: a, b, c.
  static constexpr std::size_t set_words = 3;

  Kokkos::View<std::uint32_t*, Space> sets_;
  std::uint64_t set_count_;
};

}  // namespace rivulet

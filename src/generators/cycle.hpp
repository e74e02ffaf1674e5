// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "generators/generator_type.hpp"
#include "generators/rank_starter.hpp"
#include "generators/stream_memory.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"
#include "rivulet/detail/slot.hpp"
#include "rivulet/detail/streams/cycle_starts.hpp"
#include "rivulet/generators.hpp"
#include "rng/wide_word.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Draws from lanes<W> streams of a CycleGenerator.
template <detail::CycleGenerator G, class W>
class CycleLanes : public detail::LaneRounds<CycleLanes<G, W>, W> {
 public:
  using Wide = typename detail::WideForm<W>::type;
  struct State {
    Wide z[G::words];
  };
  /// Numbers per call of round(): few enough that a core overlaps the use of one round with the
  /// draw of the next.
  static constexpr int round_words = 8;

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleLanes(const State& state) : state_(state) {}

  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void round(Use&& use) {
    unrolled(use, std::make_integer_sequence<int, round_words / detail::step_numbers<G>>{});
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  using Form = detail::WideForm<W>;

  template <class Use, int... K>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(Use& use, std::integer_sequence<int, K...>) {
    (step<K>(use), ...);
  }
  template <int K, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void step(Use& use) {
    const Wide number = G::step(state_.z);
    if constexpr (detail::step_numbers<G> == 1) {
      use(detail::place<K>, Form::low(number));
    } else {
      use(detail::place<2 * K>, Form::low(number));
      use(detail::place<2 * K + 1>, Form::high(number));
    }
  }

  State state_;
};

/// Specialisation for generators that make blocks of numbers: a round is a block.
template <detail::BlockGenerator G, class W>
class CycleLanes<G, W> {
 public:
  using Form = detail::WideForm<W>;
  using Wide = typename Form::type;
  struct State {
    Wide z[G::words];
  };
  static constexpr int round_words = G::block;

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleLanes(const State& state) : state_(state) {}

  /// Passes a round's words (the upper 32 bits of each number) to sink(int index, W word).
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
    for (int k = 0; k < G::block; ++k) sink(k, Form::low(G::number(state_.z, k) >> 16));
    G::step(state_.z);
  }
  /// Passes a round's numbers to sink(int index, number). Device threads, which draw one stream
  /// each, use this function.
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
    static_assert(lanes<W> == 1);
    for (int k = 0; k < G::block; ++k) sink(k, G::number(state_.z, k));
    G::step(state_.z);
  }
  /// Writes a round's numbers. Number k of lane l becomes `to[k * lanes<W> + l]`.
  KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(std::uint64_t* to) {
    for (int k = 0; k < G::block; ++k) {
      WordTraits<Wide>::store(G::number(state_.z, k), to + k * lanes<W>);
    }
    G::step(state_.z);
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  State state_;
};

/// Cost of a segment's jumps, in rounds. A segment takes about one jump per bit of its index, and
/// an index typically has about six bits. JumpPrice is empty for generators that jump step by step,
/// because their streams are not cut.
template <detail::CycleGenerator G>
struct JumpPrice {
  static constexpr std::uint64_t jump_rounds =
      6 * G::jump_steps * detail::step_numbers<G> / CycleLanes<G, Word>::round_words + 1;
  /// Minimum numbers per draw for which segments pay off on a CPU. A jump takes 0.1 to 5 us, or 0.3
  /// to 0.8 ms with mixmax17's large matrix.
  static constexpr std::uint64_t min_numbers_to_cut =
      sizeof(G::jump(Uint128{})) < 1024 ? 10'000 : min_numbers_for_polynomial_jumps;
};
template <detail::CountsSteps G>
struct JumpPrice<G> {};

/// The streams of one rank in device memory. They support only the lane mapping, because a step has
/// no work to share among lanes.
template <detail::CycleGenerator G>
class CycleStreams : public StreamsInMemory<std::uint32_t>,
                     public RoundsOfWords<CycleLanes<G, Word>::round_words>,
                     public JumpPrice<G> {
 public:
  using Plan = detail::PlanOnCycle<G>;
  using Integer = std::conditional_t<detail::BlockGenerator<G>, std::uint64_t, std::uint32_t>;
  static constexpr int words = detail::state_words<G>;
  static constexpr int bits = detail::number_bits<G>;
  template <class W>
  using EngineOf = CycleLanes<G, W>;
  using Engine = EngineOf<Word>;
  static constexpr int max_streams_per_thread = detail::BlockGenerator<G> ? 1 : 4;

  /// Allocates the states; the starter fills them.
  CycleStreams(const Plan&, StreamRange range) : StreamsInMemory(words, range) {}

  /// Throws Error if the size does not match or a state is not valid for the generator.
  void restore(std::span<const std::byte> saved) const {
    StreamsInMemory::restore(saved);
    std::vector<std::uint32_t> all(saved.size() / sizeof(std::uint32_t));
    std::memcpy(all.data(), saved.data(), saved.size());
    for (std::uint64_t s = 0; s < count(); ++s) {
      if (detail::is_cycle_state<G>({all.data() + s, count()})) continue;
      throw Error("saved streams do not fit", "one of them is not a state of its generator",
                  "Restore what was saved from the same generator.");
    }
  }

  KOKKOS_FUNCTION detail::CycleEngine<G> scalar(std::uint64_t stream) const {
    typename detail::CycleEngine<G>::State state;
    detail::get_state<G>([&](int k) { return word(k, stream); }, state.z);
    return detail::CycleEngine<G>(state);
  }

  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    using Form = detail::WideForm<W>;
    constexpr int n = detail::word_parts<G>;
    typename EngineOf<W>::State state;
    for (int k = 0; k < G::words; ++k) {
      const W low = WordTraits<W>::load(&word(n * k, first));
      if constexpr (n == 1) {
        state.z[k] = Form::of(low, W(0u));
      } else {
        state.z[k] = Form::of(low, WordTraits<W>::load(&word(n * k + 1, first)));
      }
    }
    return EngineOf<W>(state);
  }

  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const EngineOf<W>& engine) const {
    using Form = detail::WideForm<W>;
    constexpr int n = detail::word_parts<G>;
    for (int k = 0; k < G::words; ++k) {
      WordTraits<W>::store(Form::low(engine.state().z[k]), &word(n * k, first));
      if constexpr (n == 2) {
        WordTraits<W>::store(Form::high(engine.state().z[k]), &word(n * k + 1, first));
      }
    }
  }
};

template <detail::CycleGenerator G>
struct CycleGeneratorOf
    : GeneratorBase<CycleStreams<G>,
                    RankStarter<CycleStreams<G>, detail::CycleStarts<detail::OnCycle<G>>>> {
  static Generator facts() {
    Generator facts;
    facts.name = G::name;
    facts.doc = G::doc;
    facts.period = G::period;
    facts.disjoint = detail::CountsSteps<G> ? "distinct states that count their 2^64 steps"
                                            : "jump-ahead on one cycle, at least 2^64 steps apart";
    facts.jumps = !detail::CountsSteps<G>;
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return cycle_starts.log2_distance() + detail::log2_step_numbers<G>;
    };
    return facts;
  }
};

}  // namespace rivulet

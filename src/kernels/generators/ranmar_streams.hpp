// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/generators/ranmar_team.hpp"
#include "kernels/generators/stream_memory.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rng/ranmar_warp_leapfrog.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {

/// The RANMAR streams of one rank in device memory: 97 words each, the oldest first, and the
/// arithmetic sequence's term.
template <class Variant>
class RanmarStreams : public StreamsInMemory<typename Variant::Integer> {
 public:
  using Plan = RanmarPlan;
  using Integer = typename Variant::Integer;
  using LaneWord = WordOf<typename Variant::Integer>;
  /// Words of state a stream, the term included.
  static constexpr int words = ranmar_words + 1;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = Variant::bits;
  /// Numbers that make a 32-bit word: the upper 32 bits of one, or the upper 16 of each of two.
  static constexpr int numbers_per_word = bits >= 32 ? 1 : 2;
  /// Numbers that a round draws of each stream, and words that draw_words() makes of a number of
  /// rounds.
  static constexpr int round_numbers = ranmar_words;
  static constexpr int round_words = ranmar_words;
  /// Rounds that a stream draws in the time of a jump, 97 sums of 97 products. Measured on a CPU;
  /// of a device counted in instructions.
  static constexpr std::uint64_t jump_rounds = 128;
  static constexpr std::uint64_t worth_cuts = costly_cuts;
  /// Launch bounds by the streams whose state fits a device's 65536 registers.
  using Bounds = Kokkos::LaunchBounds<128, bits == 24 ? 4 : 2>;
  /// Streams that a device's thread may draw side by side: two fill its registers.
  static constexpr int most_side_by_side = bits == 24 ? 2 : 1;
  using SideBySideBounds = Kokkos::LaunchBounds<128, 2>;

  /// Allocates; the states are for the starter to fill.
  RanmarStreams(const RanmarPlan&, StreamRange range)
      : StreamsInMemory<Integer>("rivulet::ranmar_states", words, range) {}

  using StreamsInMemory<Integer>::word;  ///< the term of the arithmetic sequence if k is 97
  KOKKOS_FUNCTION static detail::RanmarRecurrence<Variant> recurrence(std::uint64_t) { return {}; }

  /// An engine of one stream.
  KOKKOS_FUNCTION Ranmar<Variant> scalar(std::uint64_t stream) const {
    RanmarState<Variant> state;
    for (int k = 0; k < ranmar_words; ++k) state.x[k] = word(k, stream);
    state.c = word(ranmar_words, stream);
    return Ranmar<Variant>(state);
  }

  /// Draws from the streams of a group of lanes<W>: one vector of 32-bit integers, or as many lanes
  /// of 64-bit ones.
  template <class W>
  class EngineOf {
   public:
    using Part = std::conditional_t<std::is_same_v<W, Word>, LaneWord, W>;
    static constexpr int vectors = lanes<W> / lanes<Part>;
    using Vector = Ranmar<Variant, Part>;

    KOKKOS_FUNCTION EngineOf(const RanmarStreams& streams, std::uint64_t first) {
      for (int v = 0; v < vectors; ++v) {
        const auto from = first + static_cast<std::uint64_t>(v * lanes<Part>);
        for (int k = 0; k < ranmar_words; ++k) {
          state_[v].x[k] = WordTraits<Part>::load(&streams.word(k, from));
        }
        state_[v].c = streams.word(ranmar_words, first);
        terms_[v] = WordTraits<Part>::load(&streams.word(ranmar_words, from));
      }
      if constexpr (is_vector_register<Part>) {
        for (auto other = first + 1; other < first + lanes<W> && other < streams.count(); ++other) {
          if (streams.word(ranmar_words, other) != state_[0].c) abreast_ = false;
        }
      }
    }

    /// The next round_words words of 32 bits, each to sink(int index, Word word), of lanes<Word>
    /// streams.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
      if constexpr (device_build) {
        draw_words_unrolled(sink, std::make_integer_sequence<int, numbers_per_word>{});
      } else {
        Integer numbers[numbers_per_word * round_numbers * lanes<Word>];
        for (int b = 0; b < numbers_per_word; ++b) {
          draw_numbers(numbers + b * round_numbers * lanes<Word>);
        }
        for (int k = 0; k < round_words; ++k) {
          const Integer* const from = numbers + k * numbers_per_word * lanes<Word>;
          sink(k, WordTraits<Word>::generate([from](int l) RIVULET_INLINE_LAMBDA {
                 return joined(from[l], from[(numbers_per_word - 1) * lanes<Word> + l]);
               }));
        }
      }
    }
    /// The next round_numbers numbers; number k of lane l goes to to[k * lanes<W> + l].
    KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(Integer* to) {
      for (int v = 0; v < vectors; ++v) {
        Integer* const column = to + v * lanes<Part>;
        const auto put = [column](int k, const Part& number) RIVULET_INLINE_LAMBDA {
          WordTraits<Part>::store(number, column + k * lanes<W>);
        };
        if (is_abreast()) {
          Vector::draw_round(state_[v], put);
        } else {
          Vector::draw_round(state_[v], terms_[v], put);
        }
      }
    }

    /// The same of a device's thread, without memory between: each to sink(int index, Part number),
    /// whose index is a constant once all is inlined.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
      if constexpr (lanes<Part> == 1) {
        Vector::draw_round_unrolled(state_[0], sink);
      } else {
        Vector::draw_round_unrolled(state_[0], terms_[0], sink);
      }
    }

    KOKKOS_FUNCTION void store(const RanmarStreams& streams, std::uint64_t first) const {
      for (int v = 0; v < vectors; ++v) {
        const auto to = first + static_cast<std::uint64_t>(v * lanes<Part>);
        for (int k = 0; k < ranmar_words; ++k) {
          WordTraits<Part>::store(state_[v].x[k], &streams.word(k, to));
        }
        const Part terms = is_abreast() ? Part(state_[v].c) : terms_[v];
        WordTraits<Part>::store(terms, &streams.word(ranmar_words, to));
      }
    }

   private:
    /// Whether the lanes have one term in common: a CPU's rounds are faster so, and the lanes of a
    /// device's thread need not ask.
    KOKKOS_FORCEINLINE_FUNCTION bool is_abreast() const {
      constexpr bool one = lanes<Part> == 1;
      return one || (is_vector_register<Part> && abreast_);
    }

    template <class Sink, int... Round>
    KOKKOS_FORCEINLINE_FUNCTION void draw_words_unrolled(Sink&& sink,
                                                         std::integer_sequence<int, Round...>) {
      Integer first = 0;
      const auto draw = [&](auto round) RIVULET_INLINE_LAMBDA {
        draw_each([&](int k, Integer number) RIVULET_INLINE_LAMBDA {
          const int index = decltype(round)::value * round_numbers + k;
          if (index % numbers_per_word == 0) first = number;
          if ((index + 1) % numbers_per_word == 0)
            sink(index / numbers_per_word, joined(first, number));
        });
      };
      (draw(detail::place<Round>), ...);
    }

    typename Vector::State state_[vectors];
    Part terms_[vectors];  ///< where not all lanes have that of the states
    bool abreast_ = true;  ///< all lanes that are streams are at the same position
  };

  using Engine = EngineOf<Word>;

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    return EngineOf<W>(*this, first);
  }
  /// Puts back what load() gave, after whole rounds.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const EngineOf<W>& engine) const {
    engine.store(*this, first);
  }

  using TeamEngine = detail::RanmarTeam<Variant>;
#if RIVULET_LANES_SHUFFLE
  using WarpEngine = RanmarWarpTeam<Variant>;
#endif

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    const Integer* const from = numbers + j * numbers_per_word;
    return joined(from[0], from[numbers_per_word - 1]);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t joined(Integer first, Integer second) {
    if constexpr (numbers_per_word == 1) {
      return static_cast<std::uint32_t>(first >> (bits - 32));
    } else {
      return static_cast<std::uint32_t>(first >> (bits - 16) << 16 | second >> (bits - 16));
    }
  }
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "generators/rank_starter.hpp"
#include "generators/ranmar_team.hpp"
#include "generators/stream_memory.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"
#include "rivulet/generators.hpp"
#include "rng/word.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Draws one sequence with 16 lanes of a warp. Each lane holds this object and a 16th of the state
/// in registers. A step computes x_n .. x_{n+31}; lane j computes x_{n+2j} and x_{n+2j+1}. Each
/// word depends on the words 33 and 97 positions before it. For a lane's second word, both are
/// first words of the same lane, one and three steps ago. For a lane's first word, both are second
/// words of the previous lane. Every lane therefore shuffles each second word to the next lane once
/// and keeps the word that it receives.
template <class Variant>
class RanmarWarpTeam {
 public:
  using Integer = typename Variant::Integer;
  static constexpr int members = 16;
  /// Consecutive numbers per lane and step.
  static constexpr int run = 2;
  static constexpr int numbers_per_lane = run;
  static constexpr int steps_around = 4;
  static constexpr std::size_t scratch_bytes = 0;
  /// Numbers per step.
  static constexpr int step = members * run;

  /// Starts `back` numbers (0 .. 64) before the stream's position, and computes the older words
  /// from the state. State words are 0 (the oldest) .. 96; word 97 is the arithmetic sequence's
  /// term before the next number. Lanes provides lane(), the caller's lane in the warp, and
  /// of_lane(j, value), a shuffle that returns lane j's value. Every lane must call the
  /// constructor.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION RanmarWarpTeam(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                                 void* /*scratch*/, int back = 0)
      : lane_(lanes.lane() % members), base_(lanes.lane() / members * members) {
    const int lane = lane_;
    const Integer c = streams.word(ranmar_words, stream);
    const auto word = [&](int k) { return streams.word(k, stream); };
    second_ = older(word, place(0, lane) + 1 - back);
    last_ = lane + 1 == members ? ~Integer{0} : 0;
    for (int past = 0; past < 3; ++past) {
      first_[past] = older(word, place(past, lane) - back);
      received_[past] = older(word, place(past, lane) - 1 - back);
    }
    for (int i = 0; i < run; ++i) {
      const int before = step - 1 + back - (run * lane + i);
      term_[i] = ranmar_lower<Variant>(c, Variant::c_modulus - ranmar_stride<Variant>(before));
    }
    detail::hide_from_optimizer(last_);
  }

  /// Writes the lane's share of the next 32 numbers to to[0] and to[1]. Every lane must call this.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void next(const Lanes& lanes, Integer* to) {
    const Integer x = received_[2] - received_[0];
    const Integer y = first_[2] - first_[0];
    const Integer received =
        lanes.of_lane(base_ + (lane_ + members - 1) % members, y ^ ((y ^ second_) & last_));
    for (int past = 3; past > 0; --past) {
      first_[past] = first_[past - 1];
      received_[past] = received_[past - 1];
    }
    first_[0] = x;
    received_[0] = received;
    second_ = y;
    for (Integer& term : term_) term = ranmar_lower<Variant>(term, ranmar_stride<Variant>(step));
    to[0] = ranmar_number<Variant>(x, term_[0]);
    to[1] = ranmar_number<Variant>(y, term_[1]);
  }

  /// Stores the state as it was `ago` numbers ago, where 0 <= `ago` < 32.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes&, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const auto put = [&](int k, Integer word) { streams.word(k, stream) = word; };
    for (int past = 0; past < 4; ++past) {
      const int k = place(past, lane_) + ago;
      if (k >= 0 && k < ranmar_words) put(k, first_[past]);
      if (k >= 1 && k <= ranmar_words) put(k - 1, received_[past]);
    }
    if (ago == 0 && lane_ + 1 == members) put(ranmar_words - 1, second_);
    for (int i = 0; i < run; ++i) {
      if (run * lane_ + i == step - 1 - ago) put(ranmar_words, term_[i]);
    }
  }

 private:
  /// Returns the position, in the state, of a lane's first word from `past` steps before the last
  /// step.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int past, int lane) {
    return ranmar_words - step * (past + 1) + run * lane;
  }

  template <class Words>
  KOKKOS_FUNCTION static Integer older(const Words& word, int k) {
    return k >= 0 ? word(k) : word(k + ranmar_words) + word(k + ranmar_words - ranmar_lag);
  }

  Integer first_[4] = {};     ///< the lane's first words of the last four steps, latest first
  Integer received_[4] = {};  ///< second words from the previous lane, latest first
  Integer second_;            ///< the lane's second word of the last step
  Integer last_;       ///< all ones in the last lane, which passes on its previous word; else 0
  Integer term_[run];  ///< terms of the last step's numbers
  int lane_;
  int base_;  ///< the stream's first lane in the warp
};

/// The RANMAR streams of one rank in device memory: 97 words per stream, the oldest first, and the
/// arithmetic sequence's term.
template <class Variant>
class RanmarStreams : public StreamsInMemory<typename Variant::Integer> {
 public:
  using Plan = RanmarPlan;
  using Integer = typename Variant::Integer;
  using LaneWord = WordOf<typename Variant::Integer>;
  /// State words per stream, including the term.
  static constexpr int words = ranmar_words + 1;
  static constexpr int bits = Variant::bits;
  /// Numbers per 32-bit word. A word consists of the upper 32 bits of one number, or of the upper
  /// 16 bits of each of two numbers.
  static constexpr int numbers_per_word = bits >= 32 ? 1 : 2;
  static constexpr int round_numbers = ranmar_words;  ///< numbers per stream and round
  /// Words that draw_words() makes from numbers_per_word rounds.
  static constexpr int round_words = ranmar_words;
  /// Cost of a jump (97 sums of 97 products) in rounds: measured on a CPU, estimated from
  /// instruction counts for a device.
  static constexpr std::uint64_t jump_rounds = 128;
  static constexpr std::uint64_t min_numbers_to_cut = min_numbers_for_polynomial_jumps;
  /// Launch bounds with which the states of streams fit in a multiprocessor's 65536 registers.
  using Bounds = Kokkos::LaunchBounds<128, bits == 24 ? 4 : 2>;
  /// Maximum streams per device thread: two streams of 24 bits fill its registers.
  static constexpr int max_streams_per_thread = bits == 24 ? 2 : 1;
  using MultiStreamBounds = Kokkos::LaunchBounds<128, 2>;

  /// Allocates the states; the starter fills them.
  RanmarStreams(const RanmarPlan&, StreamRange range) : StreamsInMemory<Integer>(words, range) {}

  using StreamsInMemory<Integer>::word;  ///< k = 97 is the arithmetic sequence's term
  KOKKOS_FORCEINLINE_FUNCTION Integer& term(std::uint64_t stream) const {
    return word(ranmar_words, stream);
  }

  KOKKOS_FUNCTION Ranmar<Variant> scalar(std::uint64_t stream) const {
    RanmarState<Variant> state;
    for (int k = 0; k < ranmar_words; ++k) state.x[k] = word(k, stream);
    state.c = word(ranmar_words, stream);
    return Ranmar<Variant>(state);
  }

  /// Draws from a group of lanes<W> streams, with one vector of 32-bit integers or several vectors
  /// of 64-bit integers.
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
          if (streams.word(ranmar_words, other) != state_[0].c) same_position_ = false;
        }
      }
    }

    /// Passes the next round_words 32-bit words of lanes<Word> streams to sink(int index, Word
    /// word).
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
    /// Writes the next round_numbers numbers. Number k of lane l becomes `to[k * lanes<W> + l]`.
    KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(Integer* to) {
      for (int v = 0; v < vectors; ++v) {
        Integer* const column = to + v * lanes<Part>;
        const auto put = [column](int k, const Part& number) RIVULET_INLINE_LAMBDA {
          WordTraits<Part>::store(number, column + k * lanes<W>);
        };
        if (at_same_position()) {
          Vector::draw_round(state_[v], put);
        } else {
          Vector::draw_round(state_[v], terms_[v], put);
        }
      }
    }

    /// Passes a round's numbers to sink(int index, Part number) without an array in between. Suits
    /// device threads: after inlining, the index is a constant.
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
        const Part terms = at_same_position() ? Part(state_[v].c) : terms_[v];
        WordTraits<Part>::store(terms, &streams.word(ranmar_words, to));
      }
    }

   private:
    /// True if all lanes share one term, which makes rounds on a CPU faster. A single lane needs no
    /// check.
    KOKKOS_FORCEINLINE_FUNCTION bool at_same_position() const {
      constexpr bool is_single_lane = lanes<Part> == 1;
      return is_single_lane || (is_vector_register<Part> && same_position_);
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
    Part terms_[vectors];        ///< used if the lanes' terms differ
    bool same_position_ = true;  ///< all lanes with a stream are at the same position
  };

  using Engine = EngineOf<Word>;

  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    return EngineOf<W>(*this, first);
  }
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const EngineOf<W>& engine) const {
    engine.store(*this, first);
  }

  using TeamEngine = RanmarVectorTeam<Variant>;
#if RIVULET_LANES_SHUFFLE
  using WarpEngine = RanmarWarpTeam<Variant>;
#endif

  /// Returns 32-bit word j made from the numbers that a team drew.
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

/// RANMAR in one of its precisions.
template <class Variant>
struct RanmarGenerator
    : GeneratorBase<RanmarStreams<Variant>,
                    RankStarter<RanmarStreams<Variant>, detail::RanmarStarts<Variant>>> {
  using Library = Variant;

  static Generator facts() {
    Generator facts;
    facts.name = Variant::name;
    facts.doc = Variant::doc;
    facts.period = Variant::period;
    facts.disjoint = "distinct seeds: starts differ; absence of overlap is probable, not proved";
    facts.published = "RANMAR (ij, kl) and the next pairs";
    if (Variant::bits == 48) {
      facts.fails =
          facts.name == "ranmar48" ? "PractRand from 512 MB on" : "PractRand from 2 GB on";
    }
    facts.options = {&ij_option, &kl_option};
    return facts;
  }

  static std::unique_ptr<RanmarPlan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<RanmarPlan>(Variant::bits, request);
  }
};

}  // namespace rivulet

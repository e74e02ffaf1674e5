// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/for_each_stream.hpp"
#include "kernels/stream_memory.hpp"
#include "rng/tausworthe.hpp"
#include "streams/tausworthe_plan.hpp"

namespace rivulet {

/// Streams of the Tausworthe family of one rank in device memory. Copies share the memory. Streams
/// have local indices 0 .. count-1. A state is so small, and a step so short, that there is nothing
/// for several lanes to share: lane mapping only.
template <class Kind>
class TauswortheStreams {
 public:
  using Plan = TausworthePlan;
  using Integer = std::uint32_t;
  using Lanes = Tausworthe<Kind, Word>;
  static constexpr bool has_team = false;
  /// Words of state a stream.
  static constexpr int words = Kind::words;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that a block draws of each stream.
  static constexpr int block_numbers = Lanes::block_words;
  static constexpr int block_words = Lanes::block_words;
  static constexpr int numbers_a_word = 1;
  using Bounds = Kokkos::LaunchBounds<>;

  /// Allocates; the states are for TauswortheStarter to fill.
  TauswortheStreams(const TausworthePlan&, StreamBlock block)
      : states_("rivulet::tausworthe_states", words, padded_streams(block.count)), block_(block) {}

  KOKKOS_FUNCTION std::uint64_t count() const { return block_.count; }
  KOKKOS_FUNCTION StreamBlock block() const { return block_; }

  /// Word k of a stream's state; the padding up to whole tiles may be read and written.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& word(int k, std::uint64_t stream) const {
    return states_(static_cast<std::size_t>(k), stream);
  }

  const StreamMemory<std::uint32_t>& states() const { return states_; }

  /// Draws from the streams of a group of lanes<Word>.
  class Engine {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit Engine(const typename Lanes::State& state)
        : lanes_(state) {}

    /// The next block_words words of 32 bits, each to sink(int index, Word word).
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
      lanes_.block([&sink](auto k, Word word) RIVULET_INLINE_LAMBDA { sink(k.value, word); });
    }
    /// The next block_numbers numbers; number k of lane l goes to to[k * lanes<Word> + l].
    KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(Integer* to) {
      draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
        WordTraits<Word>::store(word, to + k * lanes<Word>);
      });
    }
    /// The same of a device's one stream a thread, without memory between: each to
    /// sink(int index, Integer number), whose index is a constant once all is inlined.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
      draw_words(sink);
    }
    KOKKOS_FORCEINLINE_FUNCTION const typename Lanes::State& state() const {
      return lanes_.state();
    }

   private:
    Lanes lanes_;
  };

  /// The engine of streams first .. first + lanes<Word> - 1.
  KOKKOS_FUNCTION Engine load(std::uint64_t first) const {
    typename Lanes::State state;
    for (int k = 0; k < words; ++k) state.z[k] = WordTraits<Word>::load(&word(k, first));
    return Engine(state);
  }

  /// Puts back what load() gave, after whole blocks.
  KOKKOS_FUNCTION void store(std::uint64_t first, const Engine& engine) const {
    put(first, engine.state());
  }
  KOKKOS_FUNCTION void put(std::uint64_t first, const typename Lanes::State& state) const {
    for (int k = 0; k < words; ++k) WordTraits<Word>::store(state.z[k], &word(k, first));
  }

 private:
  StreamMemory<std::uint32_t> states_;
  StreamBlock block_;
};

}  // namespace rivulet

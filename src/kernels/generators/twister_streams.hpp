// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/generators/stream_memory.hpp"
#include "kernels/generators/team_engine.hpp"
#include "kernels/launching/for_each_stream.hpp"

namespace rivulet::detail {

template <class Recurrence, bool by_lane>
struct TwisterEngines {
  template <class W>
  using EngineOf = RecurrenceEngine<typename Recurrence::template Over<W>, W>;
  using Engine = EngineOf<Word>;
};
template <class Recurrence>
struct TwisterEngines<Recurrence, false> {};

/// Twisters of one rank in device memory: n words each, at a round boundary, the oldest first.
/// Own::recurrence<W>(first) is what the recurrence needs of lanes<W> streams. Of the oldest word,
/// only the bits that count rest in memory; the others are 0.
template <class Own, class Recurrence, bool by_lane>
class TwisterStreams : public StreamsInMemory<std::uint32_t>,
                       public TwisterEngines<Recurrence, by_lane> {
 public:
  using Integer = std::uint32_t;
  /// Words of state a stream.
  static constexpr int words = Recurrence::n;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that a round draws of each stream.
  static constexpr int round_numbers = RecurrenceEngine<Recurrence>::round_words;
  static constexpr int round_words = round_numbers;
  static constexpr int numbers_per_word = 1;
  static constexpr std::uint64_t worth_cuts = costly_cuts;
  using Bounds = Kokkos::LaunchBounds<>;
  using TeamEngine = TeamLine<Recurrence>;

  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream,
                                            std::uint32_t value) const {
    word(k, stream) = k == 0 ? value & used_of_oldest : value;
  }

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION auto load(std::uint64_t first) const {
    RecurrenceState<W, words> state;
    for (int k = 0; k < words; ++k) state.x[k] = WordTraits<W>::load(&word(k, first));
    const auto recurrence = static_cast<const Own*>(this)->template recurrence<W>(first);
    return RecurrenceEngine<typename Recurrence::template Over<W>, W>(recurrence, state);
  }
  /// Puts back what load() gave, after whole rounds.
  template <class Over, class W>
  KOKKOS_FUNCTION void store(std::uint64_t first, const RecurrenceEngine<Over, W>& engine) const {
    for (int k = 0; k < words; ++k) {
      const W value = k == 0 ? engine.word(k) & W(used_of_oldest) : engine.word(k);
      WordTraits<W>::store(value, &word(k, first));
    }
  }
  /// An engine of one stream.
  KOKKOS_FUNCTION auto scalar(std::uint64_t stream) const { return load<Integer>(stream); }

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }

 protected:
  static constexpr std::uint32_t used_of_oldest = Recurrence::shape.upper_mask;

  explicit TwisterStreams(StreamRange range) : StreamsInMemory(words, range) {}
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "generators/generator_type.hpp"
#include "generators/stream_memory.hpp"
#include "generators/team_engine.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/generators/twisters.hpp"

namespace rivulet::detail {

template <class Recurrence, bool by_lane>
struct TwisterEngines {
  template <class W>
  using EngineOf = RecurrenceEngine<typename Recurrence::template Over<W>, W>;
  using Engine = EngineOf<Word>;
};
template <class Recurrence>
struct TwisterEngines<Recurrence, false> {};

/// The twisters of one rank in device memory. A state has n words and is stored at a round
/// boundary. The oldest word comes first; its unused bits are 0. Tag is the generator's tag in the
/// C++ library.
template <class Tag, bool by_lane>
class TwisterStreams
    : public StreamsInMemory<std::uint32_t>,
      public RoundsOfWords<RecurrenceEngine<typename Family<Tag>::Recurrence>::round_words>,
      public TwisterEngines<typename Family<Tag>::Recurrence, by_lane> {
 public:
  using Recurrence = typename Family<Tag>::Recurrence;
  using Shared = typename Family<Tag>::template Shared<Space::memory_space>;
  using Integer = std::uint32_t;
  static constexpr int words = Recurrence::n;
  static constexpr int bits = 32;
  static constexpr std::uint64_t min_numbers_to_cut = min_numbers_for_polynomial_jumps;
  using TeamEngine = detail::TeamLine<Recurrence>;

  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream,
                                            std::uint32_t value) const {
    word(k, stream) = k == 0 ? value & oldest_mask : value;
  }

  /// Returns the recurrence of streams (or segments) first .. first + lanes<W> - 1.
  template <class W = std::uint32_t>
  KOKKOS_FUNCTION auto recurrence(std::uint64_t first) const {
    const auto recurrence_of_lane = [&](int l) {
      return shared_.recurrence(range().first + stream(first + static_cast<std::uint64_t>(l)));
    };
    if constexpr (lanes<W> != 1 && requires(Recurrence candidate) { candidate.set.c; }) {
      const auto column = [&](std::uint32_t DcmtParameters<std::uint32_t>::*parameter) {
        return WordTraits<W>::generate([&](int l) { return recurrence_of_lane(l).set.*parameter; });
      };
      using Set = DcmtParameters<std::uint32_t>;
      return typename Recurrence::template Over<W>{
          {column(&Set::a), column(&Set::b), column(&Set::c)}};
    } else {
      return recurrence_of_lane(0);
    }
  }

  template <class W = Word>
  KOKKOS_FUNCTION auto load(std::uint64_t first) const {
    RecurrenceState<W, words> state;
    for (int k = 0; k < words; ++k) state.x[k] = WordTraits<W>::load(&word(k, first));
    return RecurrenceEngine<typename Recurrence::template Over<W>, W>(recurrence<W>(first), state);
  }
  template <class Over, class W>
  KOKKOS_FUNCTION void store(std::uint64_t first, const RecurrenceEngine<Over, W>& engine) const {
    for (int k = 0; k < words; ++k) {
      const W value = k == 0 ? engine.word(k) & W(oldest_mask) : engine.word(k);
      WordTraits<W>::store(value, &word(k, first));
    }
  }
  KOKKOS_FUNCTION auto scalar(std::uint64_t stream) const { return load<Integer>(stream); }

  /// Returns 32-bit word j of the numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }

 protected:
  static constexpr std::uint32_t oldest_mask = Recurrence::shape.upper_mask;

  TwisterStreams(StreamRange range, const Shared& shared)
      : StreamsInMemory(words, range), shared_(shared) {}

 private:
  Shared shared_;
};

}  // namespace rivulet::detail

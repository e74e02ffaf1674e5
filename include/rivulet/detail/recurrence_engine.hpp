// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"

namespace rivulet::detail {

/// Steps a recurrence one number at a time, with the interface of the standard library's engines.
/// State stores the words x[0 .. n-1] in a ring, and the index `next` of the oldest word.
template <class Recurrence, class State>
class RecurrenceSteps : public NoChildren {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  using result_type = std::remove_cvref_t<decltype(std::declval<State&>().x[0])>;
  static constexpr int n = Recurrence::n;

  static constexpr Integer min() { return 0; }
  static constexpr Integer max() {
    return static_cast<Integer>(~Integer{0}) >> (8 * sizeof(Integer) - Recurrence::bits);
  }

  /// Returns the next number, uniform in 0 .. max().
  KOKKOS_FORCEINLINE_FUNCTION result_type operator()() {
    const int oldest = state_.next;
    const result_type word = advance();
    return recurrence_.number(word, words_from(oldest), term_);
  }

  /// Skips `count` numbers, one by one. Use a jump for long distances.
  KOKKOS_FUNCTION void discard(std::uint64_t count) {
    for (; count > 0; --count) advance();
  }

 protected:
  KOKKOS_FORCEINLINE_FUNCTION RecurrenceSteps(const Recurrence& recurrence, const State& state)
      : recurrence_(recurrence), state_(state) {}

  Recurrence recurrence_;
  State state_;
  Term term_{};

 private:
  /// Returns a function that maps j to word j, counted from the oldest.
  KOKKOS_FORCEINLINE_FUNCTION auto words_from(int oldest) const {
    return [this, oldest](int j)
               RIVULET_INLINE_LAMBDA { return state_.x[ring_index<n>(oldest + j)]; };
  }

  KOKKOS_FORCEINLINE_FUNCTION result_type advance() {
    const int oldest = state_.next;
    const result_type word = recurrence_.next(words_from(oldest));
    state_.x[oldest] = word;
    state_.next = ring_index<n>(oldest + 1);
    if constexpr (has_term<Recurrence>) term_ = Recurrence::after(term_, 1);
    return word;
  }
};

/// The words of lanes<W> streams, and the index of the oldest word.
template <class W, int n>
struct RecurrenceState {
  static constexpr int words = n;
  W x[n];
  int next = 0;
};

/// Draws one number or one round at a time from lanes<W> streams at the same position.
template <class Recurrence, class W = std::uint32_t>
class RecurrenceEngine : public RecurrenceSteps<Recurrence, RecurrenceState<W, Recurrence::n>>,
                         public LaneRounds<RecurrenceEngine<Recurrence, W>, W> {
 public:
  using State = RecurrenceState<W, Recurrence::n>;
  using Steps = RecurrenceSteps<Recurrence, State>;
  using Steps::n;
  /// True if registers hold the state. A round then replaces all words, loops are unrolled, and
  /// streams are stored with the oldest word in x[0].
  static constexpr bool in_registers = n < 100;
  /// Numbers per round, each a 32-bit word.
  static constexpr int round_words = in_registers ? n : 32;

  KOKKOS_FORCEINLINE_FUNCTION RecurrenceEngine(const Recurrence& recurrence, const State& state)
      : Steps(recurrence, state) {}

  /// Passes the numbers of a round to use(index, W number). The index is a Place if the state is in
  /// registers, else an int. The engine must be at a round boundary.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void round(Use&& use) {
    if constexpr (in_registers) {
      draw_unrolled(use, std::make_integer_sequence<int, n>{});
    } else {
      for (int i = 0; i < round_words; ++i) use(i, (*this)());
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }
  /// Between rounds, returns word k of the state, counted from the oldest.
  KOKKOS_FORCEINLINE_FUNCTION const W& word(int k) const {
    return state_.x[in_registers ? k : ring_index<n>(state_.next + k)];
  }

 private:
  using Steps::recurrence_;
  using Steps::state_;

  template <class Use, int... k>
  KOKKOS_FORCEINLINE_FUNCTION void draw_unrolled(Use&& use, std::integer_sequence<int, k...>) {
    (draw_one<k>(use), ...);
  }
  template <int k, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw_one(Use&& use) {
    const auto words = [this](auto j) RIVULET_INLINE_LAMBDA { return state_.x[(k + j) % n]; };
    state_.x[k] = recurrence_.next(words);
    use(place<k>, recurrence_.number(state_.x[k], words, {}));
  }
};

}  // namespace rivulet::detail

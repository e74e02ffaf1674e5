// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "launching/stream_lanes.hpp"
#include "rivulet/detail/recurrence.hpp"

namespace rivulet::detail {

/// Draws short twisters, each with several lanes of a warp. Every lane holds this object and its
/// share of the state in registers. In a step, lane j = 0 .. members - 1 computes x_{k+j}. Each new
/// word depends on the words n, n - 1 and n - m positions before it. The word at distance d was
/// computed d / members steps ago by the lane d % members below, or one step earlier if the lane's
/// number wraps. After a step, every lane therefore shuffles its word once by each nonzero
/// remainder and keeps the words that it receives.
template <class Recurrence>
class RegisterWarp {
 public:
  static constexpr int n = Recurrence::n;
  /// Lanes per stream, at most n - m (the number of independent words). Measured with 2, 4 and 8
  /// lanes on an H200: the fastest number of lanes shuffles the fewest words (one or two) and uses
  /// few registers.
  static constexpr int members = n <= 20 ? 8 : 4;
  static_assert(members <= Recurrence::independent);
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = 1;
  /// Steps after which the registers rotate back to the initial assignment.
  static constexpr int steps_around = (n + members - 1) / members;
  /// Maximum of the constructor's `back`.
  static constexpr int max_back = 2 * members - 1;
  /// Scratch words per stream, which the lanes share. They hold the words that precede the state.
  static constexpr int scratch_words = max_back + 1;
  static constexpr std::size_t scratch_bytes =
      team_lanes / members * scratch_words * sizeof(std::uint32_t);

  /// Starts `back` numbers before the stream's position. Lanes provides lane(), the caller's lane
  /// in the warp; of_lane(j, value), a shuffle that returns lane j's value; and sync(), which makes
  /// the lanes' writes visible to all lanes. Every lane must call this.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION RegisterWarp(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                               void* scratch, int back = 0)
      : recurrence_(streams.recurrence(stream)),
        lane_(lanes.lane() % members),
        base_(lanes.lane() / members * members) {
    const State<Streams> state{streams, stream,
                               static_cast<std::uint32_t*>(scratch) +
                                   static_cast<std::size_t>(base_ / members) * scratch_words};
    if (lane_ == 0) {
      state.put(0, back > 0 ? streams.word(0, stream) & Recurrence::shape.upper_mask
                            : streams.word(0, stream));
      step_back(recurrence_, state, back);
    }
    lanes.sync();
    const auto at = [&](int past, int before) {
      const int k = n + place(past) - before - back;
      return k >= -back ? state(k) : 0;
    };
    for (int past = 0; past < rows; ++past) {
      computed_[past] = at(past, 0);
      for (int h = 0; h < shuffles; ++h) received_[h][past] = at(past, remainder_of(h));
    }
    lanes.sync();
  }

  /// Computes the next `members` numbers, and writes the lane's number to *to. Every lane must call
  /// this.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void next(const Lanes& lanes, std::uint32_t* to) {
    const auto words = [this](auto j) { return past<n - decltype(j)::value>(); };
    const std::uint32_t x = recurrence_.next(words);
    for (int h = 0; h < shuffles; ++h) {
      const int remainder = remainder_of(h);
      // The last `remainder` lanes send their previous word: others need the new one a step later.
      const std::uint32_t received = lanes.of_lane(base_ + (lane_ + members - remainder) % members,
                                                   lane_ + remainder >= members ? computed_[0] : x);
      for (int past = rows - 1; past > 0; --past) received_[h][past] = received_[h][past - 1];
      received_[h][0] = received;
    }
    for (int past = rows - 1; past > 0; --past) computed_[past] = computed_[past - 1];
    computed_[0] = x;
    *to = recurrence_.number(x, words, {});
  }

  /// Stores the state as it was `ago` numbers ago, where 0 <= `ago` < members.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes&, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    for (int past = 0; past < rows; ++past) {
      const int k = n + place(past) + ago;
      if (k >= 0 && k < n) streams.put_word(k, stream, computed_[past]);
    }
  }

 private:
  /// The words of a state, preceded by older words in scratch memory.
  template <class Streams>
  struct State {
    const Streams& streams;
    std::uint64_t stream;
    std::uint32_t* older;

    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int k) const {
      return k > 0 ? streams.word(k, stream) : older[-k];
    }
    KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint32_t word) const { older[-k] = word; }
  };

  /// Number of past steps whose words a lane must keep, so that store() can return to any state up
  /// to members - 1 numbers ago.
  static constexpr int rows = (n + 2 * (members - 1)) / members;

  /// Remainders of the three distances modulo `members`. Lanes shuffle once by each distinct
  /// nonzero remainder.
  static constexpr int remainder_n = n % members;
  static constexpr int remainder_1 = (n - 1) % members;
  static constexpr int remainder_m = (n - Recurrence::shape.m) % members;
  static constexpr bool by_n = remainder_n != 0;
  static constexpr bool by_1 = remainder_1 != 0;
  static constexpr bool by_m =
      remainder_m != 0 && remainder_m != remainder_n && remainder_m != remainder_1;
  static constexpr int shuffles = by_n + by_1 + by_m;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int remainder_of(int shuffle) {
    if (by_n && shuffle == 0) return remainder_n;
    return by_1 && shuffle == by_n ? remainder_1 : remainder_m;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int shuffle_of(int remainder) {
    int shuffle = 0;
    while (remainder_of(shuffle) != remainder) ++shuffle;
    return shuffle;
  }

  /// Returns the word `distance` positions before the lane's next word.
  template <int distance>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t past() const {
    constexpr int step = distance / members - 1;
    if constexpr (distance % members == 0) {
      return computed_[step];
    } else {
      constexpr int shuffle = shuffle_of(distance % members);
      return received_[shuffle][step];
    }
  }

  /// Returns the position, relative to the next number, of the lane's word from `past` steps before
  /// the last step.
  KOKKOS_FORCEINLINE_FUNCTION int place(int past) const { return lane_ - members * (past + 1); }

  Recurrence recurrence_;
  std::uint32_t computed_[rows];  ///< the lane's words, latest step first
  /// Words from each shuffle, latest first.
  std::uint32_t received_[shuffles > 0 ? shuffles : 1][rows];
  int lane_;
  int base_;
};

}  // namespace rivulet::detail

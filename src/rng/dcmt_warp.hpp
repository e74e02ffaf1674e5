// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rivulet/detail/rng/dcmt.hpp"

namespace rivulet {

/// Draws one twister with a few lanes of a warp, each of which holds this object and its share of
/// the state in registers. A step makes x_k .. x_{k+members-1}, lane j x_{k+j}. Each new word needs
/// three that were made n, n - 1 and n - m places before. Divided by the number of lanes, such a
/// distance says how many steps ago that was (the quotient) and how many lanes further down (the
/// rest). So after a step every lane hands its word on by each rest but 0, and keeps what it got.
template <int P>
class DcmtWarpTeam {
 public:
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int n = shape.n;
  /// Lanes of a stream: at most n - m words do not depend on each other. Measured on an H200, of 2,
  /// 4 and 8: with the fewest words to hand on (one or two) and few registers.
  static constexpr int members = n <= 20 ? 8 : 4;
  static_assert(members <= n - shape.m);
  /// Steps after which each register has the place that it had.
  static constexpr int steps_around = (n + members - 1) / members;
  /// Numbers before a state that a team may begin at.
  static constexpr int most_back = 2 * members - 1;
  /// What a team shares meanwhile.
  static constexpr std::size_t scratch_words = most_back + 1;

  /// Lane 0 .. members - 1 of a stream, whose lanes begin at `base` of those of the warp. Starts
  /// `back` numbers before the state word(k), 0 <= k < n. Lanes: of_lane(j, value) is lane j's
  /// value; meet() makes what lanes wrote visible to all. All lanes call this together.
  template <class Lanes, class Words>
  KOKKOS_FUNCTION DcmtWarpTeam(const Lanes& lanes, int lane, int base,
                               const DcmtParameters<std::uint32_t>& set, int back,
                               std::uint32_t* scratch, const Words& word)
      : set_(set), lane_(lane), base_(base) {
    if (lane == 0) make_older(back, scratch, word);
    lanes.meet();
    const auto at = [&](int past, int before) {
      const int k = n + place(past) - before - back;
      return k > 0 ? word(k) : k >= -back ? scratch[-k] : 0;
    };
    for (int past = 0; past < rows; ++past) {
      made_[past] = at(past, 0);
      for (int h = 0; h < hands; ++h) got_[h][past] = at(past, rest_of(h));
    }
    lanes.meet();
  }

  /// Of the next `members` numbers, the lane's. All lanes call this together.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t next(const Lanes& lanes) {
    const std::uint32_t x = dcmt_twist<P>(past<n>(), past<n - 1>(), past<n - shape.m>(), set_.a);
    for (int h = 0; h < hands; ++h) {
      const int rest = rest_of(h);
      // The last lanes' words are wanted a step later.
      const std::uint32_t given = lanes.of_lane(base_ + (lane_ + members - rest) % members,
                                                lane_ + rest >= members ? made_[0] : x);
      for (int past = rows - 1; past > 0; --past) got_[h][past] = got_[h][past - 1];
      got_[h][0] = given;
    }
    for (int past = rows - 1; past > 0; --past) made_[past] = made_[past - 1];
    made_[0] = x;
    return dcmt_temper(x, set_.b, set_.c);
  }

  /// The state of 0 <= ago < members numbers ago: each lane hands its share to put(k, word).
  template <class Put>
  KOKKOS_FUNCTION void save(int ago, const Put& put) const {
    for (int past = 0; past < rows; ++past) {
      const int k = n + place(past) + ago;
      if (k >= 0 && k < n) put(k, made_[past]);
    }
  }

 private:
  /// Steps whose words a state of up to members - 1 numbers ago consists of.
  static constexpr int rows = (n + 2 * (members - 1)) / members;

  /// The rests of the three distances; those that are not 0, each once, are what lanes hand on by.
  static constexpr int rest_n = n % members;
  static constexpr int rest_1 = (n - 1) % members;
  static constexpr int rest_m = (n - shape.m) % members;
  static constexpr bool by_n = rest_n != 0;
  static constexpr bool by_1 = rest_1 != 0;
  static constexpr bool by_m = rest_m != 0 && rest_m != rest_n && rest_m != rest_1;
  static constexpr int hands = by_n + by_1 + by_m;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int rest_of(int hand) {
    if (by_n && hand == 0) return rest_n;
    return by_1 && hand == by_n ? rest_1 : rest_m;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int hand_of(int rest) {
    int hand = 0;
    while (rest_of(hand) != rest) ++hand;
    return hand;
  }

  /// The word that was made so many places before the lane's next.
  template <int distance>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t past() const {
    constexpr int step = distance / members - 1;
    if constexpr (distance % members == 0) {
      return made_[step];
    } else {
      constexpr int hand = hand_of(distance % members);
      return got_[hand][step];
    }
  }

  /// Where the lane's word of the last step, or of `past` steps before, is, counted from the next
  /// number on.
  KOKKOS_FORCEINLINE_FUNCTION int place(int past) const { return lane_ - members * (past + 1); }

  /// Words 0, -1 .. -back of a state, to older[0], older[1] ..: what the recurrence made of the
  /// upper bits of word k and the lower ones of word k + 1 is the sum of words k + n and k + m.
  /// (The lower bits of a state's first word mean nothing where a stream starts.) Of the last only
  /// the upper bits are known, and needed.
  template <class Words>
  KOKKOS_FUNCTION void make_older(int back, std::uint32_t* older, const Words& word) const {
    const auto at = [&](int k) { return k > 0 ? word(k) : older[-k]; };
    older[0] = back > 0 ? word(0) & shape.upper_mask : word(0);
    for (int k = -1; k >= -back; --k) {
      const std::uint32_t z = at(k + n) ^ at(k + shape.m);
      const std::uint32_t odd = z >> 31;  // the highest bit of a is set
      const std::uint32_t mixed = (z ^ odd * set_.a) << 1 | odd;
      older[-k - 1] |= mixed & shape.lower_mask;
      older[-k] = mixed & shape.upper_mask;
    }
  }

  DcmtParameters<std::uint32_t> set_;
  std::uint32_t made_[rows];                        ///< of the last steps, the latest first
  std::uint32_t got_[hands > 0 ? hands : 1][rows];  ///< by each rest, of the same steps
  int lane_;
  int base_;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rivulet/detail/hide_from_optimizer.hpp"
#include "rivulet/detail/rng/ranmar.hpp"

namespace rivulet {

/// Draws one sequence with 16 lanes of a warp, each of which holds this object and a 16th of the
/// state in registers. A step makes x_n .. x_{n+31}, lane j x_{n+2j} and the next. What that needs
/// are the words 33 and 97 places before: of a lane's second word, the first ones that it made
/// itself one and three steps ago; of its first word, the second ones of the lane before. So every
/// lane hands each second word to the next lane once, and keeps what it got.
template <class Variant>
class RanmarWarpTeam {
 public:
  using Integer = typename Variant::Integer;
  static constexpr int members = 16;
  /// Numbers, one after the other, that each lane makes in a step.
  static constexpr int run = 2;
  static constexpr int numbers_per_lane = run;
  static constexpr int steps_around = 4;
  static constexpr std::size_t scratch_bytes = 0;
  /// The same of all lanes.
  static constexpr int step = members * run;

  /// Starts `back` numbers, 0 .. 64, before where the stream is, whose words are 0 (the oldest) ..
  /// 96 and, in place 97, the arithmetic sequence's term before the next number: older words follow
  /// from these. Lanes: lane() is the caller's of those of the warp; of_lane(j, value) is lane j's
  /// value. All lanes call this together.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION RanmarWarpTeam(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                                 void* /*scratch*/, int back = 0)
      : lane_(lanes.lane() % members), base_(lanes.lane() / members * members) {
    const int lane = lane_;
    const Integer c = streams.word(ranmar_words, stream);
    const auto word = [&](int k) { return streams.word(k, stream); };
    made_ = older(word, place(0, lane) + 1 - back);
    last_ = lane + 1 == members ? ~Integer{0} : 0;
    for (int past = 0; past < 3; ++past) {
      first_[past] = older(word, place(past, lane) - back);
      got_[past] = older(word, place(past, lane) - 1 - back);
    }
    for (int i = 0; i < run; ++i) {
      const int before = step - 1 + back - (run * lane + i);
      term_[i] = ranmar_lower<Variant>(c, Variant::c_modulus - ranmar_stride<Variant>(before));
    }
    detail::hide_from_optimizer(last_);
  }

  /// The lane's two of the next 32 numbers. All lanes call this together.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void next(const Lanes& lanes, Integer* to) {
    const Integer x = got_[2] - got_[0];
    const Integer y = first_[2] - first_[0];
    const Integer given =
        lanes.of_lane(base_ + (lane_ + members - 1) % members, y ^ ((y ^ made_) & last_));
    for (int past = 3; past > 0; --past) {
      first_[past] = first_[past - 1];
      got_[past] = got_[past - 1];
    }
    first_[0] = x;
    got_[0] = given;
    made_ = y;
    for (Integer& term : term_) term = ranmar_lower<Variant>(term, ranmar_stride<Variant>(step));
    to[0] = ranmar_number<Variant>(x, term_[0]);
    to[1] = ranmar_number<Variant>(y, term_[1]);
  }

  /// Puts back the state of 0 <= ago < 32 numbers ago.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes&, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const auto put = [&](int k, Integer word) { streams.word(k, stream) = word; };
    for (int past = 0; past < 4; ++past) {
      const int k = place(past, lane_) + ago;
      if (k >= 0 && k < ranmar_words) put(k, first_[past]);
      if (k >= 1 && k <= ranmar_words) put(k - 1, got_[past]);
    }
    if (ago == 0 && lane_ + 1 == members) put(ranmar_words - 1, made_);
    for (int i = 0; i < run; ++i) {
      if (run * lane_ + i == step - 1 - ago) put(ranmar_words, term_[i]);
    }
  }

 private:
  /// Where in the state the first word is that a lane made in the last step or `past` steps before.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int past, int lane) {
    return ranmar_words - step * (past + 1) + run * lane;
  }

  template <class Words>
  KOKKOS_FUNCTION static Integer older(const Words& word, int k) {
    return k >= 0 ? word(k) : word(k + ranmar_words) + word(k + ranmar_words - ranmar_lag);
  }

  Integer first_[4] = {};  ///< of the lane's words of the last four steps, the latest first
  Integer got_[4] = {};    ///< second ones from the lane before, of the same steps
  Integer made_;           ///< the lane's second word of the last step
  Integer last_;           ///< all bits in the last lane, which hands on what it made a step ago
  Integer term_[run];      ///< of the numbers made then
  int lane_;
  int base_;  ///< of the stream's first lane
};

}  // namespace rivulet

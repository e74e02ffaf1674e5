// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/ranmar.hpp"

namespace rivulet {

/// Draws one sequence with the 32 lanes of a warp, each of which holds this object and a 32nd of
/// the state in registers. A step makes x_n .. x_{n+31}, lane j x_{n+j}. What that needs are the
/// words 33 and 97 places before, one place before what lane j made one and three steps ago: so
/// every lane hands each of its words to the next lane once, and keeps what it got.
template <class Variant>
class RanmarWarpTeam {
 public:
  using Integer = typename Variant::Integer;
  static constexpr int members = 32;

  /// Starts `back` numbers, 0 .. 64, before the state word(k), k = 0 (the oldest) .. 96, with the
  /// arithmetic sequence's term c before the next number: older words follow from these.
  template <class Words>
  KOKKOS_FUNCTION RanmarWarpTeam(int lane, int back, Integer c, const Words& word)
      : got_{older(word, 2 * members + lane - back), older(word, members + lane - back),
             older(word, lane - back), 0},
        made_(older(word, ranmar_words - 1 - back)),
        term_(ranmar_lower<Variant>(
            c, Variant::c_modulus - ranmar_stride<Variant>(members - 1 + back - lane))),
        lane_(lane) {}

  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_; }

  /// Of the next 32 numbers, the lane's. Lanes: of_lane(j, value) is lane j's value. All lanes
  /// call this together.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const Lanes& lanes) {
    const Integer x = got_[2] - got_[0];
    const Integer given =
        lanes.of_lane((lane_ + members - 1) % members, lane_ == members - 1 ? made_ : x);
    got_[3] = got_[2];
    got_[2] = got_[1];
    got_[1] = got_[0];
    got_[0] = given;
    made_ = x;
    term_ = ranmar_lower<Variant>(term_, ranmar_stride<Variant>(members));
    return ranmar_number<Variant>(x, term_);
  }

  /// The state of 0 <= ago < 32 numbers ago: each lane hands its share to put(k, word), where word
  /// 97 is the arithmetic sequence's term.
  template <class Put>
  KOKKOS_FUNCTION void save(int ago, const Put& put) const {
    for (int step = 0; step < 4; ++step) {
      const int k = (2 - step) * members + ago + lane_;
      if (k >= 0 && k < ranmar_words) put(k, got_[step]);
    }
    if (ago == 0 && lane_ == members - 1) put(ranmar_words - 1, made_);
    if (lane_ == members - 1 - ago) put(ranmar_words, term_);
  }

 private:
  template <class Words>
  KOKKOS_FUNCTION static Integer older(const Words& word, int k) {
    return k >= 0 ? word(k) : word(k + ranmar_words) + word(k + ranmar_words - ranmar_lag);
  }

  Integer got_[4];  ///< from the lane before, of the last four steps, the latest first
  Integer made_;    ///< in the last step
  Integer term_;    ///< of the number made then
  int lane_;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "rivulet/detail/rng/ranmar.hpp"
#include "rng/ranmar_vector_leapfrog.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Most numbers of one sequence that do not depend on each other: word n needs word n - 33.
inline constexpr int ranmar_leapfrog_limit = ranmar_lag;

/// Draws one sequence with all members of a team, `members` numbers a step (1 to
/// ranmar_leapfrog_limit). The words are shared, in a ring; within a step no member reads what
/// another writes. Lanes: each(n, f) calls f(0) .. f(n - 1), by all members together, and makes
/// what they wrote visible to all.
template <class Variant, int members = 32>
class RanmarRingTeam {
  static_assert(members >= 1 && members <= ranmar_leapfrog_limit);

 public:
  using Integer = typename Variant::Integer;
  /// Most numbers that a call of draw() draws: enough that its last step, which is not full, hardly
  /// counts.
  static constexpr int team_numbers = 4 * ranmar_words;
  static constexpr std::size_t scratch_bytes = (ranmar_words + members) * sizeof(Integer);

  /// Starts from word(k), k = 0 (the oldest) .. 96, and the arithmetic sequence's term c before the
  /// next number. scratch, aligned to 8 bytes, holds the words and how far each member's term is
  /// from c.
  template <class Lanes, class Words>
  KOKKOS_FUNCTION RanmarRingTeam(const Lanes& lanes, void* scratch, Integer c, const Words& word)
      : x_(static_cast<Integer*>(scratch)), strides_(x_ + ranmar_words), c_(c) {
    load(lanes, word);
  }

  /// Word k of the state, 0 the oldest.
  KOKKOS_FUNCTION Integer word(int k) const { return x_[wrapped(next_ + k)]; }
  KOKKOS_FUNCTION Integer c() const { return c_; }

  /// The next numbers, 1 .. team_numbers of them, to to[0 ..].
  template <class Lanes>
  KOKKOS_FUNCTION void draw(const Lanes& lanes, Integer* to, int numbers = team_numbers) {
    for (int done = 0; done < numbers; done += members) {
      const int now = numbers - done < members ? numbers - done : members;
      step(lanes, to + done, now);
    }
  }

  // Public because a lambda for a device may not be in a constructor or a private function.

  template <class Lanes, class Words>
  KOKKOS_FUNCTION void load(const Lanes& lanes, const Words& word) {
    Integer* const x = x_;
    Integer* const strides = strides_;
    lanes.each(ranmar_words, [&](int k) { x[k] = word(k); });
    lanes.each(members, [&](int j) { strides[j] = ranmar_stride<Variant>(j + 1); });
  }

  template <class Lanes>
  KOKKOS_FUNCTION void step(const Lanes& lanes, Integer* to, int numbers) {
    Integer* const x = x_;
    const Integer* const strides = strides_;
    const Integer c = c_;
    const int next = next_;
    lanes.each(numbers, [&](int j) {
      const int k = wrapped(next + j);
      const Integer word = x[k] - x[wrapped(k + ranmar_words - ranmar_lag)];
      x[k] = word;
      to[j] = ranmar_number<Variant>(word, ranmar_lower<Variant>(c, strides[j]));
    });
    c_ = ranmar_lower<Variant>(c, strides[numbers - 1]);
    next_ = wrapped(next + numbers);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    return k < ranmar_words ? k : k - ranmar_words;
  }

  Integer* x_;
  Integer* strides_;
  Integer c_;
  int next_ = 0;
};

/// What draws one sequence with the lanes of a team: of a warp, or of a CPU's vector registers.
#if RIVULET_VECTOR_WORD
template <class Variant>
using RanmarTeam = std::conditional_t<(lanes<WordOf<typename Variant::Integer>> > 1),
                                      RanmarVectorTeam<Variant>, RanmarRingTeam<Variant>>;
#else
template <class Variant>
using RanmarTeam = RanmarRingTeam<Variant>;
#endif

}  // namespace rivulet

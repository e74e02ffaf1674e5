// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/recurrence.hpp"

namespace rivulet::detail {

/// Calls f(i), 0 <= i < count, once each, by all threads of a team and their lanes. Afterwards all
/// threads see what the calls wrote; no call may read what another writes.
template <class Team, class F>
KOKKOS_FORCEINLINE_FUNCTION void each_of_team(const Team& team, int count, const F& f) {
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), f);
  team.team_barrier();
}

/// The threads of a team draw from this stream together, up to `most` numbers at a time, and call
/// each function together. A ring in memory holds its words, with room for the new words after
/// those on which they depend: one barrier a draw is enough.
template <class Recurrence, int most>
class TeamRing {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  static constexpr int n = Recurrence::n;
  static constexpr int size = n + most;
  static_assert(most <= Recurrence::independent);

  /// Loads the words word(k), 0 the oldest; `memory` has room for all words.
  template <class Team, class Word>
  KOKKOS_FORCEINLINE_FUNCTION TeamRing(const Team& team, const Recurrence& recurrence,
                                       Integer* memory, Term term, const Word& word)
      : recurrence_(recurrence), x_(memory), term_(term) {
    each_of_team(team, n, [=](int k) { memory[k] = word(k); });
  }

  /// Calls use(t, number) for the next numbers, t = 0 .. count - 1, count <= most.
  template <class Team, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Team& team, int count, const Use& use) {
    Integer* const x = x_;
    const int oldest = oldest_;
    const Recurrence recurrence = recurrence_;
    const Term term = term_;
    each_of_team(team, count, [=](int t) {
      const auto word_of = [x, oldest, t](int j) { return x[wrapped(oldest + t + j)]; };
      const Integer word = recurrence.next(word_of);
      x[wrapped(oldest + t + n)] = word;
      Term own = term;
      if constexpr (has_term<Recurrence>) own = recurrence.after(term, t + 1);
      use(t, recurrence.number(word, word_of, own));
    });
    oldest_ = wrapped(oldest_ + count);
    if constexpr (has_term<Recurrence>) term_ = recurrence_.after(term_, count);
  }

  /// Takes back the last `count` numbers that were drawn, count <= most; term: before them.
  KOKKOS_FORCEINLINE_FUNCTION void go_back(int count, Term term) {
    oldest_ = wrapped(oldest_ + size - count);
    term_ = term;
  }

  /// Calls put(k, word) for all words, 0 the oldest.
  template <class Team, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team, const Put& put) const {
    const Integer* const x = x_;
    const int oldest = oldest_;
    each_of_team(team, n, [=](int k) { put(k, x[wrapped(oldest + k)]); });
  }
  KOKKOS_FORCEINLINE_FUNCTION Term term() const { return term_; }

 private:
  /// k modulo size, 0 <= k < 2 size.
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) { return k < size ? k : k - size; }

  Recurrence recurrence_;
  Integer* x_;
  Term term_;
  int oldest_ = 0;
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/recurrence.hpp"

namespace rivulet::detail {

/// A team's threads and their lanes, for the parameter `Lanes` of TeamRing's functions.
template <class Team>
class TeamThreads {
 public:
  KOKKOS_FUNCTION explicit TeamThreads(const Team& team) : team_(&team) {}

  /// Calls f(i) once for each i, 0 <= i < count. Afterwards all threads see what the calls wrote.
  /// No call may read what another call writes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(int count, const F& f) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(*team_, count), f);
    team_->team_barrier();
  }

 private:
  const Team* team_;
};

/// A stream in memory from which lanes together draw up to `max_numbers` numbers at a time. The
/// ring has room for the new words in addition to the words on which the new ones depend; one
/// barrier per draw is therefore enough. Lanes must have each(count, f), as in TeamThreads.
template <class Recurrence, int max_numbers, int words = Recurrence::n + max_numbers>
class TeamRing {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  static constexpr int n = Recurrence::n;
  static constexpr int size = words;
  static_assert(max_numbers <= Recurrence::independent && n + max_numbers <= size);

  /// Loads n words; word(0) is the oldest. `memory` must have room for `size` words. Collective
  /// over the lanes.
  template <class Lanes, class Word>
  KOKKOS_FORCEINLINE_FUNCTION TeamRing(const Lanes& lanes, const Recurrence& recurrence,
                                       Integer* memory, Term term, const Word& word)
      : recurrence_(recurrence), x_(memory), term_(term) {
    lanes.each(int{n}, [=](int k) { memory[k] = word(k); });
  }

  /// Calls use(t, number) for the next `count` numbers, at most max_numbers, with t = 0 .. count
  /// - 1. Collective over the lanes.
  template <class Lanes, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, int count, const Use& use) {
    Integer* const x = x_;
    const int oldest = oldest_;
    const Recurrence recurrence = recurrence_;
    const Term term = term_;
    lanes.each(count, [=](int t) {
      const auto word_of = [x, oldest, t](int j) { return x[wrapped(oldest + t + j)]; };
      const Integer word = recurrence.next(word_of);
      x[wrapped(oldest + t + n)] = word;
      Term number_term = term;
      if constexpr (has_term<Recurrence>) number_term = recurrence.after(term, t + 1);
      use(t, recurrence.number(word, word_of, number_term));
    });
    advance(count);
  }
  /// Advances by `count` numbers whose words have been computed.
  KOKKOS_FORCEINLINE_FUNCTION void advance(int count) {
    oldest_ = wrapped(oldest_ + count);
    if constexpr (has_term<Recurrence>) term_ = recurrence_.after(term_, count);
  }

  /// Takes back the last `count` numbers drawn, at most max_numbers. `term` is the term before
  /// these numbers.
  KOKKOS_FORCEINLINE_FUNCTION void go_back(int count, Term term) {
    oldest_ = wrapped(oldest_ + size - count);
    term_ = term;
  }

  /// Calls put(k, word) for the newest n words; k = 0 is the oldest of them. Collective over the
  /// lanes.
  template <class Lanes, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Lanes& lanes, const Put& put) const {
    const Integer* const x = x_;
    const int oldest = oldest_;
    lanes.each(int{n}, [=](int k) { put(k, x[wrapped(oldest + k)]); });
  }
  KOKKOS_FORCEINLINE_FUNCTION Term term() const { return term_; }
  KOKKOS_FORCEINLINE_FUNCTION const Recurrence& recurrence() const { return recurrence_; }
  KOKKOS_FORCEINLINE_FUNCTION Integer* memory() const { return x_; }
  KOKKOS_FORCEINLINE_FUNCTION int oldest() const { return oldest_; }

 private:
  /// Returns k modulo size, 0 <= k < 2 size.
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    if constexpr ((size & (size - 1)) == 0) return k & (size - 1);
    return k < size ? k : k - size;
  }

  Recurrence recurrence_;
  Integer* x_;
  Term term_;
  int oldest_ = 0;
};

}  // namespace rivulet::detail

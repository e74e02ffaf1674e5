// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/slot.hpp"

namespace rivulet::detail {

/// How a stream of a recurrence lies in memory: its n words in a ring, the place of the oldest, and
/// its term if it has one.
template <class Recurrence>
struct RingMemory {
  static constexpr int place = Recurrence::n;
  static constexpr int term = Recurrence::n + 1;
  static constexpr int words = Recurrence::n + (has_term<Recurrence> ? 2 : 1);
};

/// Whether the place of the oldest word is one.
template <class Family>
bool is_in_ring(Slot<typename Family::Word> words) {
  using Recurrence = typename Family::Recurrence;
  return words[RingMemory<Recurrence>::place] < Recurrence::n;
}

/// A stream of a generator with many words of state, a number at a time. It works in the streams'
/// own memory, so that opening and closing cost next to nothing; therefore it cannot be copied.
template <class Recurrence>
class RingEngine {
 public:
  using Integer = typename Recurrence::Integer;
  using result_type = Integer;
  using Term = typename Recurrence::Term;
  using Memory = RingMemory<Recurrence>;
  static constexpr int n = Recurrence::n;

  KOKKOS_FORCEINLINE_FUNCTION RingEngine(const Recurrence& recurrence, Slot<Integer> words)
      : recurrence_(recurrence), words_(words), next_(static_cast<int>(words[Memory::place])) {
    RIVULET_ASSERT(next_ != n, "A stream was opened that is open: close it first.");
    if constexpr (has_term<Recurrence>) term_.c = words[Memory::term];
    mark_open();
  }
  RingEngine(const RingEngine&) = delete;  // it works in the streams' memory: pass a reference
  RingEngine& operator=(const RingEngine&) = delete;

  static constexpr Integer min() { return 0; }
  static constexpr Integer max() {
    return static_cast<Integer>(~Integer{0}) >> (8 * sizeof(Integer) - Recurrence::bits);
  }

  /// The next number, uniform in 0 .. max().
  KOKKOS_FORCEINLINE_FUNCTION Integer operator()() {
    const int oldest = next_;
    const Integer word = advance();
    return recurrence_.number(word, words_from(oldest), term_);
  }

  /// Skips `count` numbers, one by one: for far ones there is Streams::jump.
  KOKKOS_FUNCTION void discard(std::uint64_t count) {
    for (; count > 0; --count) advance();
  }

  KOKKOS_FORCEINLINE_FUNCTION void close() const {
    words_[Memory::place] = static_cast<Integer>(next_);
    if constexpr (has_term<Recurrence>) words_[Memory::term] = term_.c;
  }

 private:
  /// A place that is none, where assertions are, so that who opens a stream next finds out.
  KOKKOS_FORCEINLINE_FUNCTION void mark_open() const {
    if constexpr (has_assertions) words_[Memory::place] = static_cast<Integer>(n);
  }

  /// What word j from that place on is.
  KOKKOS_FORCEINLINE_FUNCTION auto words_from(int oldest) const {
    return [this, oldest](int j) RIVULET_INLINE_LAMBDA {
      const int k = oldest + j;
      return words_[k < n ? k : k - n];
    };
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer advance() {
    const int oldest = next_;
    const Integer word = recurrence_.next(words_from(oldest));
    words_[oldest] = word;
    next_ = oldest + 1 < n ? oldest + 1 : 0;
    if constexpr (has_term<Recurrence>) term_ = Recurrence::after(term_, 1);
    return word;
  }

  Recurrence recurrence_;
  Slot<Integer> words_;
  Term term_{};
  int next_;
};

}  // namespace rivulet::detail

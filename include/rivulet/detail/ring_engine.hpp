// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/deleted_because.hpp"
#include "rivulet/detail/recurrence_engine.hpp"
#include "rivulet/detail/slot.hpp"

namespace rivulet::detail {

/// Layout of a recurrence's stream in memory: its n words in a ring, the index of the oldest word,
/// and the term if the recurrence has one.
template <class Recurrence>
struct RingMemory {
  static constexpr int oldest_index = Recurrence::n;
  static constexpr int term = Recurrence::n + 1;
  static constexpr int words = Recurrence::n + (has_term<Recurrence> ? 2 : 1);

  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  KOKKOS_FORCEINLINE_FUNCTION static Term term_of(Slot<Integer> slot) {
    if constexpr (has_term<Recurrence>) return {slot[term]};
    return {};
  }
  /// Stores the index of the oldest word, and the term.
  KOKKOS_FORCEINLINE_FUNCTION static void put(Slot<Integer> slot, int oldest,
                                              [[maybe_unused]] Term new_term) {
    slot[oldest_index] = static_cast<Integer>(oldest);
    if constexpr (has_term<Recurrence>) slot[term] = new_term.c;
  }
};

/// Reads the words of a closed stream in memory, the oldest first.
template <class Recurrence>
class OldestFirst {
 public:
  using Integer = typename Recurrence::Integer;
  static constexpr int n = Recurrence::n;

  KOKKOS_FORCEINLINE_FUNCTION explicit OldestFirst(Slot<Integer> words)
      : words_(words), oldest_(static_cast<int>(words[RingMemory<Recurrence>::oldest_index])) {
    RIVULET_ASSERT(oldest_ != n, "An open stream was opened again: close it first.");
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer operator()(int k) const {
    return words_[ring_index<n>(oldest_ + k)];
  }

 private:
  Slot<Integer> words_;
  int oldest_;
};

/// The words of a stream in memory, as an engine accesses them.
template <class Integer>
struct RingState {
  Slot<Integer> x;
  int next;
};

/// Engine for a stream with many words of state. The engine works in the stream's memory. Opening
/// and closing are therefore cheap, and an engine cannot be copied.
template <class Recurrence>
class RingEngine : public RecurrenceSteps<Recurrence, RingState<typename Recurrence::Integer>> {
 public:
  using Integer = typename Recurrence::Integer;
  using Steps = RecurrenceSteps<Recurrence, RingState<Integer>>;
  using Memory = RingMemory<Recurrence>;

  KOKKOS_FORCEINLINE_FUNCTION RingEngine(const Recurrence& recurrence, Slot<Integer> words)
      : Steps(recurrence, {words, static_cast<int>(words[Memory::oldest_index])}) {
    RIVULET_ASSERT(state_.next != Steps::n, "An open stream was opened again: close it first.");
    this->term_ = Memory::term_of(words);
    // With assertions, stores an invalid index, which a second open() of the stream detects.
    if constexpr (has_assertions) words[Memory::oldest_index] = static_cast<Integer>(Steps::n);
  }
  // clang-format off
  RingEngine(const RingEngine&) requires(deleted_because("engines of twisters and RANMAR cannot be copied: an engine works in the memory of its stream, which two engines would overwrite. Pass the engine by reference: auto& rng")) = delete;
  RingEngine& operator=(const RingEngine&) requires(deleted_because("engines of twisters and RANMAR cannot be assigned: an engine works in the memory of its stream. Open each stream as an engine of its own: auto rng = streams.open(s)")) = delete;
  // clang-format on

  KOKKOS_FORCEINLINE_FUNCTION void close() const {
    Memory::put(state_.x, state_.next, this->term_);
  }

 private:
  using Steps::state_;
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/shared_numbers.hpp"
#include "rivulet/detail/team_lanes.hpp"

namespace rivulet::detail {

/// Cuts a team's scratch memory into arrays, each from a multiple of 8 bytes on.
class ScratchPieces {
 public:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t bytes(int count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 7) / 8 * 8;
  }
  KOKKOS_FORCEINLINE_FUNCTION explicit ScratchPieces(std::byte* from) : next_(from) {}
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T* cut(int count) {
    T* const piece = reinterpret_cast<T*>(next_);
    next_ += bytes<T>(count);
    return piece;
  }

 private:
  std::byte* next_;
};

template <class Team>
KOKKOS_FUNCTION std::byte* shared_scratch(const Team& team, std::size_t bytes) {
  using Space = typename Team::execution_space::scratch_memory_space;
  auto* const memory = Kokkos::View<std::uint64_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                           team.team_scratch(0), bytes / 8)
                           .data();
  RIVULET_ASSERT(
      memory != nullptr,
      "Too little scratch memory: the policy needs shared_scratch_bytes() for each stream.");
  return reinterpret_cast<std::byte*>(memory);
}

/// The words of a stream's recurrence in a team's scratch memory, as far as they are made: a ring,
/// in which one thread of the team at a time makes a segment more. Words are counted from where the
/// stream was opened; the n before are word -n to -1, modulo 2^64.
template <class Recurrence, class Team>
class SharedRing {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  using Memory = RingMemory<Recurrence>;
  using Lanes = TeamLanes<Team>;
  static constexpr int n = Recurrence::n;
  /// Words that are made at a time, by four or two instructions of a warp side by side: enough to
  /// make up for the lock.
  static constexpr int segment = 128;
  /// Words before a number that are in the ring while it may be read, in whole segments.
  static constexpr int behind = (n + segment - 1) / segment * segment;

  /// A power of two that has room for so many numbers, those behind them, and what is being made.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int capacity(int numbers) {
    int power = segment;
    while (power < behind + numbers + segment) power *= 2;
    return power;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t bytes(int capacity) {
    return ScratchPieces::bytes<Control>(1) + ScratchPieces::bytes<Integer>(capacity) +
           (has_term<Recurrence> ? ScratchPieces::bytes<Term>(capacity / segment) : 0);
  }

  KOKKOS_FUNCTION SharedRing(const Recurrence& recurrence, int capacity, ScratchPieces& scratch)
      : recurrence_(recurrence),
        mask_(static_cast<unsigned>(capacity) - 1),
        control_(scratch.cut<Control>(1)),
        x_(scratch.cut<Integer>(capacity)) {
    if constexpr (has_term<Recurrence>) terms_ = scratch.cut<Term>(capacity / segment);
  }

  /// By all threads of the team, which then need a barrier.
  KOKKOS_FUNCTION void open(const Team& team, Slot<Integer> words) const {
    const int place = static_cast<int>(words[Memory::place]);
    RIVULET_ASSERT(place != n, "A stream was opened that is open: close it first.");
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{n}), [&](int k) {
      at(static_cast<std::uint64_t>(k) - n) = words[place + k < n ? place + k : place + k - n];
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *control_ = {};
      if constexpr (has_term<Recurrence>) terms_[0].c = words[Memory::term];
    });
  }
  /// Leaves the stream before word `end`, which is no later than the first that is not made. By all
  /// threads of the team, between barriers.
  KOKKOS_FUNCTION void close(const Team& team, Slot<Integer> words, std::uint64_t end) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{n}),
                         [&](int k) { words[k] = at(end - n + static_cast<std::uint64_t>(k)); });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      words[Memory::place] = 0;
      if constexpr (has_term<Recurrence>) words[Memory::term] = term_before(end).c;
    });
  }

  /// How many words are made, on all lanes alike.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t made(const Lanes& lanes) const {
    const std::uint64_t* const made = &control_->made;
    return lanes.one([made] { return load_acquire(made); });
  }
  /// For one lane.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t made() const { return load_acquire(&control_->made); }

  /// Whether word i is still in the ring with all behind it, also if the segment from `made` on is
  /// being made now.
  KOKKOS_FORCEINLINE_FUNCTION bool is_kept(std::uint64_t i, std::uint64_t made) const {
    return made + segment + n - i <= mask_ + 1u;
  }

  /// Runs f() on all lanes if nobody makes words now, and keeps others from it meanwhile; says
  /// whether it did.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION bool alone(const Lanes& lanes, const F& f) const {
    std::uint32_t* const lock = &control_->lock;
    if (lanes.one([lock] { return try_lock(lock) ? 1 : 0; }) == 0) return false;
    f();
    lanes.once([lock] { store_release(lock, std::uint32_t{0}); });
    return true;
  }

  /// Makes the segment from `made` on. Alone.
  KOKKOS_FUNCTION void make_segment(const Lanes& lanes, std::uint64_t made) const {
    // Who reads a word of this segment where an older one was, finds `made` afterwards.
    team_fence();
    for (int done = 0; done < segment; done += at_a_time) {
      const int left = segment - done;
      make_some(lanes, made + static_cast<std::uint64_t>(done),
                left < at_a_time ? left : at_a_time);
    }
    lanes.once([&] {
      if constexpr (has_term<Recurrence>) {
        relaxed_store(&term_of(made + segment).c, Recurrence::after(term_of(made), segment).c);
      }
      store_release(&control_->made, made + segment);
    });
  }

  /// Number i, which is in the ring.
  KOKKOS_FORCEINLINE_FUNCTION Integer number(std::uint64_t i) const {
    return recurrence_.number(relaxed_load(&at(i)), term_after(i));
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer word(std::uint64_t i) const { return at(i); }
  KOKKOS_FORCEINLINE_FUNCTION const Recurrence& recurrence() const { return recurrence_; }

  /// The term before number i.
  KOKKOS_FORCEINLINE_FUNCTION Term term_before(std::uint64_t i) const {
    if constexpr (has_term<Recurrence>) {
      return Recurrence::after(term_of(i), static_cast<int>(i % segment));
    }
    return {};
  }

 private:
  /// Of words that do not depend on each other, a lane of a device makes as many side by side as
  /// fill a segment; it reads for all before it writes any, as a compiler would not.
  static constexpr int side_by_side = Recurrence::independent >= segment ? segment / shared_block
                                      : Recurrence::independent >= shared_block
                                          ? Recurrence::independent / shared_block
                                          : 1;
  static constexpr int at_a_time = has_lanes<Team> && Recurrence::independent >= shared_block
                                       ? side_by_side * shared_block
                                       : Recurrence::independent;

  struct Control {
    std::uint64_t made;
    std::uint32_t lock;
  };

  KOKKOS_FORCEINLINE_FUNCTION Integer next(std::uint64_t i) const {
    return recurrence_.next([this, i](int j) RIVULET_INLINE_LAMBDA {
      return at(i - n + static_cast<std::uint64_t>(j));
    });
  }
  /// Words first .. first + width - 1, width <= at_a_time.
  KOKKOS_FORCEINLINE_FUNCTION void make_some(const Lanes& lanes, std::uint64_t first,
                                             int width) const {
    if constexpr (has_lanes<Team> && side_by_side > 1) {
      lanes.each(shared_block, [&](int lane) {
        const std::uint64_t i = first + static_cast<std::uint64_t>(lane);
        Integer words[side_by_side];
        for (int u = 0; u < side_by_side; ++u) {
          if (u * shared_block < width)
            words[u] = next(i + static_cast<unsigned>(u * shared_block));
        }
        for (int u = 0; u < side_by_side; ++u) {
          if (u * shared_block >= width) break;
          relaxed_store(&at(i + static_cast<unsigned>(u * shared_block)), words[u]);
        }
      });
    } else {
      lanes.each(width, [&](int t) {
        const std::uint64_t i = first + static_cast<std::uint64_t>(t);
        relaxed_store(&at(i), next(i));
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer& at(std::uint64_t i) const {
    return x_[static_cast<unsigned>(i) & mask_];
  }
  /// That before the first number of i's segment.
  KOKKOS_FORCEINLINE_FUNCTION Term& term_of(std::uint64_t i) const {
    return terms_[(static_cast<unsigned>(i) & mask_) / segment];
  }
  /// That of number i.
  KOKKOS_FORCEINLINE_FUNCTION Term term_after(std::uint64_t i) const {
    if constexpr (has_term<Recurrence>) {
      const Term before{relaxed_load(&term_of(i).c)};
      return Recurrence::after(before, static_cast<int>(i % segment) + 1);
    }
    return {};
  }

  Recurrence recurrence_;
  unsigned mask_;
  Control* control_;
  Integer* x_;
  Term* terms_ = nullptr;
};

}  // namespace rivulet::detail

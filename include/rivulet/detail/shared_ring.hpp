// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/team_lanes.hpp"

namespace rivulet::detail {

/// Number of consecutive numbers that a warp takes together.
inline constexpr int shared_block = 32;

/// The numbers that take() returns: K blocks of 32 numbers, one number of each block per lane. On a
/// device, each lane's object holds only its own K numbers; on a CPU, one object holds all.
// `bits` has the same meaning as in NumberFormat.
template <class Integer_, int bits, int K, bool by_lanes>
class SharedNumbers {
 public:
  using Integer = Integer_;
  using result_type = Integer;
  static_assert(K > 0, "take<K>() gives K > 0 numbers a lane");
  static constexpr int blocks = K;

  /// `first` is the index of the first number.
  KOKKOS_FORCEINLINE_FUNCTION explicit SharedNumbers(std::uint64_t first) : first_(first) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer min() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer max() {
    constexpr int width = 8 * sizeof(Integer);
    return static_cast<Integer>(~Integer{0}) >> (width - (bits < width ? bits : width));
  }

  /// Returns number k of a lane, uniform in 0 .. max(), for 0 <= lane < 32 and 0 <= k < K.
  KOKKOS_FORCEINLINE_FUNCTION Integer operator()(int lane, int k = 0) const {
    return values_[place(lane, k)];
  }
  /// Returns the index of number k of a lane, counted from the position at which the stream was
  /// opened.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index(int lane, int k = 0) const {
    return first_ + static_cast<std::uint64_t>(k * shared_block + lane);
  }

  class Engine {
   public:
    using result_type = Integer;
    static constexpr int format_bits = bits;
    KOKKOS_FORCEINLINE_FUNCTION Engine(const SharedNumbers& numbers, int lane)
        : numbers_(&numbers), lane_(lane) {}
    KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer min() { return SharedNumbers::min(); }
    KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer max() { return SharedNumbers::max(); }
    KOKKOS_FORCEINLINE_FUNCTION Integer operator()() {
      RIVULET_ASSERT(next_ < K, "More than K numbers of take<K>() were drawn: use a larger K.");
      return (*numbers_)(lane_, next_++);
    }

   private:
    const SharedNumbers* numbers_;
    int lane_;
    int next_ = 0;
  };
  /// Returns an engine for distributions, which draws the K numbers of a lane.
  KOKKOS_FORCEINLINE_FUNCTION Engine engine(int lane) const { return Engine(*this, lane); }

  /// Stores number k of a lane; only for take().
  KOKKOS_FORCEINLINE_FUNCTION void put(int lane, int k, Integer value) {
    values_[place(lane, k)] = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_first(std::uint64_t first) { first_ = first; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int place([[maybe_unused]] int lane, int k) {
    if constexpr (by_lanes) {
      return k;
    } else {
      return k * shared_block + lane;
    }
  }

  std::uint64_t first_;
  Integer values_[by_lanes ? K : K * shared_block];
};

/// Divides a team's scratch memory into arrays aligned to 8 bytes.
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

/// A ring with the newest words of a stream's recurrence, in a team's scratch memory. One thread of
/// the team at a time extends the ring by a segment. Words are numbered from the position at which
/// the stream was opened; the n words before that position are -n to -1. The index in the ring
/// depends only on the lower half of a word's number.
template <class Recurrence, class Team>
class SharedRing {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  using Memory = RingMemory<Recurrence>;
  using Lanes = TeamLanes<Team>;
  static constexpr int n = Recurrence::n;
  /// Number of words in a segment: the maximum that one step of any recurrence computes.
  static constexpr unsigned segment = 256;
  /// As long as a number may be read, at least this many words before it stay in the ring. A
  /// multiple of `segment`.
  static constexpr unsigned history = (n + segment - 1) / segment * segment;
  /// The ring has room for three segments being read, the words before them, and the segment being
  /// computed.
  static constexpr unsigned capacity = std::bit_ceil(history + 4 * segment);
  static constexpr unsigned segments = capacity / segment;
  static constexpr std::size_t bytes =
      ScratchPieces::bytes<std::uint64_t>(1) + ScratchPieces::bytes<Integer>(int{capacity}) +
      (has_term<Recurrence> ? ScratchPieces::bytes<Term>(int{segments}) : 0);

  KOKKOS_FUNCTION SharedRing(const Recurrence& recurrence, ScratchPieces& scratch)
      : recurrence_(recurrence),
        computed_(scratch.cut<std::uint64_t>(1)),
        x_(scratch.cut<Integer>(int{capacity})) {
    if constexpr (has_term<Recurrence>) terms_ = scratch.cut<Term>(int{segments});
  }

  /// Loads the stream's words. Collective over the team's threads; a barrier must follow.
  KOKKOS_FUNCTION void open(const Team& team, Slot<Integer> words) const {
    const OldestFirst<Recurrence> oldest_first(words);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{n}),
                         [&](int k) { at(static_cast<unsigned>(k) - n) = oldest_first(k); });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *computed_ = 0;
      if constexpr (has_term<Recurrence>) terms_[0] = Memory::term_of(words);
    });
  }
  /// Stores the stream at the position before word `end`. `end` is at most the number of words
  /// computed. Collective over the team's threads, between barriers.
  KOKKOS_FUNCTION void close(const Team& team, Slot<Integer> words, unsigned end) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{n}),
                         [&](int k) { words[k] = at(end - n + static_cast<unsigned>(k)); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { Memory::put(words, 0, term_before(end)); });
  }

  /// Returns the number of words computed, with acquire semantics: the caller may then read those
  /// words, or compute the next segment.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t computed() const { return load_acquire(computed_); }

  /// Computes the segment that starts at word `computed`. The numbers that depend on the
  /// overwritten words must have been read.
  KOKKOS_FUNCTION void make_segment(const Lanes& lanes, std::uint64_t computed) const {
    const auto first = static_cast<unsigned>(computed);
    for (unsigned done = 0; done < segment; done += at_a_time) compute_step(lanes, first, done);
    lanes.once([&] {
      if constexpr (has_term<Recurrence>) {
        relaxed_store(&term_of(first + segment).c,
                      Recurrence::after(term_of(first), int{segment}).c);
      }
      store_release(computed_, computed + segment);
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer number(unsigned i) const {
    const auto words = [this, i](int j) RIVULET_INLINE_LAMBDA {
      return relaxed_load(&at(i - n + static_cast<unsigned>(j)));
    };
    return recurrence_.number(relaxed_load(&at(i)), words, term_after(i));
  }

 private:
  /// On a device, a lane computes 8, 4, 2 or 1 independent words together. The lane reads the
  /// operands of all these words before it writes any, an order that a compiler would not choose.
  static constexpr bool by_32 = has_lanes<Team> && Recurrence::independent >= shared_block;
  static constexpr int side_by_side =
      std::clamp<int>(std::bit_floor(unsigned{Recurrence::independent / shared_block}), 1, 8);
  static constexpr unsigned at_a_time =
      by_32 ? side_by_side * shared_block : static_cast<unsigned>(Recurrence::independent);

  KOKKOS_FORCEINLINE_FUNCTION Integer next(unsigned i) const {
    return recurrence_.next(
        [this, i](int j) RIVULET_INLINE_LAMBDA { return at(i - n + static_cast<unsigned>(j)); });
  }
  /// Computes word first + offset + lane. The offset and the recurrence's word indices are
  /// constants after inlining.
  KOKKOS_FORCEINLINE_FUNCTION Integer next(unsigned first, int offset, int lane) const {
    return recurrence_.next([=, this](auto j) RIVULET_INLINE_LAMBDA {
      if constexpr (std::is_same_v<decltype(j), int>) {
        return at(first - n + static_cast<unsigned>(offset + lane + j));
      } else {
        return near(first, offset + j - n, lane);
      }
    });
  }
  /// Returns word first + offset + lane, offset >= -history. If the lanes' words lie within a
  /// segment, the word is at a constant offset from the segment's first word.
  KOKKOS_FORCEINLINE_FUNCTION Integer& near(unsigned first, int offset, int lane) const {
    constexpr int size = segment;
    const int begin = (offset + int{history}) / size * size - int{history};
    if (offset + shared_block > begin + size)
      return at(first + static_cast<unsigned>(offset + lane));
    return (&at(first + static_cast<unsigned>(begin)) + (offset - begin))[lane];
  }
  /// Computes words first + done .. first + done + at_a_time - 1, but not beyond the segment's end.
  KOKKOS_FORCEINLINE_FUNCTION void compute_step(const Lanes& lanes, unsigned first,
                                                unsigned done) const {
    if constexpr (by_32) {
      lanes.each_of_32([&](int lane) {
        const int from = static_cast<int>(done);
        Integer words[side_by_side];
        for (int u = 0; u < side_by_side; ++u) {
          words[u] = next(first, from + u * shared_block, lane);
        }
        for (int u = 0; u < side_by_side; ++u) {
          relaxed_store(&near(first, from + u * shared_block, lane), words[u]);
        }
      });
      lanes.sync();
    } else {
      const unsigned remaining = segment - done;
      lanes.each(static_cast<int>(remaining < at_a_time ? remaining : at_a_time), [&](int t) {
        const unsigned i = first + done + static_cast<unsigned>(t);
        relaxed_store(&at(i), next(i));
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer& at(unsigned i) const { return x_[i % capacity]; }
  /// Returns the term before the first number of the segment of word i.
  KOKKOS_FORCEINLINE_FUNCTION Term& term_of(unsigned i) const {
    return terms_[i % capacity / segment];
  }
  KOKKOS_FORCEINLINE_FUNCTION Term term_before(unsigned i) const {
    if constexpr (has_term<Recurrence>) {
      return Recurrence::after(term_of(i), static_cast<int>(i % segment));
    }
    return {};
  }
  KOKKOS_FORCEINLINE_FUNCTION Term term_after(unsigned i) const {
    if constexpr (has_term<Recurrence>) {
      const Term before{relaxed_load(&term_of(i).c)};
      return Recurrence::after(before, static_cast<int>(i % segment) + 1);
    }
    return {};
  }

  Recurrence recurrence_;
  std::uint64_t* computed_;
  Integer* x_;
  Term* terms_ = nullptr;
};

}  // namespace rivulet::detail

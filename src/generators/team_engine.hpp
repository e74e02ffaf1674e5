// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "launching/stream_lanes.hpp"
#include "rivulet/detail/recurrence_engine.hpp"
#include "rivulet/detail/team_ring.hpp"
#include "rng/word.hpp"

// Engines of the team mapping over a recurrence: one stream, whose words are in scratch memory. A
// recurrence of few words draws whole rounds of n numbers, others any multiple of 32.

namespace rivulet::detail {

/// What of a recurrence is in a team's scratch memory: nothing, unless specialised. A stream's
/// words are there in a column of `columns`: that many places apart.
template <class Recurrence, int columns = 1>
struct ScratchRecurrence {
  using type = Recurrence;
  static constexpr std::size_t bytes = 0;
  /// All lanes call, and then meet before they draw.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION static type load(const Lanes&, const Recurrence& recurrence, void*) {
    return recurrence;
  }
};

/// The recurrence as loops over vectors take it.
template <class Recurrence>
KOKKOS_FORCEINLINE_FUNCTION auto over_words(const Recurrence& recurrence) {
  if constexpr (requires { recurrence.over_words(); }) {
    return recurrence.over_words();
  } else {
    return recurrence;
  }
}

/// What loops over a line take the n words before a new vector from: the line, from x on.
template <class W, int n>
class PrecedingWords {
 public:
  /// Words that are loaded before the n.
  static constexpr int more = 0;

  KOKKOS_FORCEINLINE_FUNCTION explicit PrecedingWords(const std::uint32_t*) {}
  /// Goes on to the vector after this one.
  KOKKOS_FORCEINLINE_FUNCTION void add(const W&) {}
  KOKKOS_FORCEINLINE_FUNCTION W word(int j, const std::uint32_t* x) const {
    return WordTraits<W>::load(x + j);
  }
};

#if RIVULET_HAVE_SHUFFLES
/// Of few words registers: a core cannot load a vector from parts of two that wait to be stored.
template <class W, int n>
requires(lanes<W> > 1 && n <= 5 * lanes<W>)  // more and their moves cost as much as the wait
    class PrecedingWords<W, n> {
 public:
  static constexpr int width = lanes<W>;
  static constexpr int vectors = (n + width - 1) / width;
  static constexpr int more = vectors * width - n;

  KOKKOS_FORCEINLINE_FUNCTION explicit PrecedingWords(const std::uint32_t* end) {
    for (int v = 0; v < vectors; ++v) ago_[v] = load(end - (v + 1) * width);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const W& word) {
    for (int v = vectors - 1; v > 0; --v) ago_[v] = ago_[v - 1];
    ago_[0] = word.part[0];
  }
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION W word(Place, const std::uint32_t*) const {
    constexpr int ago = n - Place::value;
    constexpr int first = (ago + width - 1) / width - 1;
    constexpr int skipped = (first + 1) * width - ago;
    if constexpr (skipped == 0) {
      return W(ago_[first]);
    } else {
      return joined<skipped>(ago_[first], ago_[first - 1],
                             std::make_integer_sequence<int, width>());
    }
  }

 private:
  using Vector = typename W::Part;

  static Vector load(const std::uint32_t* from) { return WordTraits<W>::load(from).part[0]; }
  template <int skipped, int... i>
  KOKKOS_FORCEINLINE_FUNCTION static W joined(const Vector& a, const Vector& b,
                                              std::integer_sequence<int, i...>) {
    return W(__builtin_shufflevector(a, b, (skipped + i)...));
  }

  Vector ago_[vectors];  ///< v + 1 vectors ago
};
#endif

/// On a CPU: words are in a line of memory, so that all loops are over vectors. When the line is
/// full, the state goes back to its beginning.
template <class Recurrence>
class TeamLine {
 public:
  using W = WordUpTo<Recurrence::independent>;
  using Traits = WordTraits<W>;
  using InScratch = ScratchRecurrence<Recurrence>;
  static constexpr int n = Recurrence::n;
  static constexpr int width = lanes<W>;
  static constexpr int round = RecurrenceEngine<Recurrence>::round_words;
  static constexpr bool few_words = RecurrenceEngine<Recurrence>::in_registers;
  /// Most numbers that a draw draws: of few words whole vectors, so that none is made twice.
  static constexpr int team_numbers = few_words ? 16 * n : Recurrence::independent / 32 * 32;
  static_assert(width <= Recurrence::independent && team_numbers % width == 0);
  using Preceding = PrecedingWords<W, n>;
  /// The line ends anywhere in a vector if draws do.
  static constexpr int spare = round % width != 0 ? width : 0;
  static constexpr int line_words = n + (few_words ? 4 : 8) * team_numbers + spare;
  /// New words are aligned to a cache line, of this number of words.
  static constexpr int cache_line = 16;
  static constexpr std::size_t scratch_bytes =
      InScratch::bytes + ((Preceding::more + line_words + cache_line - 1) / cache_line + 1) *
                             cache_line * sizeof(std::uint32_t);

  /// Loads the state. Lanes: each(count, f) calls f(0) .. f(count - 1).
  template <class Lanes, class Streams>
  TeamLine(const Lanes& all, const Streams& streams, std::uint64_t stream, void* scratch)
      : recurrence_(InScratch::load(all, streams.recurrence(stream), scratch)),
        line_(first_word(static_cast<std::byte*>(scratch) + InScratch::bytes)) {
    all.each(n, [&](int k) { line_[k] = streams.word(k, stream); });
  }

  /// The next numbers, a multiple of round up to team_numbers, to to[0 ..].
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& all, std::uint32_t* to,
                                        int numbers = team_numbers) {
    if (oldest_ + n + numbers + spare > line_words) move_back();
    std::uint32_t* const line = line_ + oldest_;
    const auto recurrence = over_words(recurrence_);
    Preceding preceding(line + n);
    const auto vector = [line, &recurrence, &preceding](int i) RIVULET_INLINE_LAMBDA {
      std::uint32_t* const x = line + i * width;
      const auto words = [x, &preceding](auto j)
                             RIVULET_INLINE_LAMBDA { return preceding.word(j, x); };
      const W word = recurrence.next(words);
      Traits::store(word, x + n);
      const W number = recurrence.number(word, words, {});
      preceding.add(word);
      return number;
    };
    const int whole = numbers / width;
    all.each(whole,
             [&, to](int i) RIVULET_INLINE_LAMBDA { Traits::store(vector(i), to + i * width); });
    if constexpr (round % width != 0) {
      // The last vector's words beyond the numbers are made again by the next draw.
      if (numbers % width != 0) {
        std::uint32_t last[static_cast<std::size_t>(width)];
        Traits::store(vector(whole), last);
        for (int k = whole * width; k < numbers; ++k) to[k] = last[k - whole * width];
      }
    }
    oldest_ += numbers;
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  void store(const Lanes& all, const Streams& streams, std::uint64_t stream) const {
    all.each(n, [&](int k) { streams.put_word(k, stream, line_[oldest_ + k]); });
  }

 private:
  static std::uint32_t* first_word(void* memory) {
    auto* const words = static_cast<std::uint32_t*>(memory) + Preceding::more;
    const auto number = reinterpret_cast<std::uintptr_t>(words + n) / sizeof(std::uint32_t);
    return words + (cache_line - number % cache_line) % cache_line;
  }
  void move_back() {
    for (int k = 0; k < n; k += width) Traits::store(Traits::load(line_ + oldest_ + k), line_ + k);
    oldest_ = 0;
  }

  typename InScratch::type recurrence_;
  std::uint32_t* line_;
  int oldest_ = 0;
};

/// A ring in which the lanes of a warp draw faster (ring_warp.hpp), if there is one of this size.
template <class Recurrence>
struct LaneRing {};
template <class Recurrence, class Lanes>
concept HasLaneRing = requires(const Lanes& lanes) {
  typename LaneRing<Recurrence>::type;
  lanes.lane();
  lanes.meet();
};

/// On a device: the lanes of a warp, or of all threads of a team, draw from a ring.
template <class Recurrence>
class TeamOfLanes {
 public:
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  using InScratch = ScratchRecurrence<Recurrence>;
  static constexpr int n = Recurrence::n;
  static constexpr bool few_words = RecurrenceEngine<Recurrence>::in_registers;
  /// Numbers that are made at once: whole warps'.
  static constexpr int most = Recurrence::independent / team_lanes * team_lanes;
  /// Most numbers of a draw: enough rounds that the cost of the incomplete last step is negligible.
  static constexpr int team_numbers = few_words ? 4 * n : most;
  static constexpr int ring_words =
      few_words ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(n + most))) : 4 * most;
  static constexpr std::size_t scratch_bytes = InScratch::bytes + ring_words * sizeof(Integer);

  template <class Lanes, class Streams>
  KOKKOS_FUNCTION TeamOfLanes(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                              void* scratch)
      : ring_(lanes, InScratch::load(lanes, streams.recurrence(stream), scratch),
              reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + InScratch::bytes),
              term(streams, stream), [&](int k) { return streams.word(k, stream); }) {
    if constexpr (HasLaneRing<Recurrence, Lanes>) lane_ = lanes.lane();
  }

  /// The next numbers, whole rounds of them up to team_numbers, to to[0 ..], which all lanes see.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, Integer* to,
                                        int numbers = team_numbers) {
    if constexpr (HasLaneRing<Recurrence, Lanes>) {
      if (numbers == most && ring_.oldest() % most == 0) return draw_whole(lanes, to);
    }
    for (int done = 0; done < numbers; done += most) {
      Integer* const now = to + done;
      ring_.draw(lanes, numbers - done < most ? numbers - done : most,
                 [=](int t, Integer number) { now[t] = number; });
    }
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, const Streams& streams,
                             std::uint64_t stream) const {
    ring_.store(lanes, [&](int k, Integer word) { streams.put_word(k, stream, word); });
    if constexpr (has_term<Recurrence>) {
      lanes.once([&] { streams.word(n, stream) = ring_.term().c; });
    }
  }

 private:
  template <class Streams>
  KOKKOS_FORCEINLINE_FUNCTION static Term term(const Streams& streams, std::uint64_t stream) {
    if constexpr (has_term<Recurrence>) return {streams.word(n, stream)};
    return {};
  }
  /// As many numbers as a lane's ring draws.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw_whole(const Lanes& lanes, Integer* to) {
    using Ring = typename LaneRing<Recurrence>::type;
    Integer own[most / team_lanes];
    Ring(lane_, ring_.oldest()).draw(lanes, ring_.recurrence(), ring_.memory(), own);
    for (int i = 0; i < most / team_lanes; ++i) to[i * team_lanes + lane_] = own[i];
    lanes.meet();
    ring_.go_on(most);
  }

  TeamRing<typename InScratch::type, most, ring_words> ring_;
  int lane_ = 0;
};

/// The same for recurrences of few words that no whole warp makes at once: a draw is a round. The
/// state and the round's words are halves of the memory, in turn, so that a lane's words are at
/// constant distances: in a ring, places cost as much as the words.
template <class Recurrence>
class TeamHalves {
 public:
  using Integer = typename Recurrence::Integer;
  static constexpr int n = Recurrence::n;
  static constexpr int first = Recurrence::independent;
  static constexpr int team_numbers = n;
  static constexpr std::size_t scratch_bytes = 2 * n * sizeof(Integer);
  static_assert(first < n && n <= 2 * first);

  template <class Lanes, class Streams>
  KOKKOS_FUNCTION TeamHalves(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                             void* scratch)
      : recurrence_(streams.recurrence(stream)), memory_(static_cast<Integer*>(scratch)) {
    lanes.each(n, [=, x = memory_](int k) { x[k] = streams.word(k, stream); });
  }

  /// The next n numbers, to to[0 ..], which all lanes see.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, Integer* to, int = n) {
    const Integer* const x = memory_ + now_;
    Integer* const y = memory_ + (n - now_);
    const Recurrence recurrence = recurrence_;
    const auto make = [=](int k, const auto& word_of) {
      const Integer word = recurrence.next(word_of);
      y[k] = word;
      to[k] = recurrence.number(word, word_of, {});
    };
    lanes.each(first, [=](int k) { make(k, [=](int j) { return x[k + j]; }); });
    lanes.each(n - first, [=](int t) {
      const int k = first + t;
      make(k, [=](auto j) {
        constexpr int distance = decltype(j)::value;
        if constexpr (distance == 0) return x[k];
        if constexpr (distance >= n - first) return y[k + distance - n];
        return k + distance < n ? x[k + distance] : y[k + distance - n];
      });
    });
    now_ = n - now_;  // CUDA 13.0 writes through the wrong one of two pointers that are swapped
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, const Streams& streams,
                             std::uint64_t stream) const {
    lanes.each(n, [=, x = memory_ + now_](int k) { streams.put_word(k, stream, x[k]); });
  }

 private:
  Recurrence recurrence_;
  Integer* memory_;
  int now_ = 0;  ///< where the state begins
};

template <class Recurrence>
using TeamOnDevice = std::conditional_t<(Recurrence::independent < team_lanes),
                                        TeamHalves<Recurrence>, TeamOfLanes<Recurrence>>;
template <class Recurrence>
using TeamEngine = std::conditional_t<device_build, TeamOnDevice<Recurrence>, TeamLine<Recurrence>>;

}  // namespace rivulet::detail

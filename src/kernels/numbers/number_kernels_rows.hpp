// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/generators/team_engine.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_kernels_device.hpp"

namespace rivulet::detail {

/// Where streams lie side by side and a stream's numbers apart, and words are too many for the
/// registers of a device's thread: a team has the words of some streams in scratch memory, row k
/// word k of each. A thread makes a run of consecutive words of one stream, and threads side by
/// side the same of theirs: rows of memory. New words take the places of the oldest.
template <class Streams, class Format>
struct DrawTeamRows {
  static constexpr bool fits = false;
};
#if RIVULET_LANES_SHUFFLE
template <class Streams, class Format>
requires(Streams::WarpEngine::in_scratch) struct DrawTeamRows<Streams, Format> {
  using Out = NumberOf<Format>;
  using Recurrence = decltype(std::declval<const Streams&>().recurrence(0));
  static constexpr bool fits = true;
  /// Streams of a team: rows of 64 bytes and more. (Measured on an H200: 8 and 32 streams are
  /// slower, so are 256 threads, and rows that other threads continue word by word.)
  static constexpr int columns = 16;
  static constexpr int threads = 512;
  using InScratch = ScratchRecurrence<Recurrence, columns>;
  /// Tables' entries are looked up with more registers.
  using Bounds = Kokkos::LaunchBounds<threads, InScratch::bytes == 0 ? 3 : 2>;
  /// Threads of a stream.
  static constexpr int lines = threads / columns;
  static constexpr int n = Recurrence::n;
  static constexpr int raw = Format::raw;
  static constexpr int period = FormatPeriod<Streams, Format>::numbers;
  /// Numbers of a thread, and of a stream, in a step, whose words do not depend on each other.
  static constexpr int own = Recurrence::independent / (lines * raw);
  static constexpr int step = own * lines;
  /// Words of a thread; places of a stream's ring, in which runs begin at multiples of theirs.
  static constexpr int run = own * raw;
  static constexpr int ring = (n + run - 1) / run * run;
  static constexpr std::size_t scratch_bytes() {
    constexpr std::size_t bytes = columns * (InScratch::bytes + ring * sizeof(std::uint32_t));
    static_assert(bytes <= (48 << 10) - 4096, "Kokkos gives a team 48 KiB less its own");
    return bytes;
  }

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  Format format;
  Out* to;

  /// All of a team's threads draw streams first .. first + columns - 1.
  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const int column = team.team_rank() % columns;
    const Threads all{team.team_rank() / columns};
    const std::uint64_t index = first + static_cast<std::uint64_t>(column);
    const std::uint64_t stream = what.piece.first + index;
    const Span span(*this, first, index, all.line);
    auto* const memory = reinterpret_cast<std::uint32_t*>(scratch) + column;
    const Words x{memory + columns * (InScratch::bytes / sizeof(std::uint32_t))};
    const auto recurrence =
        InScratch::load(all, streams.recurrence(span.live ? stream : what.piece.first), memory);
    if (span.live) all.each(n, [&](int k) { x[k] = streams.word(k, stream); });
    team.team_barrier();
    // No other of these streams has more numbers than the first.
    const PieceCut cut(what, first, period);
    std::uint64_t shortest = span.end;
    team.team_reduce(Kokkos::Min<std::uint64_t>(shortest));
    for (std::uint64_t done = 0; done < cut.left;) {
      std::uint64_t stop = span.resting > done ? span.resting : cut.left;
      team.team_reduce(Kokkos::Min<std::uint64_t>(stop));
      int oldest = 0;
      for (int now = step; done < stop; done += static_cast<std::uint64_t>(now)) {
        if (stop - done < step) now = static_cast<int>(stop - done);
        const Drawn part{done, now};
        if (done >= cut.skip && now == step && done + step <= shortest) {
          draw<true>(team, recurrence, x, oldest, all.line, span, part);
        } else {
          draw<false>(team, recurrence, x, oldest, all.line, span, part);
        }
        oldest = inside(oldest + now * raw);
      }
      move_to_begin(team, x, oldest, all.line);
      if (span.resting != done) continue;
      all.each(n, [&](int k) { streams.put_word(k, stream, x[k]); });
    }
  }

 private:
  /// Those of a column.
  struct Threads {
    int line;
    template <class F>
    KOKKOS_FORCEINLINE_FUNCTION void each(int count, const F& f) const {
      for (int i = line; i < count; i += lines) f(i);
    }
  };
  /// Of a column's ring.
  struct Words {
    std::uint32_t* first;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& operator[](int place) const {
      return first[place * columns];
    }
  };

  /// Of a column's numbers, which are counted from where its stream rests: begin .. end-1 are
  /// wanted; it comes to rest again at `resting`, or stays where it was if that is 0.
  struct Span {
    bool live;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t resting = 0;
    std::uint64_t stride;
    Out* out;  ///< where the thread's first number would go, if it were wanted

    KOKKOS_FUNCTION Span(const DrawTeamRows& all, std::uint64_t first, std::uint64_t index,
                         int line)
        : live(index < all.what.piece.streams), stride(all.layout.numbers.number_stride) {
      const PieceCut cut(all.what, live ? index : first, period);
      live = live && cut.left > 0;
      begin = cut.skip;
      end = live ? cut.left : 0;
      resting = end / period * period;
      out = all.to + all.layout.place(live ? index : first) +
            (line * own - static_cast<std::int64_t>(begin)) * static_cast<std::int64_t>(stride);
    }
  };

  /// What a word is made of: words 0 and 1, and two at the middle one, the latter that itself.
  struct Window {
    std::uint32_t a[2];
    std::uint32_t b[2];
    int middle;

    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Place<0>) const { return a[0]; }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Place<1>) const { return a[1]; }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int j) const {
      return j == middle ? b[1] : b[0];
    }
  };
  template <class InTeam>
  KOKKOS_FORCEINLINE_FUNCTION static int middle_of(const InTeam& recurrence) {
    if constexpr (requires { recurrence.tables; }) {
      return recurrence.tables.set().pos;
    } else {
      return InTeam::shape.m;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static int inside(int place) {
    return place < ring ? place : place - ring;
  }

  /// The next `now` numbers of each stream, up to step, of which `done` were drawn before.
  struct Drawn {
    std::uint64_t done;
    int now;
  };

  /// Draws them: all of a step, which all are wanted, or others.
  template <bool all_wanted, class InTeam>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const StreamTeam& team, const InTeam& recurrence,
                                        const Words& x, int oldest, int line, const Span& span,
                                        const Drawn& drawn) const {
    const int first = inside(oldest + line * run);
    const int middle = middle_of(recurrence);
    const int in_run = (middle - 1) % run;
    const int low = inside(first + (middle - 1 - in_run)) + in_run;
    const int high = inside(low - in_run + run) - run + in_run;
    Window window{{0, x[first]}, {0, x[low]}, middle};
    const std::uint64_t from = drawn.done + static_cast<std::uint64_t>(line * own);
    const std::uint64_t last = drawn.done + static_cast<std::uint64_t>(drawn.now);
    const std::uint64_t end = span.end < last ? span.end : last;
    const auto wanted = [&](std::uint64_t number) { return number >= span.begin && number < end; };
    Out* out = span.out + drawn.done * span.stride;
    std::uint32_t words[run];
    for (int i = 0; i < own; ++i) {
      std::uint32_t raws[raw];
      for (int r = 0; r < raw; ++r) {
        const int k = i * raw + r;
        window.a[0] = window.a[1];
        window.a[1] = x[k + 1 < run ? first + k + 1 : inside(first + run)];
        window.b[0] = window.b[1];
        window.b[1] = x[(in_run + k + 1 < run ? low : high) + k + 1];
        words[k] = recurrence.next(window);
        raws[r] = recurrence.number(words[k], window, {});
      }
      if (all_wanted || wanted(from + static_cast<std::uint64_t>(i))) *out = format.make(raws, 1);
      out += span.stride;
    }
    team.team_barrier();
    constexpr int behind = ring - n;  // words that go to the end of the run before
    const int before = (first >= run ? first : first + ring) - behind;
    const int made = (drawn.now - line * own) * raw;
    for (int i = 0; i < run; ++i) {
      if (all_wanted || i < made) x[i < behind ? before + i : first - behind + i] = words[i];
    }
    team.team_barrier();
  }

  /// Where less than a step was drawn runs begin elsewhere: words 0 .. n-1 come back to their
  /// places.
  KOKKOS_FUNCTION static void move_to_begin(const StreamTeam& team, const Words& x, int oldest,
                                            int line) {
    constexpr int most = (n + lines - 1) / lines;
    std::uint32_t words[most];
    for (int i = 0; i < most; ++i) {
      const int k = i * lines + line;
      words[i] = k < n ? x[inside(oldest + k)] : 0;
    }
    team.team_barrier();
    for (int i = 0; i < most; ++i) {
      const int k = i * lines + line;
      if (k < n) x[k] = words[i];
    }
    team.team_barrier();
  }
};
#endif

}  // namespace rivulet::detail

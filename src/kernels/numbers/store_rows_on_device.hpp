// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "draw/stream_source_of.hpp"
#include "generators/team_engine.hpp"
#include "kernels/numbers/store_format.hpp"
#include "kernels/numbers/store_numbers.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {

/// True if StoreRowsByTeam can store a generator's numbers.
template <class Streams, class C>
inline constexpr bool rows_fit = false;
#if RIVULET_LANES_SHUFFLE
template <class Streams, class C>
requires(Streams::WarpEngine::in_scratch) inline constexpr bool rows_fit<Streams, C> = true;

/// Stores numbers of interleaved streams whose states do not fit in the registers of a device
/// thread. A team keeps the states of some streams in scratch memory, with word k of each stream in
/// row k. A thread computes a run of consecutive words of one stream, and adjacent threads compute
/// the same run of adjacent streams. The numbers of adjacent threads form rows of memory. New words
/// overwrite the oldest words.
template <class Streams, class C>
struct StoreRowsByTeam {
  using Recurrence = decltype(std::declval<const Streams&>().recurrence(0));
  using Out = typename C::Out;
  /// Streams per team. The team writes rows of 64 bytes or more. On an H200, each of these variants
  /// is slower: teams of 8 or 32 streams, teams of 256 threads, and rows that other threads
  /// continue word by word.
  static constexpr int columns = 16;
  static constexpr int threads = 512;
  /// Teams per multiprocessor.
  static constexpr int teams = 2;
  using Bounds = Kokkos::LaunchBounds<threads, teams>;
  /// The recurrence with its look-up tables in scratch memory. Each lane of a warp has a separate
  /// copy of the entries, in a separate column, so look-ups of a warp have no bank conflicts.
  using InScratch = detail::ScratchRecurrence<Recurrence, team_lanes>;
  static constexpr std::size_t table_bytes = team_lanes * InScratch::bytes;
  /// Threads per stream.
  static constexpr int lines = threads / columns;
  static constexpr int n = Recurrence::n;
  static constexpr int raw = C::shape.numbers;
  static constexpr auto period =
      static_cast<int>(ItemPeriod::of(C::shape, Streams::round_numbers, 1).items);
  /// A step draws `thread_numbers` numbers per thread, thus `step` numbers per stream. The words of
  /// a step do not depend on each other. A warp computes two runs of each stream. If `raw` is 1,
  /// `thread_numbers` is odd, so the two runs are in different banks.
  static constexpr int max_thread_numbers = Recurrence::independent / (lines * raw);
  static constexpr int thread_numbers =
      raw == 1 ? (max_thread_numbers - 1) | 1 : max_thread_numbers;
  static constexpr int step = thread_numbers * lines;
  /// `run`: words per thread and step. `ring`: words in a stream's ring buffer. Runs begin at
  /// multiples of `run` in the ring. A copy of the first run follows the end of the ring, so reads
  /// do not wrap around.
  static constexpr int run = thread_numbers * raw;
  static constexpr int ring = ceil_divide(n, run) * run;
  static constexpr std::size_t scratch_bytes() {
    constexpr std::size_t bytes = table_bytes + columns * (ring + run) * sizeof(std::uint32_t);
    static_assert(bytes <= (48 << 10) - 8 * (threads + 2), "Kokkos gives 48 KiB less its own");
    return bytes;
  }
  /// Returns the stream count, rounded up to give every multiprocessor the same number of streams.
  /// Multiprocessors with fewer streams would finish early, and rows that reach memory long before
  /// their neighbours cost bandwidth. Counts that need at most one team per multiprocessor are not
  /// rounded. (Measured on an H200: mt19937 draws 7.5e11 words/s with 4096 streams, and 8.1e11 with
  /// 4224.)
  static std::uint64_t balanced_streams(const Space& space, std::uint64_t streams) {
    const std::uint64_t share = at_once(space) / teams;
    if (streams <= share) return streams;
    return ceil_divide(streams, share) * share;
  }
  /// Returns the number of streams that a device draws concurrently. With more streams, rows are
  /// farther apart, which costs bandwidth (6.3e11 words/s with 67584 streams).
  static std::uint64_t at_once(const Space& space) {
    constexpr int threads_of_a_multiprocessor = 2048;
    const int multiprocessors = std::max(space.concurrency() / threads_of_a_multiprocessor, 1);
    return static_cast<std::uint64_t>(multiprocessors * teams * columns);
  }

  Streams streams;
  Work work;
  C consumer;

  /// Draws streams first .. first + columns - 1 with one team. Surplus streams from
  /// balanced_streams() write nothing.
  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const bool is_surplus = first >= work.size;
    if (is_surplus) first = 0;
    const int column = team.team_rank() % columns;
    const int line = team.team_rank() / columns;
    const Threads all{line, lines};
    const std::uint64_t index = first + static_cast<std::uint64_t>(column);
    const std::uint64_t stream = work.first + index;
    const Span span(*this, first, index, line, !is_surplus);
    const Words x{reinterpret_cast<std::uint32_t*>(scratch + table_bytes) + column};
    constexpr int copies = team_lanes / columns;
    const auto recurrence = InScratch::load(
        Threads{line / copies, lines / copies}, streams.recurrence(span.live ? stream : work.first),
        reinterpret_cast<std::uint32_t*>(scratch) + team.team_rank() % team_lanes);
    if (span.live) all.each(n, [&](int k) { x.put(k, streams.word(k, stream)); });
    team.team_barrier();
    // The team's first stream has the most numbers.
    const std::uint64_t skip = work.start(first) % period;
    const std::uint64_t most = work.count(first);
    const std::uint64_t end_of_all = most > 0 ? skip + most : 0;
    std::uint64_t shortest = span.live ? span.end : end_of_all;
    team.team_reduce(Kokkos::Min<std::uint64_t>(shortest));
    for (std::uint64_t done = 0; done < end_of_all;) {
      std::uint64_t stop = span.store_at > done ? span.store_at : end_of_all;
      team.team_reduce(Kokkos::Min<std::uint64_t>(stop));
      const std::uint64_t common = shortest < stop ? shortest : stop;
      int oldest = 0;
      while (done < stop) {
        Out* out = span.out + done * span.stride;
        const bool has_begun = done >= skip;
        for (; has_begun && done + step <= common; done += step) {
          draw<true>(team, recurrence, x, wrapped(oldest + line * run), {span.live, {}}, out,
                     span.stride);
          out += step * span.stride;
          oldest = wrapped(oldest + step * raw);
        }
        if (done == stop) break;
        const int now = stop - done < step ? static_cast<int>(stop - done) : step;
        draw<false>(team, recurrence, x, wrapped(oldest + line * run), span.part(done, now, line),
                    out, span.stride);
        done += static_cast<std::uint64_t>(now);
        oldest = wrapped(oldest + now * raw);
      }
      move_to_begin(team, x, oldest, line);
      if (span.store_at != done) continue;
      all.each(n, [&](int k) { streams.put_word(k, stream, x[k]); });
    }
  }

 private:
  /// One thread's part of a loop that `stride` threads share. The thread processes index
  /// `first` and every `stride`-th index after it.
  struct Threads {
    int first;
    int stride;
    template <class F>
    KOKKOS_FORCEINLINE_FUNCTION void each(int count, const F& f) const {
      for (int i = first; i < count; i += stride) f(i);
    }
  };
  /// The words in a column's ring buffer.
  struct Words {
    std::uint32_t* first;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& operator[](int place) const {
      return first[place * columns];
    }
    KOKKOS_FORCEINLINE_FUNCTION void put(int place, std::uint32_t word) const {
      (*this)[place] = word;
      if (place < run) (*this)[ring + place] = word;
    }
  };

  /// A thread's part of a step.
  struct Part {
    bool live;  ///< true if the thread's stream has numbers
    /// Limits of a partial step. The thread stores its numbers `begin` .. `end` - 1. `words` is the
    /// number of words from the thread's first word to the end of the step. `words` can exceed
    /// `run`, and is negative if the thread's run begins after the end of the step.
    struct Limits {
      int begin;
      int end;
      int words;
    } limits;
  };

  /// The numbers `begin` .. `end` - 1 that a column draws, counted from the position of the
  /// column's stored state. When the column reaches number `store_at`, the state is stored. If
  /// `store_at` is 0, the stored state does not change.
  struct Span {
    bool live;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t store_at = 0;
    std::uint64_t stride;
    Out* out;  ///< destination of the thread's first number, which may precede `begin`

    KOKKOS_FUNCTION Span(const StoreRowsByTeam& all, std::uint64_t first, std::uint64_t index,
                         int line, bool is_drawn)
        : live(is_drawn && index < all.work.size), stride(all.consumer.number_stride()) {
      const std::uint64_t own_index = live ? index : first;
      const std::uint64_t count = all.work.count(own_index);
      live = live && count > 0;
      begin = all.work.start(own_index) % period;
      end = live ? begin + count : 0;
      store_at = end / period * period;
      out = all.consumer.begin(own_index) +
            (line * thread_numbers - static_cast<std::int64_t>(begin)) *
                static_cast<std::int64_t>(stride);
    }

    /// Returns the thread's part of a step that follows `done` numbers. The step draws `now`
    /// numbers per stream, at most `step`.
    KOKKOS_FUNCTION Part part(std::uint64_t done, int now, int line) const {
      const std::uint64_t from = done + static_cast<std::uint64_t>(line * thread_numbers);
      const std::uint64_t last = done + static_cast<std::uint64_t>(now);
      const auto own_before = [from](std::uint64_t number) {
        const std::uint64_t numbers_after = number > from ? number - from : 0;
        return numbers_after < thread_numbers ? static_cast<int>(numbers_after) : thread_numbers;
      };
      return {live,
              {own_before(begin), own_before(end < last ? end : last),
               (now - line * thread_numbers) * raw}};
    }
  };

  /// The inputs of a new word: words 0 and 1 in `a`, words middle - 1 and middle in `b`.
  struct Window {
    std::uint32_t a[2];
    std::uint32_t b[2];
    int middle;

    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(detail::Place<0>) const { return a[0]; }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(detail::Place<1>) const { return a[1]; }
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

  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int place) {
    return place < ring ? place : place - ring;
  }

  /// Draws a thread's part of a step. `whole`: false for a partial step. `first`: index of the
  /// thread's oldest word. `out`: destination of the thread's first number.
  template <bool whole, class InTeam>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const StreamTeam& team, const InTeam& recurrence,
                                        const Words& x, int first, const Part& part, Out* out,
                                        std::uint64_t stride) const {
    const int middle = middle_of(recurrence);
    const int low = wrapped(first + middle - 1);
    Window window{{0, x[first]}, {0, x[low]}, middle};
    std::uint32_t words[run];
    for (int i = 0; i < thread_numbers; ++i) {
      std::uint32_t raws[raw];
      for (int r = 0; r < raw; ++r) {
        const int k = i * raw + r;
        window.a[0] = window.a[1];
        window.a[1] = x[first + k + 1];
        window.b[0] = window.b[1];
        window.b[1] = x[low + k + 1];
        words[k] = recurrence.next(window);
        raws[r] = recurrence.number(words[k], window, {});
      }
      if (whole ? part.live : i >= part.limits.begin && i < part.limits.end) {
        *out = consumer.make(raws);
      }
      out += stride;
    }
    team.team_barrier();
    constexpr int shift = ring - n;  // number of new words that go to the end of the previous run
    const int before = (first >= run ? first : first + ring) - shift;
    for (int i = 0; i < run; ++i) {
      if (!whole && i >= part.limits.words) break;
      x[i < shift ? before + i : first - shift + i] = words[i];
    }
    if (first <= run) {
      for (int i = 0; i < run; ++i) {
        const bool is_in_first_run = (i < shift) == (first == run);
        if (!is_in_first_run || (!whole && i >= part.limits.words)) continue;
        x[ring + first - shift + i] = words[i];
      }
    }
    team.team_barrier();
  }

  /// Moves the oldest word to index 0, and the next n - 1 words to the following indices. A partial
  /// step may end inside a run, but the next run must begin at a multiple of `run`.
  KOKKOS_FUNCTION static void move_to_begin(const StreamTeam& team, const Words& x, int oldest,
                                            int line) {
    constexpr int max_words = ceil_divide(n, lines);
    std::uint32_t words[max_words];
    for (int i = 0; i < max_words; ++i) {
      const int k = i * lines + line;
      words[i] = k < n ? x[wrapped(oldest + k)] : 0;
    }
    team.team_barrier();
    for (int i = 0; i < max_words; ++i) {
      const int k = i * lines + line;
      if (k < n) x.put(k, words[i]);
    }
    team.team_barrier();
  }
};

/// Draws and stores the numbers of interleaved streams with StoreRowsByTeam.
template <class G, class C>
void store_rows_on_device(const NumberStore& args, const C& consumer) {
  auto& typed_source = static_cast<StreamSourceOf<G>&>(args.source);
  typed_source.draw_with(args.work, C::shape, [&](const auto& streams, StreamMapping) {
    using Rows = StoreRowsByTeam<typename G::Streams, C>;
    for_each_shared_team(args.space, "rivulet::draw_numbers_rows",
                         {Rows::balanced_streams(args.space, args.work.size), Rows::columns,
                          Rows::threads, 1, Rows::scratch_bytes()},
                         Rows{streams, args.work, consumer});
  });
}
#endif

}  // namespace rivulet

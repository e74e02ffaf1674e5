// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/launching/host_launch.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "machine/streaming_store.hpp"

// The lane mapping on a CPU: numbers at any places, and in whole lines of memory, where these are
// of streams side by side, past the caches, or of streams each at a place of its own.

namespace rivulet::detail {

/// The numbers of one stream on their way to memory, where they lie side by side: gathered in the
/// nearest cache, written in whole lines. `room`: bytes that it takes between two calls of flush.
template <std::size_t room>
class CacheLineBuffer {
 public:
  /// To bytes to[0 ..].
  void begin(std::byte* to) {
    head_ = reinterpret_cast<std::uintptr_t>(to) % cache_line;
    to_ = to - head_;
    filled_ = head_;
  }

  /// Where the next bytes go.
  std::byte* end() { return stage_ + filled_; }
  void add(std::size_t bytes) { filled_ += bytes; }

  /// Writes whole lines, with non-temporal stores if `non_temporal`.
  void flush(bool non_temporal) {
    if (filled_ < cache_line) return;
    std::size_t done = 0;
    if (head_ != 0) {  // a line of which another part is somebody else's
      std::memcpy(to_ + head_, stage_ + head_, cache_line - head_);
      head_ = 0;
      done = cache_line;
    }
    const std::size_t whole = filled_ / cache_line * cache_line;
    if (non_temporal) {
      for (; done < whole; done += cache_line) copy_line<true>(stage_ + done, to_ + done);
    } else {
      for (; done < whole; done += cache_line) copy_line<false>(stage_ + done, to_ + done);
    }
    copy_line<false>(stage_ + whole, stage_);
    to_ += whole;
    filled_ -= whole;
  }

  /// Writes the rest, after flush().
  void finish() const { std::memcpy(to_ + head_, stage_ + head_, filled_ - head_); }

 private:
  // A line that is left over, what comes, and a line more that flush() may copy.
  alignas(cache_line) std::byte stage_[room + 2 * cache_line];
  std::byte* to_;       ///< where the stage's first byte goes: a line's begin
  std::size_t filled_;  ///< bytes
  std::size_t head_;    ///< bytes of the first line that are not ours
};

/// Rounds to memory. A function of its own, so that all kernels share one copy of the round. A
/// small state is taken into registers: else each round would wait for the stores of the one
/// before.
template <class Streams>
__attribute__((noinline)) void draw_rounds(typename Streams::Engine& engine, int rounds,
                                           typename Streams::Integer* to) {
  constexpr int round = Streams::round_numbers * lanes<Word>;
  constexpr bool is_small = sizeof(engine) <= 8 * sizeof(Word);
  std::conditional_t<is_small, typename Streams::Engine, typename Streams::Engine&> own = engine;
  for (int r = 0; r < rounds; ++r) own.draw_numbers(to + r * round);
  if constexpr (is_small) engine = own;
}

/// `groups` groups of lanes<Word> streams side by side, about numbers_at_once of each at a time.
template <class Streams, int groups, int numbers_at_once>
struct LaneVisits {
  using Integer = typename Streams::Integer;
  using Engine = typename Streams::Engine;
  static constexpr int width = lanes<Word>;
  /// Of a group, at the most.
  static constexpr int most_numbers = std::max(numbers_at_once, Streams::round_numbers);
  static constexpr int most_raws = most_numbers * most_raw<Integer> * width;

  Streams streams;
  DrawnPiece what;
  NumberPeriod period;

  LaneVisits(const Streams& own, const DrawnPiece& all, int raw)
      : streams(own), what(all), period(Streams::round_numbers, raw) {}

  /// Calls write(raw, skip, upto) for numbers skip .. upto - 1 of what lies in raw, most_raws a
  /// group, one piece after the other, up to the end of the first stream: no other has more.
  template <class Write>
  void operator()(std::uint64_t first, const Write& write) const {
    draw(first, write, std::make_integer_sequence<int, groups>{});
  }

 private:
  template <class Write, int... g>
  void draw(std::uint64_t first, const Write& write, std::integer_sequence<int, g...>) const {
    const std::uint64_t own = what.piece.first + first;
    Engine engines[]{streams.load(own + static_cast<std::uint64_t>(g * width))...};
    alignas(cache_line) Integer raw[groups * most_raws];
    const auto make = [&](int rounds) {
      (draw_rounds<Streams>(engines[g], rounds, raw + g * most_raws), ...);
    };
    const PieceCut cut(what, first, static_cast<std::uint64_t>(period.numbers));
    const int visit = std::max(numbers_at_once / period.numbers, 1);
    int skip = static_cast<int>(cut.skip);
    std::uint64_t left = cut.left;
    while (left >= static_cast<std::uint64_t>(period.numbers)) {
      const int periods = static_cast<int>(std::min(
          left / static_cast<std::uint64_t>(period.numbers), static_cast<std::uint64_t>(visit)));
      make(periods * period.rounds);
      write(raw, skip, periods * period.numbers);
      left -= static_cast<std::uint64_t>(periods * period.numbers);
      skip = 0;
    }
    (streams.store(own + static_cast<std::uint64_t>(g * width), engines[g]), ...);
    if (left == 0) return;
    make(period.rounds);
    write(raw, skip, static_cast<int>(left));
  }
};

/// Lanes of a group that follow each other in memory and have as many numbers.
struct LaneRun {
  int lane;
  int count;
  std::uint64_t left;  ///< numbers that are still to be written
  std::byte* out;
};

/// Numbers at any places.
template <class Streams>
struct DrawLanes {
  using Integer = typename Streams::Integer;
  using Visits = LaneVisits<Streams, 1, 16>;
  static constexpr int width = lanes<Word>;

  Visits visits;
  DrawnLayout layout;
  NumberWriter<Integer> writer;
  std::byte* to;

  void operator()(std::uint64_t first) const {
    LaneRun runs[width];
    const int count = find_runs(first, runs);
    visits(first, [&](const Integer* raw, int skip, int upto) {
      for (int i = 0; i < count; ++i) write(runs[i], raw, skip, upto - skip);
    });
  }

 private:
  void write(LaneRun& run, const Integer* raw, int skip, int count) const {
    const auto some = std::min(run.left, static_cast<std::uint64_t>(count));
    if (some == 0) return;
    writer.write_lanes(raw + skip * writer.raw * width + run.lane, static_cast<int>(some),
                       run.count, layout.numbers, run.out);
    run.out += some * layout.numbers.number_stride * writer.bytes;
    run.left -= some;
  }

  int find_runs(std::uint64_t first, LaneRun* runs) const {
    const int live = live_lanes(first, visits.what.piece.streams);
    int count = 0;
    for (int l = 0; l < live; ++l) {
      const std::uint64_t index = first + static_cast<std::uint64_t>(l);
      const std::uint64_t numbers = visits.what.numbers(index);
      std::byte* const out = to + layout.place(index) * writer.bytes;
      if (count > 0 && follows(runs[count - 1], numbers, out)) {
        ++runs[count - 1].count;
      } else {
        runs[count++] = {l, 1, numbers, out};
      }
    }
    return count;
  }
  bool follows(const LaneRun& run, std::uint64_t numbers, const std::byte* out) const {
    const std::uint64_t stride = layout.numbers.stream_stride * writer.bytes;
    return numbers == run.left && out == run.out + static_cast<std::uint64_t>(run.count) * stride;
  }
};

/// Streams side by side: rows that begin and end with lines, by non-temporal stores.
template <class Streams, int groups>
struct DrawRows {
  using Integer = typename Streams::Integer;
  /// So few numbers at a time that lines go on to memory while the next are made: a core has room
  /// for about a hundred stores that wait, and no store overtakes another.
  using Visits = LaneVisits<Streams, groups, 16>;

  Visits visits;
  NumberLayout layout;
  NumberWriter<Integer> writer;
  std::byte* to;

  void operator()(std::uint64_t first) const {
    std::byte* out = to + first * writer.bytes;
    visits(first, [&](const Integer* raw, int skip, int upto) {
      const RawRows rows{raw + skip * writer.raw * Visits::width, groups, Visits::most_raws,
                         upto - skip};
      writer.stream_rows(rows, layout.number_stride, out);
      out += static_cast<std::uint64_t>(upto - skip) * layout.number_stride * writer.bytes;
    });
    streams_end();
  }

 private:
  using RawRows = typename NumberWriter<Integer>::Rows;
};

/// Groups of lanes<Word> streams whose numbers, of `bytes` bytes, fill a unit of memory access.
constexpr int row_groups(std::size_t bytes) {
  const std::size_t row = lanes<Word> * bytes;
  return row < streamed_run ? static_cast<int>(streamed_run / row) : 1;
}

/// Whether words go from a generator to rows one by one: where numbers are made of them, and rounds
/// are so short that a kernel for each type is soon compiled.
template <class Streams>
inline constexpr bool rows_by_words = Streams::bits % 32 == 0 && Streams::round_words <= 32 &&
                                      (lanes<Word> > 1);

/// The same of numbers that are made of one word each, where the format is known as it is compiled:
/// every number goes to memory as soon as the last group has drawn it.
template <class Streams, class Format, int groups>
struct DrawRowsAtOnce {
  using Integer = std::uint32_t;
  using Engine = typename Streams::Engine;
  using Out = decltype(Format::make(nullptr, 0));
  using Writer = NumberWriter<Integer>;
  static_assert(Format::raw == 1);
  static constexpr int width = lanes<Word>;
  static constexpr int round = Streams::round_numbers * width;  ///< words of a group

  Streams streams;
  NumberPiece piece;
  NumberLayout layout;
  Writer writer;
  std::byte* to;

  void operator()(std::uint64_t first) const {
    draw(first, std::make_integer_sequence<int, groups - 1>{});
  }

 private:
  template <int... g>
  void draw(std::uint64_t first, std::integer_sequence<int, g...>) const {
    const std::uint64_t own = piece.first + first;
    const auto stream = [&](int group) { return own + static_cast<std::uint64_t>(group * width); };
    std::array<Engine, groups - 1> others{streams.load(stream(g))...};
    Engine last = streams.load(stream(groups - 1));
    alignas(cache_line) Integer words[groups * round];
    Out* out = reinterpret_cast<Out*>(to) + first;
    constexpr auto numbers = static_cast<std::uint64_t>(Streams::round_numbers);
    const PieceCut cut(piece, numbers);
    std::uint64_t left = cut.left;
    const auto draw_part = [&](std::uint64_t skip, std::uint64_t upto) {
      draw_words_of(others, words);
      draw_rounds<Streams>(last, 1, words + (groups - 1) * round);
      const typename Writer::Rows rows{words + static_cast<int>(skip) * width, groups, round,
                                       static_cast<int>(upto - skip)};
      writer.stream_rows(rows, layout.number_stride, out);
      out += (upto - skip) * layout.number_stride;
      left -= upto;
    };
    if (cut.skip > 0 && left >= numbers) draw_part(cut.skip, numbers);
    if (left >= numbers) {
      Engine in_registers = last;  // nothing else reads or changes it
      for (; left >= numbers; left -= numbers, out += numbers * layout.number_stride) {
        draw_words_of(others, words);
        stream_round(in_registers, words, out);
      }
      last = in_registers;
    }
    // Streams rest at the last boundary within the piece.
    for (int o = 0; o < groups - 1; ++o) streams.store(stream(o), others[at(o)]);
    streams.store(stream(groups - 1), last);
    if (left > 0) draw_part(cut.left < numbers ? cut.skip : 0, left);
    streams_end();
  }

  static constexpr std::size_t at(int group) { return static_cast<std::size_t>(group); }
  KOKKOS_FORCEINLINE_FUNCTION static void draw_words_of(std::array<Engine, groups - 1>& others,
                                                        Integer* words) {
    for (int o = 0; o < groups - 1; ++o) draw_rounds<Streams>(others[at(o)], 1, words + o * round);
  }

  /// Draws the last group's words, and streams every row that they complete, while the next is made
  /// and from registers: by way of memory it takes 1.3 to 1.5 x the time. (Partial rounds call
  /// draw_rounds(): where both ways have the same words inlined, GCC draws all before it stores
  /// any.)
  KOKKOS_FORCEINLINE_FUNCTION void stream_round(Engine& last, const Integer* words,
                                                Out* out) const {
    const std::uint64_t stride = layout.number_stride;
    last.draw_words([&](int k, const Word& word) RIVULET_INLINE_LAMBDA {
      alignas(cache_line) Integer own[width];
      WordTraits<Word>::store(word, own);
      Out* const row = out + static_cast<std::uint64_t>(k) * stride;
      for (int g = 0; g < groups - 1; ++g) {
        stream_part(words + g * round + k * width, row + g * width);
      }
      stream_part(own, row + (groups - 1) * width);
    });
  }
  /// A group's part of a row.
  KOKKOS_FORCEINLINE_FUNCTION static void stream_part(const Integer* words, Out* out) {
    alignas(cache_line) Out part[width];
    for (int l = 0; l < width; ++l) part[l] = Format::make(words + l, width);
    copy_aligned<sizeof(part), true>(part, out);
  }
};

/// Streams each to a place of its own.
template <class Streams>
struct DrawColumns {
  using Integer = typename Streams::Integer;
  /// Whole squares of numbers are transposed, 16 and 16 for example, of which the last is rarely
  /// full.
  using Visits = LaneVisits<Streams, 1, 128>;
  static constexpr int width = lanes<Word>;
  /// Of a lane at a time: as in DrawRows, lines go on to memory while others are made.
  static constexpr int handed_on = 32;

  Visits visits;
  DrawnLayout layout;
  NumberWriter<Integer> writer;
  std::byte* to;
  bool non_temporal;  ///< stores

  void operator()(std::uint64_t first) const {
    CacheLineBuffer<static_cast<std::size_t>(handed_on) * sizeof(std::uint64_t)> stage[width];
    std::uint64_t left[width];  // the last segments of streams are shorter than others
    const DrawnPiece& what = visits.what;
    const int live = live_lanes(first, what.piece.streams);
    for (int l = 0; l < width; ++l) {
      const std::uint64_t stream = first + static_cast<std::uint64_t>(std::min(l, live - 1));
      stage[l].begin(to + layout.place(stream) * writer.bytes);
      left[l] = what.numbers(stream);
    }
    visits(first, [&](const Integer* raw, int skip, int upto) {
      for (int i = skip; i < upto; i += handed_on) {
        const auto some = static_cast<std::uint64_t>(std::min(upto - i, handed_on));
        std::byte* end[width];
        for (int l = 0; l < width; ++l) end[l] = stage[l].end();
        writer.make_columns(raw + i * writer.raw * width, static_cast<int>(some), end);
        for (int l = 0; l < live; ++l) {
          const std::uint64_t own = std::min(some, left[l]);
          stage[l].add(static_cast<std::size_t>(own) * writer.bytes);
          stage[l].flush(non_temporal);
          left[l] -= own;
        }
      }
    });
    for (int l = 0; l < live; ++l) stage[l].finish();
    if (non_temporal) streams_end();
  }
};

}  // namespace rivulet::detail

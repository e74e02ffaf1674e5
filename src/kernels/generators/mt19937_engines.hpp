// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/launching/for_each_stream.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rng/word.hpp"

namespace rivulet {

namespace detail {

/// One stream, a number at a time, in the shape of the standard library's engines.
class Mt19937Scalar {
 public:
  using result_type = std::uint32_t;
  using Recurrence = Mt19937Recurrence;
  static constexpr int n = Recurrence::n;

  template <class Streams>
  KOKKOS_FUNCTION Mt19937Scalar(const Streams& streams, std::uint64_t stream) {
    for (int k = 0; k < n; ++k) x_[k] = streams.word(k, stream);
  }

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FUNCTION std::uint32_t operator()() {
    const int k = next_;
    const int k1 = k + 1 < n ? k + 1 : 0;
    const int km = k + Recurrence::m < n ? k + Recurrence::m : k + Recurrence::m - n;
    x_[k] = Recurrence::twist(x_[k], x_[k1], x_[km]);
    next_ = k1;
    return Recurrence::temper(x_[k]);
  }
  KOKKOS_FUNCTION void discard(std::uint64_t count) {
    for (; count > 0; --count) (*this)();
  }

 private:
  std::uint32_t x_[n];
  int next_ = 0;
};

/// Draws from the streams of a group of lanes<W> on a CPU: a ring of their words, and the place in
/// it of the oldest.
template <class W>
class Mt19937Lanes {
 public:
  using Recurrence = Mt19937Recurrence;
  using Traits = WordTraits<W>;
  static constexpr int n = Recurrence::n;
  static constexpr int round = 32;

  template <class Streams>
  KOKKOS_FUNCTION Mt19937Lanes(const Streams& streams, std::uint64_t first) {
    for (int k = 0; k < n; ++k) x_[k] = Traits::load(&streams.word(k, first));
  }
  template <class Streams>
  KOKKOS_FUNCTION void store(const Streams& streams, std::uint64_t first) const {
    for (int k = 0; k < n; ++k) Traits::store(x_[wrapped(oldest_ + k)], &streams.word(k, first));
  }

  /// The next 32 words, each to sink(int index, W word).
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
    for (int i = 0; i < round; ++i) sink(i, next());
  }
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
    draw_words(sink);
  }
  /// The same to memory: number k of lane l goes to to[k * lanes<W> + l].
  KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(std::uint32_t* to) {
    draw_words([to](int k, const W& word)
                   RIVULET_INLINE_LAMBDA { Traits::store(word, to + k * lanes<W>); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) { return k < n ? k : k - n; }

  KOKKOS_FORCEINLINE_FUNCTION W next() {
    const int k = oldest_;
    oldest_ = wrapped(k + 1);
    x_[k] = Recurrence::twist(x_[k], x_[oldest_], x_[wrapped(k + Recurrence::m)]);
    return Recurrence::temper(x_[k]);
  }

  W x_[n];
  int oldest_ = 0;
};

#if RIVULET_LANES_HAND_ON
/// A ring of four runs of 224 words, as a lane of a device's team thread sees it. A lane makes
/// seven of a run, and places in the ring are counted in whole runs, so that addresses within them
/// are constants. New words replace none that the same draw reads.
class Mt19937Runs {
 public:
  using Recurrence = Mt19937Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int run = Recurrence::team_numbers;
  static constexpr int ring_words = 4 * run;
  /// Numbers that each lane makes at a time.
  static constexpr int own = run / team_lanes;

  /// The oldest word is at `oldest`, a multiple of `run`.
  KOKKOS_FORCEINLINE_FUNCTION Mt19937Runs(int oldest, int lane) : lane_(lane) {
    for (int r = 0; r < 4; ++r) {
      begin_[r] = (oldest + r * run < ring_words ? oldest : oldest - ring_words) + r * run + lane;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_; }
  KOKKOS_FORCEINLINE_FUNCTION int oldest() const { return begin_[0] - lane_; }

  /// The lane's words of the next 224: number 32 i + lane to words[i], and into the ring.
  KOKKOS_FORCEINLINE_FUNCTION void draw(std::uint32_t* x, std::uint32_t (&words)[own]) {
    // Where the lanes' words go over the end of a run, each has a place of its own.
    const int last =
        lane_ + 1 < team_lanes ? begin_[0] + run - team_lanes + 1 : begin_[1] - team_lanes + 1;
    const int middle = place(1, Recurrence::m + team_lanes);
    const int written = place(2, n + team_lanes);
    for (int i = 0; i < own; ++i) {
      const int k = begin_[0] + i * team_lanes;
      words[i] = Recurrence::twist(x[k], x[i + 1 < own ? k + 1 : last],
                                   x[i == 1 ? middle : inside(Recurrence::m + i * team_lanes)]);
    }
    for (int i = 0; i < own; ++i) x[i == 1 ? written : inside(n + i * team_lanes)] = words[i];
    const int first = begin_[0];
    for (int r = 0; r < 3; ++r) begin_[r] = begin_[r + 1];
    begin_[3] = first;
  }

 private:
  /// The lane's place `offset` words behind the oldest, where all lanes' are in one run.
  KOKKOS_FORCEINLINE_FUNCTION int inside(int offset) const {
    return begin_[offset / run] + offset % run;
  }
  /// The same where lanes are in run r or, the higher ones, in the next.
  KOKKOS_FORCEINLINE_FUNCTION int place(int r, int offset) const {
    const int in_run = offset - r * run;
    return lane_ + in_run < run ? begin_[r] + in_run : begin_[r + 1] + in_run - run;
  }

  int lane_;
  int begin_[4];  ///< of the runs, in the order of their words, plus the lane
};
#endif

/// Draws from one stream with the lanes of a team, up to 224 numbers at a time. On a CPU its words
/// are in a line of memory, so that all loops are over vectors; when the line is full, the state
/// goes back to the beginning. On a device they are in a ring of 4 * 224, where new words replace
/// none that the same draw reads: the lanes meet once a draw.
class Mt19937Team {
 public:
  using Recurrence = Mt19937Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int team_numbers = Recurrence::team_numbers;
  static constexpr int ring_words = 4 * team_numbers;
  static constexpr int line_words = n + 8 * team_numbers;
  static constexpr std::size_t alignment = device_build ? 8 : 64;
  static constexpr std::size_t scratch_bytes =
      (device_build ? ring_words : line_words) * sizeof(std::uint32_t) + alignment;

  /// Loads the state into scratch memory. Lanes: each(count, f) calls f(0) .. f(count - 1), by all
  /// lanes together, and makes what they wrote visible to all.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION Mt19937Team(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                              void* scratch)
      : x_(aligned(scratch)) {
#if RIVULET_LANES_HAND_ON
    if constexpr (is_warp<Lanes>) lane_ = lanes.lane();
#endif
    std::uint32_t* const x = x_;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
  }

  /// The next numbers, a multiple of 32 up to team_numbers, to to[0 ..], which all lanes see.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, std::uint32_t* to,
                                        int numbers = team_numbers) {
#if RIVULET_LANES_HAND_ON
    if constexpr (is_warp<Lanes>) {
      if (numbers == team_numbers && oldest_ % team_numbers == 0) return draw_in_runs(lanes, to);
    }
#endif
    if constexpr (device_build) {
      draw_in_ring(lanes, to, numbers);
    } else {
      draw_in_line(lanes, to, numbers);
    }
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, const Streams& streams,
                             std::uint64_t stream) const {
    const std::uint32_t* const x = x_;
    const int oldest = oldest_;
    lanes.each(n, [&](int k) { streams.put_word(k, stream, x[wrapped(oldest + k)]); });
  }

 private:
  KOKKOS_FUNCTION static std::uint32_t* aligned(void* scratch) {
    const auto address = reinterpret_cast<std::uintptr_t>(scratch);
    return static_cast<std::uint32_t*>(scratch) +
           (alignment - address % alignment) % alignment / sizeof(std::uint32_t);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    return !device_build || k < ring_words ? k : k - ring_words;
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw_in_line(const Lanes& lanes, std::uint32_t* to,
                                                int numbers) {
    using Traits = WordTraits<Word>;
    constexpr int width = rivulet::lanes<Word>;
    static_assert(32 % width == 0);
    if (oldest_ + n + numbers > line_words) move_back();
    std::uint32_t* const line = x_ + oldest_;
    lanes.each(numbers / width, [=](int i) RIVULET_INLINE_LAMBDA {
      std::uint32_t* const x = line + i * width;
      const Word word =
          Recurrence::twist(Traits::load(x), Traits::load(x + 1), Traits::load(x + Recurrence::m));
      Traits::store(word, x + n);
      Traits::store(Recurrence::temper(word), to + i * width);
    });
    oldest_ += numbers;
  }
  KOKKOS_FUNCTION void move_back() {
    using Traits = WordTraits<Word>;
    static_assert(n % rivulet::lanes<Word> == 0);
    for (int k = 0; k < n; k += rivulet::lanes<Word>) {
      Traits::store(Traits::load(x_ + oldest_ + k), x_ + k);
    }
    oldest_ = 0;
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw_in_ring(const Lanes& lanes, std::uint32_t* to,
                                                int numbers) {
    std::uint32_t* const x = x_;
    const int oldest = oldest_;
    lanes.each(numbers, [=](int i) {
      const int k = oldest + i;
      const std::uint32_t word =
          Recurrence::twist(x[wrapped(k)], x[wrapped(k + 1)], x[wrapped(k + Recurrence::m)]);
      x[wrapped(k + n)] = word;
      to[i] = Recurrence::temper(word);
    });
    oldest_ = wrapped(oldest + numbers);
  }

#if RIVULET_LANES_HAND_ON
  template <class Lanes>
  static constexpr bool is_warp = std::is_same_v<Lanes, StreamLanes>;

  /// The same, faster, for a whole run from the beginning of one.
  KOKKOS_FORCEINLINE_FUNCTION void draw_in_runs(const StreamLanes& lanes, std::uint32_t* to) {
    std::uint32_t words[Mt19937Runs::own];
    Mt19937Runs runs(oldest_, lane_);
    runs.draw(x_, words);
    for (int i = 0; i < Mt19937Runs::own; ++i) {
      to[i * team_lanes + lane_] = Recurrence::temper(words[i]);
    }
    lanes.meet();
    oldest_ = wrapped(oldest_ + team_numbers);
  }

  int lane_ = 0;
#endif
  std::uint32_t* x_;
  int oldest_ = 0;
};

#if RIVULET_LANES_HAND_ON
/// Draws from one stream with the lanes of a device's team thread, 224 numbers at a time, which
/// stay in registers.
class Mt19937Warp {
 public:
  using Recurrence = Mt19937Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = Mt19937Runs::own;
  static constexpr int steps_around = 1;
  static constexpr std::size_t scratch_bytes = Mt19937Runs::ring_words * sizeof(std::uint32_t);

  /// Begins `back` numbers, 0 .. 227, before where the stream is.
  template <class Streams>
  KOKKOS_FUNCTION Mt19937Warp(const StreamLanes& lanes, const Streams& streams,
                              std::uint64_t stream, void* scratch, int back = 0)
      : x_(static_cast<std::uint32_t*>(scratch)), runs_(0, lanes.lane()) {
    std::uint32_t* const x = x_;
    lanes.each(n, [&](int k) {
      x[k] = k > back ? streams.word(k - back, stream) : older(streams, stream, k - back, k == 0);
    });
  }

  /// The lane's numbers of the next 224: number 32 i + lane to to[i].
  KOKKOS_FORCEINLINE_FUNCTION void next(const StreamLanes& lanes, std::uint32_t* to) {
    std::uint32_t words[numbers_per_lane];
    runs_.draw(x_, words);
    lanes.meet();
    for (int i = 0; i < numbers_per_lane; ++i) to[i] = Recurrence::temper(words[i]);
  }

  /// Puts back the state of 0 .. 272 numbers ago.
  template <class Streams>
  KOKKOS_FUNCTION void store(const StreamLanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const int oldest = runs_.oldest() + Mt19937Runs::ring_words - ago;
    for (int k = runs_.lane(); k < n; k += team_lanes) {
      streams.put_word(k, stream, x_[(oldest + k) % Mt19937Runs::ring_words]);
    }
    lanes.meet();  // the next draw replaces words of past ones
  }

 private:
  /// Word k <= 0 of a state, from the words after it: what the recurrence made of the highest bit
  /// of word k and the others of word k + 1 is the sum of words k + n and k + m. Of the first word
  /// only the highest bit is known.
  template <class Streams>
  KOKKOS_FUNCTION static std::uint32_t older(const Streams& streams, std::uint64_t stream, int k,
                                             bool first) {
    const auto mixed = [&](int j) {
      const std::uint32_t z = streams.word(j + n, stream) ^ streams.word(j + Recurrence::m, stream);
      const std::uint32_t odd = z >> 31;  // the highest bit of a is set
      return (z ^ odd * Recurrence::a) << 1 | odd;
    };
    const std::uint32_t high = k == 0 ? streams.word(0, stream) : mixed(k);
    const std::uint32_t low = first ? 0 : mixed(k - 1);
    return (high & Recurrence::shape.upper_mask) | (low & Recurrence::shape.lower_mask);
  }

  std::uint32_t* x_;
  Mt19937Runs runs_;
};
#endif

}  // namespace detail
}  // namespace rivulet

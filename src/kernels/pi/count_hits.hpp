// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/pi/pi_point.hpp"

namespace rivulet {

/// The number of hits per local stream.
using HitView = Kokkos::View<std::uint64_t*, Space>;

/// A consumer that counts hits, that is, the points that Point::count() finds inside
/// (pi_point.hpp). The consumer adds the count to the stream's element of `hits`. `work`: the work
/// being drawn.
template <class Point>
struct CountHits {
  using Integer = std::uint32_t;
  static constexpr const char* label = Point::label;
  static constexpr ItemShape shape{Point::words};

  HitView hits;
  Work work;

  // The next two functions run on a CPU.

  void by_lanes(HostDraw<Integer>& draw) const {
    Word count(0u);  // 32 bits can count Work::max_items points
    DrawnItems<Integer> drawn;
    while (draw.next(drawn)) drawn.is_full ? count_all(drawn, count) : count_valid(drawn, count);
    for (int l = 0; l < draw.live; ++l) {
      add(draw.first + static_cast<std::uint64_t>(l), WordTraits<Word>::lane(count, l));
    }
  }

  void by_stream(HostDraw<Integer>& draw) const {
    Word count(0u);
    std::uint32_t remainder_hits = 0;
    DrawnItems<Integer> drawn;
    while (draw.next(drawn)) {
      int i = 0;
      if constexpr (Point::words == 1) {
        for (; i + width <= drawn.items; i += width) {
          const Word word = WordTraits<Word>::load(drawn.numbers + i);
          Point::count(&word, count);
        }
      }
      for (; i < drawn.items; ++i) Point::count(drawn.numbers + i * Point::words, remainder_hits);
    }
    std::uint64_t total = remainder_hits;
    for (int l = 0; l < width; ++l) total += WordTraits<Word>::lane(count, l);
    add(draw.first, total);
  }

  // The next functions run on a GPU.

  using Local = std::uint32_t;
  KOKKOS_FORCEINLINE_FUNCTION Local begin(std::uint64_t) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION void item(Local& count, std::uint64_t, const Integer* words) const {
    Point::count(words, count);
  }
  KOKKOS_FORCEINLINE_FUNCTION void end(Local count, std::uint64_t i) const { add(i, count); }

 private:
  static constexpr int width = lanes<Word>;

  /// Loads the words of each lane's next point.
  KOKKOS_FORCEINLINE_FUNCTION static void load(const Integer* from, Word (&words)[Point::words]) {
    for (int w = 0; w < Point::words; ++w) words[w] = WordTraits<Word>::load(from + w * width);
  }
  static void count_all(const DrawnItems<Integer>& drawn, Word& hits) {
    Word count = hits;
    const Integer* from = drawn.numbers;
    for (int i = 0; i < drawn.items; ++i, from += Point::words * width) {
      Word words[Point::words];
      load(from, words);
      Point::count(words, count);
    }
    hits = count;
  }
  /// Counts the hits among the first drawn.valid_items[l] points of each lane l. Later points do
  /// not belong to the lane.
  static void count_valid(const DrawnItems<Integer>& drawn, Word& hits) {
    const Word valid = WordTraits<Word>::generate(
        [&](int l) { return static_cast<std::uint32_t>(drawn.valid_items[l]); });
    const Integer* from = drawn.numbers;
    for (int i = 0; i < drawn.items; ++i, from += Point::words * width) {
      Word words[Point::words];
      load(from, words);
      Word hit(0u);
      Point::count(words, hit);
      Word is_valid(0u);
      WordTraits<Word>::count_if_not_less(valid, Word(static_cast<std::uint32_t>(i + 1)), is_valid);
      hits += hit & (Word(0u) - is_valid);
    }
  }

  /// Adds atomically, because segments of one stream may be counted concurrently.
  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t i, std::uint64_t count) const {
    if (count > 0) Kokkos::atomic_add(&hits(work.stream(i)), count);
  }
};

}  // namespace rivulet

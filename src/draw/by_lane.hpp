// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/rng/number_format.hpp"

// The lane mapping on a CPU: each lane of a vector register draws a stream.

namespace rivulet {

/// Draws a generator's native numbers, one round of a group of streams at a time.
template <class Streams>
struct NativeNumbers {
  using Integer = typename Streams::Integer;
  static constexpr int numbers = Streams::round_numbers;
  static constexpr bool is_by_memory = false;

  KOKKOS_FORCEINLINE_FUNCTION static void draw(typename Streams::Engine& engine, Integer* to) {
    engine.draw_numbers(to);
  }
};

/// Draws 32-bit words made from a generator's numbers, one round of a group of streams at a time.
template <class Streams>
struct ConvertedWords {
  using Integer = std::uint32_t;
  static constexpr int numbers = Streams::round_words;
  /// True if a round's numbers are stored in memory before they are converted to words.
  static constexpr bool is_by_memory = Streams::numbers_per_word == 1 && requires {
    &Streams::word_of;
  };

  KOKKOS_FORCEINLINE_FUNCTION static void draw(typename Streams::Engine& engine, Integer* to) {
    if constexpr (is_by_memory) {
      typename Streams::Integer native[numbers * lanes<Word>];
      engine.draw_numbers(native);
      for (int j = 0; j < numbers * lanes<Word>; ++j) to[j] = Streams::word_of(native, j);
    } else {
      engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
        WordTraits<Word>::store(word, to + k * lanes<Word>);
      });
    }
  }
};

/// True if a generator's numbers are 32-bit words.
template <class Streams>
inline constexpr bool numbers_are_words =
    std::is_same_v<typename Streams::Integer, std::uint32_t>&& Streams::numbers_per_word == 1;

template <class Streams, bool is_raw>
using NumbersOf = std::conditional_t<is_raw || numbers_are_words<Streams>, NativeNumbers<Streams>,
                                     ConvertedWords<Streams>>;

namespace detail {

/// Writes consecutive draws of `Numbers` to memory. The function is not inlined, because all
/// consumers share its code. A small state is copied to registers: otherwise each round would wait
/// for the previous round's stores.
template <class Numbers, class Engine>
__attribute__((noinline)) void draw_to(Engine& engine, int draws, typename Numbers::Integer* to) {
  constexpr bool is_small = sizeof(Engine) <= 48 * sizeof(Word);
  std::conditional_t<is_small, Engine, Engine&> local = engine;
  for (int d = 0; d < draws; ++d) Numbers::draw(local, to + d * Numbers::numbers * lanes<Word>);
  if constexpr (is_small) engine = local;
}

/// True if RowStream can write each word to its row as soon as the word is drawn. Rounds must be
/// short, because RowStream is compiled once for each type of number.
template <class Streams, class Numbers>
constexpr bool can_stream_rows() {
  return lanes<Word> > 1 && std::is_same_v<Numbers, NativeNumbers<Streams>> &&
         sizeof(typename Numbers::Integer) == 4 && Streams::bits % 32 == 0 &&
         Numbers::numbers <= 32;
}

/// Writes each word of a round to its row as soon as the word is drawn. Storing the round in memory
/// first would take 1.3 to 1.6 times as long.
template <class Streams, class Out>
class RowStream {
 public:
  using Engine = typename Streams::Engine;

  /// Draws a round of the last group from `engine`, and writes the rows of all `groups` groups.
  /// `words` holds the other groups' words of this round.
  template <int groups>
  static void stream(Engine& engine, const std::uint32_t* words, int group_stride, Out* out,
                     std::uint64_t stride) {
    engine.draw_words([=](int k, const Word& word) RIVULET_INLINE_LAMBDA {
      alignas(cache_line) std::uint32_t last_words[width];
      WordTraits<Word>::store(word, last_words);
      Out* const row = out + static_cast<std::uint64_t>(k) * stride;
      for (int g = 0; g < groups - 1; ++g) {
        stream_part(words + g * group_stride + k * width, row + g * width);
      }
      stream_part(last_words, row + (groups - 1) * width);
    });
  }

 private:
  using Format = NumberFormat<Streams::bits, Out, Interval::closed_open>;
  static constexpr int width = lanes<Word>;

  /// Writes a group's part of a row.
  KOKKOS_FORCEINLINE_FUNCTION static void stream_part(const std::uint32_t* words, Out* out) {
    alignas(cache_line) Out part[width];
    for (int l = 0; l < width; ++l) part[l] = Format::make(words + l, width);
    copy_aligned<sizeof(part), true>(part, out);
  }
};

/// Draws the items of `groups` groups of lanes<Word> streams. Stores the states at the last period
/// boundary within the work.
template <class Streams, class Numbers, int groups>
class LaneDraw final : public HostDraw<typename Numbers::Integer> {
 public:
  using Integer = typename Numbers::Integer;
  static constexpr int width = lanes<Word>;
  static constexpr int all_lanes = groups * width;

  LaneDraw(const Streams& streams, const Work& work, const HostConsumer<Integer>& consumer,
           std::uint64_t first)
      : LaneDraw(streams, work, consumer, first, std::make_integer_sequence<int, groups>()) {}

  bool next(DrawnItems<Integer>& drawn) override {
    while (done_ < max_items_) {
      draw();
      if (hand_over(drawn)) return true;
    }
    return false;
  }

  std::uint64_t stream_rows(const StreamedRows& rows) override {
    if constexpr (can_stream_rows<Streams, Numbers>()) {
      const bool can_stream = item_numbers_ == 1 && span_.skip == 0 && min_items_ == max_items_;
      if (!can_stream || drawn_ >= span_.store_at) return 0;
      const std::uint64_t draws = span_.store_at - drawn_;
      rows.as_floats ? stream<float>(draws, rows) : stream<std::uint32_t>(draws, rows);
      drawn_ = span_.store_at;
      store();
      const std::uint64_t items = draws * static_cast<std::uint64_t>(Numbers::numbers);
      done_ += items;
      buffered_ = consumed_ = 0;
      return items;
    } else {
      return 0;
    }
  }

 private:
  using Engine = typename Streams::Engine;
  /// Maximum words per lane that are drawn at a time. The limit is lower if the L1 cache must also
  /// hold the numbers from which words are made.
  static constexpr int max_words = Numbers::is_by_memory ? numbers_at_once / 4 : numbers_at_once;
  static constexpr int max_draws = std::max(max_words / Numbers::numbers, 1);
  /// Capacity of numbers_ per lane.
  static constexpr int capacity = most_item_numbers + max_draws * Numbers::numbers;

  template <int... g>
  LaneDraw(const Streams& streams, const Work& work, const HostConsumer<Integer>& consumer,
           std::uint64_t first, std::integer_sequence<int, g...>)
      : HostDraw<Integer>(first,
                          static_cast<int>(std::min<std::uint64_t>(work.size - first, all_lanes))),
        streams_(streams),
        index_(work.first + first),
        item_numbers_(consumer.shape.numbers),
        draws_at_once_(std::clamp(consumer.at_once / Numbers::numbers, 1, max_draws)),
        engine_{streams.load(index_ + static_cast<std::uint64_t>(g * width))...},
        span_(count_items(work, first)) {}

  ItemSpan count_items(const Work& work, std::uint64_t first) {
    for (int l = 0; l < this->live; ++l) {
      count_[l] = work.count(first + static_cast<std::uint64_t>(l));
      max_items_ = std::max(max_items_, count_[l]);
      min_items_ = std::min(min_items_, count_[l]);
    }
    if (this->live < all_lanes) min_items_ = 0;
    return {work.start(first), max_items_, item_numbers_, Numbers::numbers};
  }

  /// Draws more numbers and stores them after the numbers left over from the last draw.
  void draw() {
    buffered_ -= consumed_;
    const std::uint64_t stop = drawn_ < span_.store_at ? span_.store_at : span_.end;
    const auto draws =
        static_cast<int>(std::min(stop - drawn_, static_cast<std::uint64_t>(draws_at_once_)));
    for (int g = 0; g < groups; ++g) {
      Integer* const buffer = numbers_ + g * capacity * width;
      if (buffered_ > 0) std::copy_n(buffer + consumed_ * width, buffered_ * width, buffer);
      draw_to<Numbers>(engine_[g], draws, buffer + buffered_ * width);
    }
    consumed_ = 0;
    buffered_ += draws * Numbers::numbers;
    drawn_ += static_cast<std::uint64_t>(draws);
    if (drawn_ == span_.store_at) store();
  }
  void store() {
    for (int g = 0; g < groups; ++g) {
      streams_.store(index_ + static_cast<std::uint64_t>(g * width), engine_[g]);
    }
  }

  template <class Out>
  void stream(std::uint64_t draws, const StreamedRows& rows) {
    constexpr auto numbers = static_cast<std::uint64_t>(Numbers::numbers);
    Out* out = reinterpret_cast<Out*>(rows.to);
    Engine last = engine_[groups - 1];  // a copy that can stay in registers
    for (; draws > 0; --draws, out += numbers * rows.stride) {
      for (int g = 0; g < groups - 1; ++g) {
        draw_to<Numbers>(engine_[g], 1, numbers_ + g * capacity * width);
      }
      RowStream<Streams, Out>::template stream<groups>(last, numbers_, capacity * width, out,
                                                       rows.stride);
    }
    engine_[groups - 1] = last;
  }

  /// Sets `drawn` to the complete items in numbers_, except items before the work's first item.
  /// Returns false if there are no such items.
  bool hand_over(DrawnItems<Integer>& drawn) {
    const int complete = item_numbers_ == 1 ? buffered_ : buffered_ / item_numbers_;
    consumed_ = complete * item_numbers_;
    const auto skipped =
        static_cast<int>(std::min(span_.skip, static_cast<std::uint64_t>(complete)));
    span_.skip -= static_cast<std::uint64_t>(skipped);
    const auto items = static_cast<int>(
        std::min(max_items_ - done_, static_cast<std::uint64_t>(complete - skipped)));
    if (items == 0) return false;
    const auto new_items = static_cast<std::uint64_t>(items);
    for (int l = 0; l < all_lanes; ++l) {
      valid_items_[l] =
          static_cast<int>(std::min(count_[l] > done_ ? count_[l] - done_ : 0, new_items));
    }
    drawn = {numbers_ + skipped * item_numbers_ * width, capacity * width, items, valid_items_,
             done_ + new_items <= min_items_};
    done_ += new_items;
    return true;
  }

  const Streams& streams_;
  std::uint64_t index_;  ///< index in memory of the first stream
  int item_numbers_;
  int draws_at_once_;
  Engine engine_[groups];
  std::uint64_t count_[all_lanes] = {};
  std::uint64_t max_items_ = 0;
  std::uint64_t min_items_ = ~std::uint64_t{0};
  ItemSpan span_;
  std::uint64_t drawn_ = 0;  ///< draws so far
  std::uint64_t done_ = 0;   ///< items handed over
  int buffered_ = 0;         ///< numbers per lane in numbers_
  int consumed_ = 0;         ///< of these, numbers already handed over
  int valid_items_[all_lanes] = {};
  alignas(64) Integer numbers_[groups * capacity * width];
};

template <int groups, class Numbers, class Streams>
void draw_groups(const Space& space, const Streams& streams, const Work& work,
                 const HostConsumer<typename Numbers::Integer>& consumer) {
  if constexpr (groups < groups_of_lines) {
    if (consumer.groups > groups) {
      return draw_groups<2 * groups, Numbers>(space, streams, work, consumer);
    }
  }
  constexpr auto step = static_cast<std::uint64_t>(groups * lanes<Word>);
  const auto body = [&](std::uint64_t first) {
    LaneDraw<Streams, Numbers, groups> draw(streams, work, consumer, first);
    consumer.by_lanes(consumer.self, draw);
  };
  launch_on_host(space, consumer.label, work.size, step, host_body(body));
}

}  // namespace detail

/// Draws the items of a Work by lanes and passes them to a consumer. Blocking.
template <class Numbers, class Streams>
void draw_by_lane(const Space& space, const Streams& streams, const Work& work,
                  const HostConsumer<typename Numbers::Integer>& consumer) {
  detail::draw_groups<1, Numbers>(space, streams, work, consumer);
}

}  // namespace rivulet

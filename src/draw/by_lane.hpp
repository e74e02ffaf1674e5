// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/launching/for_each_stream.hpp"

// The lane mapping on a CPU: a stream to each lane of a vector register.

namespace rivulet {

/// The numbers that consumers take, a round of a group of streams at a time.
template <class Streams>
struct OwnNumbers {
  using Integer = typename Streams::Integer;
  static constexpr int numbers = Streams::round_numbers;
  static constexpr int rounds = 1;
  static constexpr bool is_made = false;

  KOKKOS_FORCEINLINE_FUNCTION static void draw(typename Streams::Engine& engine, Integer* to) {
    engine.draw_numbers(to);
  }
};

/// The same as words of 32 bits.
template <class Streams>
struct WordsOfNumbers {
  using Integer = std::uint32_t;
  static constexpr int numbers = Streams::round_words;
  static constexpr int rounds = Streams::numbers_per_word;
  static constexpr bool is_made = true;  ///< of numbers in memory

  KOKKOS_FORCEINLINE_FUNCTION static void draw(typename Streams::Engine& engine, Integer* to) {
    if constexpr (rounds == 1 && requires { &Streams::word_of; }) {
      typename Streams::Integer own[numbers * lanes<Word>];
      engine.draw_numbers(own);
      for (int j = 0; j < numbers * lanes<Word>; ++j) to[j] = Streams::word_of(own, j);
    } else {
      engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
        WordTraits<Word>::store(word, to + k * lanes<Word>);
      });
    }
  }
};

/// Whether a generator's numbers are words of 32 bits.
template <class Streams>
inline constexpr bool numbers_are_words =
    std::is_same_v<typename Streams::Integer, std::uint32_t>&& Streams::numbers_per_word == 1;

template <class Streams, bool is_raw>
using NumbersOf = std::conditional_t<is_raw || numbers_are_words<Streams>, OwnNumbers<Streams>,
                                     WordsOfNumbers<Streams>>;

namespace detail {

/// Draws of `Numbers` to memory, one after the other. A function of its own, which all consumers
/// share. A small state is taken into registers: else each round would wait for the stores of the
/// one before.
template <class Numbers, class Engine>
__attribute__((noinline)) void draw_to(Engine& engine, int draws, typename Numbers::Integer* to) {
  constexpr bool is_small = sizeof(Engine) <= 48 * sizeof(Word);
  std::conditional_t<is_small, Engine, Engine&> own = engine;
  for (int d = 0; d < draws; ++d) Numbers::draw(own, to + d * Numbers::numbers * lanes<Word>);
  if constexpr (is_small) engine = own;
}

/// The items of a group of lanes<Word> streams. The streams are stored at the last period within
/// the work.
template <class Streams, class Numbers>
class LaneDraw final : public HostDraw<typename Numbers::Integer> {
 public:
  using Integer = typename Numbers::Integer;
  static constexpr int width = lanes<Word>;
  /// Most numbers of an item.
  static constexpr int most_numbers = 12;

  LaneDraw(const Streams& streams, const Work& work, const HostConsumer<Integer>& consumer,
           std::uint64_t first)
      : HostDraw<Integer>(first,
                          static_cast<int>(std::min<std::uint64_t>(work.size - first, width))),
        streams_(streams),
        index_(work.first + first),
        shape_(consumer.shape),
        at_once_(std::clamp(consumer.at_once / Numbers::numbers, 1, most_draws)),
        engine_(streams.load(index_)) {
    const ItemPeriod period = ItemPeriod::of(shape_, Numbers::numbers, 1);
    for (int l = 0; l < this->live; ++l) {
      count_[l] = work.count(first + static_cast<std::uint64_t>(l));
      most_ = std::max(most_, count_[l]);
      least_ = std::min(least_, count_[l]);
    }
    if (this->live < width) least_ = 0;
    skip_ = most_ > 0 ? work.start(first) % period.items : 0;
    const std::uint64_t items = skip_ + most_;
    resting_ = items / period.items * period.rounds;
    const auto numbers = static_cast<std::uint64_t>(Numbers::numbers);
    draws_ = (items * static_cast<std::uint64_t>(shape_.numbers) + numbers - 1) / numbers;
    if (resting_ == 0) is_stored_ = true;  // the streams rest where they were
  }

  bool next(DrawnItems<Integer>& drawn) override {
    while (done_ < most_) {
      const std::uint64_t stop = is_stored_ ? draws_ : resting_;
      const auto some =
          static_cast<int>(std::min(stop - drawn_, static_cast<std::uint64_t>(at_once_)));
      draw(some);
      if (hand_over(drawn)) return true;
    }
    return false;
  }

 private:
  /// Words that are made of numbers share the first cache with these.
  static constexpr int most_words = Numbers::is_made ? numbers_at_once / 4 : numbers_at_once;
  static constexpr int most_draws = std::max(most_words / Numbers::numbers, 1);
  static constexpr int room = most_numbers + most_draws * Numbers::numbers;

  /// Draws behind the numbers that are left over.
  void draw(int some) {
    have_ -= used_;
    if (have_ > 0) std::copy_n(numbers_ + used_ * width, have_ * width, numbers_);
    used_ = 0;
    draw_to<Numbers>(engine_, some, numbers_ + have_ * width);
    have_ += some * Numbers::numbers;
    drawn_ += static_cast<std::uint64_t>(some);
    if (!is_stored_ && drawn_ == resting_) {
      streams_.store(index_, engine_);
      is_stored_ = true;
    }
  }

  /// Whole items, less those that come before the first.
  bool hand_over(DrawnItems<Integer>& drawn) {
    const int whole = shape_.numbers == 1 ? have_ : have_ / shape_.numbers;
    used_ = whole * shape_.numbers;
    const auto skipped = static_cast<int>(std::min(skip_, static_cast<std::uint64_t>(whole)));
    skip_ -= static_cast<std::uint64_t>(skipped);
    const auto items =
        static_cast<int>(std::min(most_ - done_, static_cast<std::uint64_t>(whole - skipped)));
    if (items == 0) return false;
    const auto upto = static_cast<std::uint64_t>(items);
    for (int l = 0; l < width; ++l) {
      left_[l] = static_cast<int>(std::min(count_[l] > done_ ? count_[l] - done_ : 0, upto));
    }
    drawn = {numbers_ + skipped * shape_.numbers * width, items, left_, done_ + upto <= least_};
    done_ += upto;
    return true;
  }

  const Streams& streams_;
  std::uint64_t index_;  ///< in memory
  ItemShape shape_;
  int at_once_;  ///< draws
  typename Streams::Engine engine_;
  std::uint64_t count_[width] = {};
  std::uint64_t most_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0};
  std::uint64_t skip_ = 0;     ///< items, between the last period and the work
  std::uint64_t resting_ = 0;  ///< draws up to where the streams come to rest
  std::uint64_t draws_ = 0;    ///< up to the end
  bool is_stored_ = false;
  std::uint64_t drawn_ = 0;  ///< draws
  std::uint64_t done_ = 0;   ///< items
  int have_ = 0;             ///< numbers of a lane in memory
  int used_ = 0;             ///< of these
  int left_[width] = {};
  alignas(64) Integer numbers_[room * width];
};

}  // namespace detail

/// Draws a work's items by lanes and hands them to a consumer. Waits.
template <class Numbers, class Streams>
void draw_by_lane(const Space& space, const Streams& streams, const Work& work,
                  const HostConsumer<typename Numbers::Integer>& consumer) {
  const auto body = [&](std::uint64_t first) {
    detail::LaneDraw<Streams, Numbers> draw(streams, work, consumer, first);
    consumer.by_lanes(consumer.self, draw);
  };
  for_each_stream_lane(space, consumer.label, work.size, body);
}

}  // namespace rivulet

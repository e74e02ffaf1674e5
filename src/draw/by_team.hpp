// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "draw/by_lane.hpp"
#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "generators/generator_type.hpp"
#include "launching/for_each_stream.hpp"

// The team mapping on a CPU: a thread draws a stream, with consecutive words in vector registers.
// If the generator has no team engine, a single stream is drawn word by word.

namespace rivulet {
namespace detail {

/// Draws one stream of a generator that has only lane engines. A vector engine with a single live
/// lane would take eight times as long.
template <class Streams>
class ScalarEngine {
 public:
  static constexpr std::size_t scratch_bytes = 1;
  static constexpr int team_numbers =
      Streams::round_numbers * std::max(256 / Streams::round_numbers, 1);

  ScalarEngine(const StreamLanes&, const Streams& streams, std::uint64_t stream, std::byte*)
      : engine_(streams.template load<std::uint32_t>(stream)) {}

  void draw(const StreamLanes&, std::uint32_t* to, int numbers) {
    Engine local = engine_;  // in registers
    for (int k = 0; k < numbers; k += Streams::round_numbers) local.draw_numbers(to + k);
    engine_ = local;
  }
  void store(const StreamLanes&, const Streams& streams, std::uint64_t stream) const {
    streams.template store<std::uint32_t>(stream, engine_);
  }

 private:
  using Engine = typename Streams::template EngineOf<std::uint32_t>;
  Engine engine_;
};

/// Streams that ScalarEngine can draw.
template <class Streams>
concept HasScalarEngine = !StreamsByTeam<Streams> && numbers_are_words<Streams> &&
                          !StreamsWithoutState<Streams> && requires(const Streams& streams) {
  streams.template load<std::uint32_t>(std::uint64_t{});
};

/// Draws the items of one stream. Stores the state at the last period boundary within the work.
/// Integer is the type of the stream's native numbers, or of 32-bit words made from them.
template <class Streams, class Integer, class Engine>
class StreamDraw final : public HostDraw<Integer> {
 public:
  using Native = typename Streams::Integer;

  StreamDraw(const Streams& streams, const Work& work, const HostConsumer<Integer>& consumer,
             std::uint64_t i)
      : HostDraw<Integer>(i, 1),
        streams_(streams),
        index_(work.first + i),
        item_numbers_(consumer.shape.numbers *
                      (consumer.shape.is_raw ? 1 : int{Streams::numbers_per_word})),
        is_raw_(consumer.shape.is_raw),
        engine_(StreamLanes(), streams, index_, scratch_),
        remaining_(work.count(i)),
        span_(work.start(i), remaining_, item_numbers_, Streams::round_numbers) {}

  bool next(DrawnItems<Integer>& drawn) override {
    while (remaining_ > 0) {
      draw();
      if (hand_over(drawn)) return true;
    }
    return false;
  }

 private:
  static constexpr int max_numbers = most_item_numbers * Streams::numbers_per_word;
  /// Draws by the engine per next(): with 1024 numbers or more, the cost of a call is negligible.
  static constexpr int draws_at_once = (1023 + Engine::team_numbers) / Engine::team_numbers;
  static constexpr int capacity = max_numbers + draws_at_once * Engine::team_numbers;
  static_assert(Engine::team_numbers % Streams::round_numbers == 0);

  /// Draws more numbers and stores them after the numbers left over from the last draw.
  void draw() {
    buffered_ -= consumed_;
    if (buffered_ > 0) std::copy_n(numbers_ + consumed_, buffered_, numbers_);
    consumed_ = 0;
    constexpr auto round = static_cast<std::uint64_t>(Streams::round_numbers);
    constexpr std::uint64_t at_once = Engine::team_numbers / Streams::round_numbers;
    const std::uint64_t stop = drawn_ < span_.store_at ? span_.store_at : span_.end;
    Native* to = numbers_ + buffered_;
    const Native* const last = numbers_ + capacity - Engine::team_numbers;
    while (drawn_ < stop && to <= last) {
      const std::uint64_t rounds = std::min(stop - drawn_, at_once);
      engine_.draw(StreamLanes(), to, static_cast<int>(rounds * round));
      to += rounds * round;
      drawn_ += rounds;
    }
    buffered_ = static_cast<int>(to - numbers_);
    if (drawn_ == span_.store_at) engine_.store(StreamLanes(), streams_, index_);
  }

  bool hand_over(DrawnItems<Integer>& drawn) {
    const int complete = item_numbers_ == 1 ? buffered_ : buffered_ / item_numbers_;
    consumed_ = complete * item_numbers_;
    const auto skipped =
        static_cast<int>(std::min(span_.skip, static_cast<std::uint64_t>(complete)));
    span_.skip -= static_cast<std::uint64_t>(skipped);
    items_ = static_cast<int>(std::min(remaining_, static_cast<std::uint64_t>(complete - skipped)));
    if (items_ == 0) return false;
    remaining_ -= static_cast<std::uint64_t>(items_);
    drawn = {as_consumed(numbers_ + skipped * item_numbers_), 0, items_, &items_, true};
    return true;
  }

  /// Returns the items' numbers as the consumer needs them: native, or as 32-bit words.
  const Integer* as_consumed(const Native* numbers) {
    if constexpr (!numbers_are_words<Streams>) {
      if (!is_raw_) return words_of(numbers);
    }
    if constexpr (std::is_same_v<Native, Integer>) {
      return numbers;
    } else {
      throw std::logic_error("a consumer of 32-bit words cannot take raw numbers of 64 bits");
    }
  }
  const Integer* words_of(const Native* numbers) {
    const int words = items_ * item_numbers_ / Streams::numbers_per_word;
    for (int j = 0; j < words; ++j) words_[j] = Streams::word_of(numbers, j);
    return words_;
  }

  static constexpr int words_capacity = numbers_are_words<Streams> ? 1 : capacity;

  const Streams& streams_;
  std::uint64_t index_;  ///< index of the stream in memory
  int item_numbers_;     ///< native numbers per item
  bool is_raw_;
  alignas(64) std::byte scratch_[Engine::scratch_bytes];
  Engine engine_;
  std::uint64_t remaining_;  ///< items not yet handed over
  ItemSpan span_;
  std::uint64_t drawn_ = 0;  ///< rounds drawn
  int buffered_ = 0;         ///< numbers in numbers_
  int consumed_ = 0;         ///< of these, numbers already handed over
  int items_ = 0;            ///< items handed over by the last call
  alignas(64) Native numbers_[capacity];
  alignas(64) Integer words_[words_capacity];
};

}  // namespace detail

/// Draws the items of a Work stream by stream and passes them to a consumer. `suffix` ends the
/// kernel's label. Blocking.
template <class Integer, class Streams, class Engine = typename Streams::TeamEngine>
void draw_by_team(const Space& space, const Streams& streams, const Work& work,
                  const HostConsumer<Integer>& consumer, const char* suffix = "_team") {
  const auto body = [&](std::uint64_t i) {
    detail::StreamDraw<Streams, Integer, Engine> draw(streams, work, consumer, i);
    consumer.by_stream(consumer.self, draw);
  };
  for_each_stream(space, std::string(consumer.label) + suffix, work.size, body);
}

}  // namespace rivulet

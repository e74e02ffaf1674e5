// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/store_words.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Returns the buffer size in bytes for pi.memory=auto. On a CPU, 512 KiB per core keep the words
/// in the L2 cache (typically 1 to 2 MiB). On a GPU, buffers of 4 GiB amortise the cost of
/// launches.
std::uint64_t preferred_bytes(const Space& space) {
  if (device_build) return std::uint64_t{4} << 30;
  return (std::uint64_t{512} << 10) * static_cast<std::uint64_t>(space.concurrency());
}

/// Passes the stored words of lanes<Word> streams to a consumer, in one piece.
class StoredDraw final : public HostDraw<std::uint32_t> {
 public:
  StoredDraw(const WordBuffer& buffer, const Work& work, std::uint64_t first)
      : HostDraw(first, live_lanes(first, work.size)), words_(buffer.at(first, 0)) {
    for (int l = 0; l < live; ++l) {
      valid_items_[l] = static_cast<int>(work.count(first + static_cast<std::uint64_t>(l)));
    }
    const auto [least, most] = std::ranges::minmax(valid_items_);
    max_items_ = most;
    is_full_ = least == most;
  }
  bool next(DrawnItems<std::uint32_t>& drawn) override {
    drawn = {words_, 0, std::exchange(max_items_, 0), valid_items_, is_full_};
    return drawn.items > 0;
  }

 private:
  const std::uint32_t* words_;
  int valid_items_[lanes<Word>] = {};
  int max_items_ = 0;
  bool is_full_;
};

template <class Point>
class CountStored {
 public:
  CountStored(const WordBuffer& words, const CountHits<Point>& hits)
      : buffer_(words), count_(hits) {}

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    if constexpr (device_build) {
      count_thread(first);
    } else {
      StoredDraw words(buffer_, count_.work, first);
      count_.by_lanes(words);
    }
  }

 private:
  KOKKOS_FUNCTION void count_thread(std::uint64_t i) const {
    auto local = count_.begin(i);
    const std::uint32_t* from = buffer_.at(i, 0);
    for (std::uint64_t left = count_.work.count(i); left > 0; --left) {
      std::uint32_t words[Point::words];
      for (int w = 0; w < Point::words; ++w, from += tile_streams) words[w] = *from;
      count_.item(local, 0, words);
    }
    count_.end(local, i);
  }

  WordBuffer buffer_;
  CountHits<Point> count_;
};

/// Stores random words in memory, then counts the points in a second kernel.
class StoredCounter final : public HitCounter {
 public:
  StoredCounter(const Space& space, std::unique_ptr<StreamSource> source, const PiChoice& choice)
      : HitCounter(space, std::move(source), {words_of(choice)}), choice_(choice) {
    if (source_->range().count > 0) make_buffer(source_->range().count);
  }

  std::optional<std::uint64_t> buffer_bytes() const override {
    return buffer_ ? WordBuffer::bytes(buffer_->streams(), buffer_->length()) : 0;
  }
  void count_part(const Work& work) override {
    if (work.size == 0) return;
    buffer_->each_piece(work, words_of(choice_),
                        [this](const Work& piece) { generate_then_count(piece); });
  }

 private:
  void reserve_memory(const Work& work) override {
    if (work.size > 0 && work.size != buffer_streams_) make_buffer(work.size);
  }
  void make_buffer(std::uint64_t streams);
  void generate_then_count(const Work& work);

  PiChoice choice_;
  std::unique_ptr<WordBuffer> buffer_;
  std::uint64_t buffer_streams_ = 0;  ///< streams or segments that the buffer is sized for
};

/// Allocates a buffer of the preferred size, limited by pi.memory, for as many streams as keep
/// every core busy.
void StoredCounter::make_buffer(std::uint64_t streams) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  const std::uint64_t period = round_points() * static_cast<std::uint64_t>(words_of(choice_));
  const std::uint64_t smallest = WordBuffer::bytes(tile, period);
  const std::uint64_t preferred_size = std::max(preferred_bytes(space_), smallest);
  const std::uint64_t max_bytes =
      choice_.memory == 0 ? preferred_size : std::min(choice_.memory, preferred_size);
  if (max_bytes < smallest) {
    throw Error(fmt::format("pi.memory={} B is too small", choice_.memory),
                fmt::format("a round of words of {} streams takes {} B", tile, smallest),
                fmt::format("Set pi.memory={}B or more, or auto.", smallest));
  }
  const std::uint64_t tiles = padded_streams(streams) / tile;
  const auto threads = static_cast<std::uint64_t>(space_.concurrency());
  buffer_.reset();
  buffer_streams_ = streams;
  buffer_ = make_word_buffer("the buffer of words", device_build ? tiles : std::min(tiles, threads),
                             period, max_bytes);
}

void StoredCounter::generate_then_count(const Work& work) {
  with_point(choice_, [&](auto point) {
    Kokkos::Timer watch;
    draw(*source_, work, StoreWords<point.words>{*buffer_});
    space_.fence();
    seconds_.rng += watch.seconds();
    watch.reset();
    for_each_stream_lane(space_, "rivulet::pi_count", work.size,
                         CountStored<decltype(point)>(*buffer_, {hits_, work}));
    space_.fence();
    seconds_.compute += watch.seconds();
  });
}

}  // namespace

std::unique_ptr<HitCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                            StreamRange range, StreamMapping mapping,
                                            const PiChoice& choice) {
  const std::uint64_t each = plan.generator().state_bytes + sizeof(std::uint64_t);
  const auto make = [&] {
    std::unique_ptr<HitCounter> counter;
    auto source = make_stream_source(space, plan, range, {mapping, choice.segments});
    with_point(choice, [&](auto point) {
      using Point = decltype(point);
      if (choice.kernel == PiKernel::stored) {
        counter = std::make_unique<StoredCounter>(space, std::move(source), choice);
      } else {
        counter = std::make_unique<FusedHitCounter<Point>>(space, std::move(source));
      }
    });
    return counter;
  };
  return require_memory_for(fmt::format("{} streams on one rank", range.count), range.count * each,
                            "Lower streams.count, or start more ranks on more nodes.", make);
}

}  // namespace rivulet

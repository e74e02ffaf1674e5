// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_stored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "machine/out_of_memory.hpp"

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
    int least = std::numeric_limits<int>::max();
    for (int l = 0; l < lanes<Word>; ++l) {
      if (l < live)
        valid_items_[l] = static_cast<int>(work.count(first + static_cast<std::uint64_t>(l)));
      max_items_ = std::max(max_items_, valid_items_[l]);
      least = std::min(least, valid_items_[l]);
    }
    is_full_ = least == max_items_;
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

}  // namespace

StoredCounter::StoredCounter(const Space& space, std::unique_ptr<StreamSource> source,
                             const PiChoice& choice)
    : HitCounter(space, std::move(source), {words_of(choice)}), choice_(choice) {
  if (source_->range().count > 0) make_buffer(source_->range().count);
}

std::optional<std::uint64_t> StoredCounter::buffer_bytes() const {
  return buffer_ ? WordBuffer::bytes(buffer_->streams(), buffer_->length()) : 0;
}

void StoredCounter::reserve_memory(const Work& work) {
  if (work.size > 0 && work.size != buffer_streams_) make_buffer(work.size);
}

/// Allocates a buffer of the preferred size, limited by pi.memory, and halves the size until the
/// allocation succeeds. The buffer holds at least one period for as many streams as keep every core
/// busy, if they fit. The remaining memory holds further periods of these streams.
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
  with_available_memory(max_bytes, smallest, [&](std::uint64_t bytes) {
    const std::uint64_t fit = bytes / smallest;
    const std::uint64_t at_once = std::min({tiles, device_build ? tiles : threads, fit});
    const std::uint64_t length = fit / at_once * period;
    require_memory_for("the buffer of words", WordBuffer::bytes(at_once * tile, length),
                       "Use fewer streams, or more ranks on more nodes.",
                       [&] { buffer_.emplace(at_once * tile, length); });
  });
}

void StoredCounter::count_part(const Work& work) {
  if (work.size == 0) return;
  buffer_->each_piece(work, words_of(choice_),
                      [this](const Work& piece) { generate_then_count(piece); });
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

}  // namespace rivulet

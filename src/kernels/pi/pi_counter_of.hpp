// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "kernels/pi/pi_count.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "kernels/pi/pi_fused.hpp"
#include "kernels/pi/pi_stored.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace impl {

/// Words kept by the stored kernel where the deck says "auto": on a CPU what stays in the second
/// cache of each core (512 KiB of the 1 to 2 MiB that today's have), on a GPU enough to hide
/// launches.
inline constexpr std::uint64_t bytes_per_core = std::uint64_t{512} << 10;
inline constexpr std::uint64_t bytes_per_device = std::uint64_t{1} << 30;

inline constexpr const char* pi_advice = "Use fewer streams, or more ranks on more nodes.";

inline std::uint64_t preferred_bytes(const Space& space) {
  return device_build ? bytes_per_device
                      : bytes_per_core * static_cast<std::uint64_t>(space.concurrency());
}

/// The buffer's shape: streams at a time (whole tiles) and rounds of words of each.
struct BufferShape {
  std::uint64_t streams = 0;
  std::uint64_t rounds = 0;
};

/// As many streams at once as keep every core busy, then as many points' rounds as fit. smallest:
/// bytes of a point's rounds of a tile.
inline BufferShape buffer_shape(const Space& space, std::uint64_t streams, std::uint64_t bytes,
                                std::uint64_t smallest, std::uint64_t point_words) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  const std::uint64_t tiles = (streams + tile - 1) / tile;
  const std::uint64_t busy = device_build ? tiles : static_cast<std::uint64_t>(space.concurrency());
  const std::uint64_t fit = bytes / smallest;
  const std::uint64_t at_once = std::min({tiles, busy, fit});
  return {at_once * tile, fit / at_once * point_words};
}

/// Counts on a generator's streams.
template <GeneratorType G>
class StreamPiCounter final : public PiCounter {
 public:
  using Streams = typename G::Streams;
  using Plan = typename G::Plan;

  StreamPiCounter(const Space& space, const Plan& plan, StreamRange range, StreamMapping mapping,
                  const PiChoice& choice)
      : space_(space),
        plan_(plan),
        mapping_(mapping),
        choice_(choice),
        streams_(plan, range),
        starter_(plan, range),
        hits_("rivulet::hits", range.count) {
    if (choice.kernel == PiKernel::stored && range.count > 0) make_buffer();
  }

  void restart() override {
    starter_.seed(space_, streams_);
    clear_hits(space_, hits_);
    space_.fence();
  }

  void count(const StreamBatch& batch) override {
    if (streams_.count() == 0) return;
    if (choice_.kernel == PiKernel::fused) {
      const Kokkos::Timer watch;
      count_pi_fused(space_, streams_at(batch.begin), mapping_, choice_, batch, hits_);
      space_.fence();
      seconds_.compute += watch.seconds();
      return;
    }
    for (std::uint64_t first = 0; first < streams_.count(); first += buffer_->streams()) {
      count_group(batch, first);
    }
  }

  void warm_up() override {
    const Seconds before = seconds_;
    const std::uint64_t points = round_points();
    count({{points * plan_.streams(), plan_.streams()}, 0, points});
    seconds_ = before;
  }

  const HitView& hits() const override { return hits_; }
  std::uint64_t round_points() const override { return draw_words(); }
  Seconds seconds() const override { return seconds_; }
  std::uint64_t state_bytes() const override { return streams_.state_bytes(); }
  std::uint64_t buffer_bytes() const override {
    return buffer_ ? WordBuffer::bytes(buffer_->streams(), buffer_->length()) : 0;
  }

 private:
  /// What is best and within the deck's limit or, where there is no memory for it, less.
  void make_buffer() {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    const std::uint64_t smallest = WordBuffer::bytes(tile, draw_words() * point_words());
    const std::uint64_t best = std::max(preferred_bytes(space_), smallest);
    const std::uint64_t most = choice_.memory == 0 ? best : std::min(choice_.memory, best);
    if (most < smallest) {
      throw Error(fmt::format("pi.memory={} B is too small", choice_.memory),
                  fmt::format("a round of words of {} streams takes {} B", tile, smallest),
                  fmt::format("Give at least {} B, or auto.", smallest));
    }
    with_what_memory_there_is(most, smallest, [&](std::uint64_t bytes) {
      const BufferShape shape =
          buffer_shape(space_, streams_.count(), bytes, smallest, point_words());
      const std::uint64_t length = shape.rounds * draw_words();
      require_memory_for("the buffer of words", WordBuffer::bytes(shape.streams, length), pi_advice,
                         [&] { buffer_.emplace(shape.streams, length); });
    });
  }

  std::uint64_t draw_words() const {
    return static_cast<std::uint64_t>(words_per_draw<Streams>(mapping_));
  }
  std::uint64_t point_words() const { return choice_.point == PointKind::packed ? 1 : 2; }

  /// The streams where they have made so many points.
  Streams streams_at(std::uint64_t points) const {
    const std::uint64_t numbers = point_words() * Streams::numbers_per_word;
    return after_rounds(streams_, Uint128{points} * numbers / Streams::round_numbers);
  }

  /// A batch of the streams that the buffer holds at once, a buffer at a time.
  void count_group(const StreamBatch& batch, std::uint64_t first) {
    const std::uint64_t streams = std::min(buffer_->streams(), streams_.count() - first);
    const std::uint64_t most = batch.points(streams_.range().first + first);
    const std::uint64_t in_buffer = buffer_->length() / point_words();
    for (std::uint64_t done = 0; done < most; done += in_buffer) {
      const std::uint64_t points = std::min(in_buffer, most - done);
      const std::uint64_t rounds = (points * point_words() + draw_words() - 1) / draw_words();
      const std::uint64_t begin = batch.begin + done;
      const StoredPiece piece{
          first, streams, rounds, {batch.share, begin, std::min(begin + in_buffer, batch.end)}};
      generate_then_count(piece);
    }
  }

  void generate_then_count(const StoredPiece& piece) {
    Kokkos::Timer watch;
    generate_words(space_, streams_at(piece.points.begin), mapping_, piece, *buffer_);
    space_.fence();
    seconds_.rng += watch.seconds();
    watch.reset();
    count_pi_stored(space_, choice_, piece,
                    {*buffer_, streams_.range().first + piece.first, draw_words()}, hits_);
    space_.fence();
    seconds_.compute += watch.seconds();
  }

  Space space_;
  const Plan& plan_;
  StreamMapping mapping_;
  PiChoice choice_;
  Streams streams_;
  typename G::Starter starter_;
  HitView hits_;
  std::optional<WordBuffer> buffer_;
  Seconds seconds_;
};

}  // namespace impl

/// A unit of its own for each generator (src/kernels/unit.cpp.in).
template <GeneratorType G>
std::unique_ptr<PiCounter> make_pi_counter_of(const Space& space, const typename G::Plan& plan,
                                              StreamRange range, StreamMapping mapping,
                                              const PiChoice& choice) {
  return std::make_unique<impl::StreamPiCounter<G>>(space, plan, range, mapping, choice);
}

}  // namespace rivulet

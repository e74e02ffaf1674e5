// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/terminal/messages.hpp"
#include "kernels/generators/segmented.hpp"
#include "kernels/pi/pi_count.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "kernels/pi/pi_fused.hpp"
#include "kernels/pi/pi_stored.hpp"
#include "machine/device_bytes.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace detail {

/// Words kept by the stored kernel where the deck says "auto": on a CPU what stays in the second
/// cache of each core (512 KiB of the 1 to 2 MiB that today's have), on a GPU enough to hide
/// launches.
inline constexpr std::uint64_t bytes_per_core = std::uint64_t{512} << 10;
inline constexpr std::uint64_t bytes_per_device = std::uint64_t{4} << 30;

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
        segmented_(plan, range, mapping, choice.segments),
        hits_("rivulet::hits", range.count) {
    if (choice.kernel == PiKernel::stored && range.count > 0) make_buffer(range.count);
  }

  void restart() override {
    segmented_.restart(space_);
    clear_hits(space_, hits_);
    resting_ = 0;
    hits_so_far_ = 0;
    space_.fence();
  }

  void resume(std::uint64_t points, const std::vector<std::uint64_t>& hits) override {
    // Streams without state stay where they were put.
    if constexpr (!StreamsWithoutState<Streams>) segmented_.advance(space_, rounds_at(points));
    resting_ = points;
    copy_to_device(hits_.data(), hits.data(), hits.size() * sizeof(std::uint64_t));
    for (const std::uint64_t one : hits) hits_so_far_ += one;
    space_.fence();
  }

  std::vector<PiRange> ranges(const PiRange& range) override {
    if (range.marks.size() == 1 || counts_together(range) || fits(range)) return {range};
    std::vector<PiRange> each;
    std::uint64_t begin = range.begin;
    for (const std::uint64_t mark : range.marks) {
      each.push_back({range.share, begin, {mark}});
      begin = mark;
    }
    return each;
  }

  void place(const PiRange& range) override {
    const bool together = counts_together(range);
    cut_ = together ? whole(range) : cut_of(range);
    if (cut_.count > 1 && !make_room(cut_)) cut_ = whole(range);
    batch_ = {range.share, this->range().first,
              cut_,        range.begin,
              range.end(), cut_.rounds / rounds_per_period() * round_points(),
              0,           0};
    batches_ = range.marks.size();
    slots_ = {hits_, nullptr, together ? sums_of(range) : BatchSums()};
    if (buffer_) fit_buffer();
    if (resting_ < range.begin) {  // segments of theirs were drawn
      segmented_.advance(space_, rounds_at(range.begin) - rounds_at(resting_), segmented_.all());
      resting_ = range.begin;
    }
    if (cut_.count == 1) return;
    segmented_.place(space_, rounds_at(resting_));
    split(range);
  }

  std::uint64_t segment_points() const override { return batch_.length; }

  void count_segments(std::uint64_t from, std::uint64_t upto) override {
    if (range().count == 0) return;
    SegmentBatch batch = batch_;
    batch.from = from;
    batch.upto = upto;
    if (const std::uint64_t* const ends = slots_.batches.ends; ends != nullptr) {
      slots_.batches.first =
          static_cast<std::uint64_t>(std::upper_bound(ends, ends + batches_, from) - ends);
    }
    count_on(batch);
    if (cut_.count == 1) resting_ = batch_.begin + upto;
  }

  std::vector<std::uint64_t> batch_hits() override {
    if (slots_.batches.ends != nullptr) return batch_sums();
    if (cut_.count == 1) {
      const std::uint64_t before = hits_so_far_;
      hits_so_far_ = sum_of(hits_);
      return {hits_so_far_ - before};
    }
    const HitView batches(std::string("rivulet::batch_hits"), batches_);
    add_segment_hits(space_, {slots_, cut_, batch_of_.data(), hits_, batches});
    std::vector<std::uint64_t> hits(batches_);
    copy_to_host(hits.data(), batches.data(), batches_ * sizeof(std::uint64_t));
    for (const std::uint64_t one : hits) hits_so_far_ += one;
    return hits;
  }

  void warm_up() override {
    const Seconds before = seconds_;
    const std::uint64_t points = round_points();
    cut_ = {0, range().count, 1, rounds_per_period()};
    slots_ = {hits_, nullptr};
    count_on({{points * plan_.streams(), plan_.streams()},
              range().first,
              cut_,
              0,
              points,
              points,
              0,
              points});
    seconds_ = before;
  }

  const HitView& hits() const override { return hits_; }
  std::uint64_t round_points() const override { return draw_words(); }
  Seconds seconds() const override { return seconds_; }
  std::uint64_t state_bytes() const override { return segmented_.state_bytes(); }
  std::uint64_t buffer_bytes() const override {
    return buffer_ ? WordBuffer::bytes(buffer_->streams(), buffer_->length()) : 0;
  }

 private:
  StreamRange range() const { return segmented_.streams().range(); }

  /// What is best and within the deck's limit or, where there is no memory for it, less.
  void make_buffer(std::uint64_t streams) {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    const std::uint64_t smallest = WordBuffer::bytes(tile, draw_words() * point_words());
    const std::uint64_t best = std::max(preferred_bytes(space_), smallest);
    const std::uint64_t most = choice_.memory == 0 ? best : std::min(choice_.memory, best);
    if (most < smallest) {
      throw Error(fmt::format("pi.memory={} B is too small", choice_.memory),
                  fmt::format("a round of words of {} streams takes {} B", tile, smallest),
                  fmt::format("Give at least {} B, or auto.", smallest));
    }
    buffer_.reset();
    buffered_ = streams;
    with_what_memory_there_is(most, smallest, [&](std::uint64_t bytes) {
      const BufferShape shape = buffer_shape(space_, streams, bytes, smallest, point_words());
      const std::uint64_t length = shape.rounds * draw_words();
      require_memory_for("the buffer of words", WordBuffer::bytes(shape.streams, length), pi_advice,
                         [&] { buffer_.emplace(shape.streams, length); });
    });
  }
  void fit_buffer() {
    if (cut_.total() != buffered_) make_buffer(cut_.total());
  }

  std::uint64_t draw_words() const {
    return static_cast<std::uint64_t>(words_per_draw<Streams>(mapping_));
  }
  std::uint64_t point_words() const { return choice_.point == PointKind::packed ? 1 : 2; }
  std::uint64_t rounds_at(std::uint64_t points) const {
    return points / round_points() * rounds_per_period();
  }
  /// Rounds of the generator that make round_points() points.
  std::uint64_t rounds_per_period() const {
    return draw_words() * point_words() * Streams::numbers_per_word / Streams::round_numbers;
  }

  /// Periods of the streams with the most points, the last one perhaps in part.
  std::uint64_t periods_of(const PiRange& range) const {
    const std::uint64_t end = std::min(range.end(), range.share.most());
    const std::uint64_t points = end > range.begin ? end - range.begin : 0;
    return (points + round_points() - 1) / round_points();
  }
  Segments whole(const PiRange& range) const {
    return segmented_.cut_into(segmented_.all(), periods_of(range), rounds_per_period(), 1);
  }
  Segments best_cut(const PiRange& range) const {
    return segmented_.cut(space_, segmented_.all(), periods_of(range), rounds_per_period());
  }
  /// A segment has two slots, so that at most one batch may end within it: none but the first and
  /// the last may be shorter than a segment.
  Segments cut_of(const PiRange& range) const {
    const Segments best = best_cut(range);
    if (range.marks.size() == 1) return best;
    const std::uint64_t periods = periods_of(range);
    std::uint64_t shortest = std::max(periods, std::uint64_t{1});
    for (std::size_t i = 1; i + 1 < range.marks.size(); ++i) {
      const std::uint64_t points = range.marks[i] - range.marks[i - 1];
      shortest = std::min(shortest, points / round_points());
    }
    const std::uint64_t least = (periods + shortest - 1) / shortest;
    return segmented_.cut_into(segmented_.all(), periods, rounds_per_period(),
                               std::max(best.count, least));
  }
  /// Whether several batches of streams that are not cut are counted in one go through them.
  bool counts_together(const PiRange& range) const {
    return !device_build && choice_.kernel == PiKernel::fused && range.marks.size() > 1 &&
           best_cut(range).count == 1;
  }
  BatchSums sums_of(const PiRange& range) {
    std::vector<std::uint64_t> ends = range.marks;
    for (std::uint64_t& end : ends) end -= range.begin;
    batch_of_ = to_device("rivulet::batches", ends);
    constexpr std::uint64_t most_sums = 1u << 16;  // half a MiB
    const std::uint64_t copies = std::clamp<std::uint64_t>(most_sums / batches_, 1, 64);
    return {batch_of_.data(), batches_, 0, copies,
            HitView("rivulet::batch_hits", copies * batches_)};
  }
  std::vector<std::uint64_t> batch_sums() {
    std::vector<std::uint64_t> hits(batches_);
    for (std::uint64_t i = 0; i < slots_.batches.sums.extent(0); ++i) {
      hits[i % batches_] += slots_.batches.sums(i);
      hits_so_far_ += slots_.batches.sums(i);
    }
    return hits;
  }
  /// Whether several batches are counted in one cut: where that gains, and there may be as many
  /// segments as they need, and is the memory for them.
  bool fits(const PiRange& range) {
    const Segments cut = cut_of(range);
    if (best_cut(range).count == 1 || cut.count == 1) return false;
    return segmented_.at_most(space_, cut.streams, cut.count) == cut.count && make_room(cut);
  }
  bool make_room(const Segments& cut) {
    if (!segmented_.make_room(cut)) return false;
    if (segment_hits_.extent(0) >= 2 * cut.total()) return true;
    try {
      segment_hits_ = {};
      segment_hits_ = HitView("rivulet::segment_hits", 2 * cut.total());
      return true;
    } catch (const std::exception& failure) {
      if (!io::tells_of_memory(failure)) throw;
      return false;
    }
  }

  /// Where batches end within segments, for each number of a segment.
  void split(const PiRange& range) {
    std::vector<std::uint64_t> at(cut_.count);
    std::vector<std::uint64_t> batch(cut_.count);
    std::uint64_t own = 0;
    for (std::uint64_t j = 0; j < cut_.count; ++j) {
      const std::uint64_t start = range.begin + j * batch_.length;
      while (own + 1 < range.marks.size() && range.marks[own] <= start) ++own;
      const bool is_last = own + 1 == range.marks.size();
      at[j] = is_last ? ~std::uint64_t{0} : range.marks[own] - start;
      batch[j] = own;
    }
    batch_of_ = to_device("rivulet::batches", batch);
    if (range.marks.size() > 1) split_ = to_device("rivulet::splits", at);
    slots_ = {segment_hits_, range.marks.size() > 1 ? split_.data() : nullptr};
  }

  /// The streams, or their segments, after `from` points of the batch.
  Streams streams_at(const SegmentBatch& batch, std::uint64_t from) const {
    if (batch.cut.count > 1) return after_rounds(segmented_.segments(), rounds_at(from));
    return after_rounds(segmented_.streams(), rounds_at(batch.begin + from));
  }

  void count_on(const SegmentBatch& batch) {
    if (choice_.kernel == PiKernel::fused) {
      const Kokkos::Timer watch;
      count_pi_fused(space_, streams_at(batch, batch.from), mapping_, choice_, batch, slots_);
      space_.fence();
      seconds_.compute += watch.seconds();
      return;
    }
    const std::uint64_t all = batch.cut.total();
    for (std::uint64_t first = 0; first < all; first += buffer_->streams()) {
      count_group(batch, first, std::min(buffer_->streams(), all - first));
    }
  }

  /// A batch of the streams that the buffer holds at once, a buffer at a time.
  void count_group(const SegmentBatch& batch, std::uint64_t first, std::uint64_t streams) {
    const std::uint64_t most = batch.from + batch.points(first);
    const std::uint64_t in_buffer = buffer_->length() / point_words();
    StoredPiece piece{first, streams, 0, batch};
    for (std::uint64_t done = batch.from; done < most; done += in_buffer) {
      const std::uint64_t points = std::min(in_buffer, most - done);
      piece.rounds = (points * point_words() + draw_words() - 1) / draw_words();
      piece.points.from = done;
      piece.points.upto = std::min(done + in_buffer, batch.upto);
      generate_then_count(piece);
    }
  }

  void generate_then_count(const StoredPiece& piece) {
    Kokkos::Timer watch;
    generate_words(space_, streams_at(piece.points, piece.points.from), mapping_, piece, *buffer_);
    space_.fence();
    seconds_.rng += watch.seconds();
    watch.reset();
    count_pi_stored(space_, choice_, piece, {*buffer_, draw_words()}, slots_);
    space_.fence();
    seconds_.compute += watch.seconds();
  }

  Space space_;
  const Plan& plan_;
  StreamMapping mapping_;
  PiChoice choice_;
  Segmented<G> segmented_;
  Segments cut_;
  SegmentBatch batch_;
  std::uint64_t batches_ = 1;
  std::uint64_t resting_ = 0;  ///< points that the streams have made where they rest
  HitView hits_;
  std::uint64_t hits_so_far_ = 0;
  HitView segment_hits_;
  HitView split_;
  HitView batch_of_;
  HitSlots slots_;
  std::optional<WordBuffer> buffer_;
  std::uint64_t buffered_ = 0;  ///< streams or segments that the buffer was made for
  Seconds seconds_;
};

}  // namespace detail

template <GeneratorType G>
std::unique_ptr<PiCounter> make_pi_counter_of(const Space& space, const typename G::Plan& plan,
                                              StreamRange range, StreamMapping mapping,
                                              const PiChoice& choice) {
  return std::make_unique<detail::StreamPiCounter<G>>(space, plan, range, mapping, choice);
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "draw/by_lane.hpp"
#include "draw/by_team.hpp"
#include "draw/stream_source.hpp"
#include "generators/generator_type.hpp"
#include "generators/warp_engine.hpp"
#include "io/words/messages.hpp"

namespace rivulet {

/// The StreamSource of generator G. Segments have states of their own. A cut reuses the memory of
/// the last cut if both have equally many segments.
template <GeneratorType G>
class StreamSourceOf final : public StreamSource {
 public:
  using Streams = typename G::Streams;

  StreamSourceOf(const Space& space, const typename G::Plan& plan, StreamRange range,
                 const DrawOptions& options)
      : StreamSource(plan, options),
        space_(space),
        streams_(plan, range),
        starter_(plan, range),
        by_lanes_(options.segments_by_lanes && StreamsByLane<Streams>) {}

  void restart() override {
    starter_.seed(space_, streams_);
    lagging_.rounds = stored_rounds_ = 0;
  }
  void resume(Uint128 rounds) override {
    if constexpr (!StreamsWithoutState<Streams>) starter_.advance(space_, streams_, rounds);
    stored_rounds_ = rounds;
    space_.fence();
  }
  void advance(Uint128 rounds) override {
    advance_lagging();
    // Streams without state are still at the position last set, so the rounds drawn since are
    // added.
    const Uint128 from = StreamsWithoutState<Streams> ? stored_rounds_ : 0;
    starter_.advance(space_, streams_, from + rounds);
    stored_rounds_ = 0;
  }

  ItemPeriod period(ItemShape shape) const override {
    if constexpr (StreamsByLane<Streams>) {
      if (!shape.is_raw) {
        return ItemPeriod::of(shape, Streams::round_words, Streams::numbers_per_word);
      }
    }
    const int raw = shape.is_raw ? 1 : int{Streams::numbers_per_word};
    return ItemPeriod::of({shape.numbers * raw, true}, Streams::round_numbers, 1);
  }

  Work plan_cut(const ItemRange& range, ItemShape shape, bool written) const override {
    const ItemPeriod item_period = period(shape);
    const Segments cut = segments_of(range, item_period, written);
    if (cut.count == 1) return uncut(range);
    const std::uint64_t length = cut.rounds / item_period.rounds * item_period.items;
    Work work{range.share, streams_.range().first, cut, range.begin, end_of(range), length};
    work.size = cut.total();
    work.end_item = length;
    return work;
  }

  Work cut_streams(const ItemRange& range, ItemShape shape, bool written) override {
    advance_lagging();
    const Work work = plan_cut(range, shape, written);
    if (!work.is_cut()) return work;
    if (!allocate_segments(work.cut)) return uncut(range);
    const ItemPeriod item_period = period(shape);
    const Uint128 begin = rounds_before(range.begin, item_period);
    if constexpr (CutsStreams<G>) {
      starter_.place(space_, after_rounds(streams_, begin), *segments_, work.cut);
    }
    mapping_ = best_mapping(work.cut);
    stored_rounds_ = rounds_before(work.end, item_period);
    lagging_ = {range.streams, stored_rounds_ - begin};
    return work;
  }

  Work uncut(const ItemRange& range) const override {
    return Work::uncut(range, streams_.range().first);
  }

#if !RIVULET_DEVICE_BUILD
  void draw(const Work& work, const HostConsumer<std::uint32_t>& consumer) override {
    draw_on_host(work, consumer);
  }
  void draw(const Work& work, const HostConsumer<std::uint64_t>& consumer) override {
    draw_on_host(work, consumer);
  }
#endif

  StreamMapping mapping_of(const Work& work) const override {
    return work.is_cut() ? mapping_ : options().mapping;
  }
  StreamRange range() const override { return streams_.range(); }
  std::uint64_t state_bytes() const override {
    return streams_.state_bytes() + (segments_ ? segments_->state_bytes() : 0);
  }
  std::vector<std::byte> save() override {
    advance_lagging();
    space_.fence();
    return after_rounds(streams_, stored_rounds_).save();
  }
  void restore(std::span<const std::byte> states) override {
    space_.fence();
    streams_.restore(states);
    lagging_.rounds = stored_rounds_ = 0;
  }

  const Space& space() const { return space_; }

  /// Calls use(streams, mapping) with the streams or segments at the last period boundary before
  /// the work's items. Records the last boundary within the work, where uncut streams are stored.
  template <class Use>
  void draw_with(const Work& work, ItemShape shape, const Use& use) {
    if (work.size == 0 || work.first_item >= work.end_item) return;
    const ItemPeriod item_period = period(shape);
    if (work.is_cut()) {
      use(after_rounds(*segments_, rounds_before(work.first_item, item_period)), mapping_);
    } else {
      advance_lagging();
      use(after_rounds(streams_, rounds_before(work.begin + work.first_item, item_period)),
          options().mapping);
      stored_rounds_ = rounds_before(std::min(work.begin + work.end_item, work.end), item_period);
    }
  }

 private:
  /// Streams that were drawn in segments. The stored states of these streams lag behind by `rounds`
  /// rounds.
  struct LaggingStreams {
    StreamRange streams;
    Uint128 rounds = 0;
  };

  static std::uint64_t end_of(const ItemRange& range) {
    return std::max(std::min(range.end, range.share.max_items()), range.begin);
  }
  /// Returns how many periods of the range the longest streams have. A partial last period counts.
  static std::uint64_t periods_of(const ItemRange& range, const ItemPeriod& period) {
    return (end_of(range) - range.begin + period.items - 1) / period.items;
  }
  static Uint128 rounds_before(std::uint64_t item, const ItemPeriod& period) {
    return Uint128{item / period.items} * period.rounds;
  }

  /// Advances streams that were drawn in segments. A no-op for streams without state.
  void advance_lagging() {
    const Uint128 rounds = std::exchange(lagging_.rounds, 0);
    if constexpr (CutsStreams<G> && !StreamsWithoutState<Streams>) {
      if (rounds > 0) starter_.advance(space_, streams_, rounds, lagging_.streams);
    }
  }

  /// Cuts each stream into at most the best number of segments, which end at period boundaries.
  Segments segments_of(const ItemRange& range, const ItemPeriod& period, bool written) const {
    std::uint64_t count = 1;
    if constexpr (CutsStreams<G>) {
      SegmentWork work{options().mapping,    team_members<Streams>(),
                       range.streams.count,  periods_of(range, period) * period.rounds,
                       Streams::jump_rounds, Streams::min_numbers_to_cut};
      if (written) work.written = work.rounds * Streams::round_numbers * work.streams;
      if (range.begin % period.items == 0) {
        if (options().segments > 0) {
          count = options().segments;
        } else if (!written || !write_at_full_speed(space_, work)) {
          count = best_count(work);
        }
      }
    }
    Segments cut = cut_evenly(range.streams.count, periods_of(range, period), count);
    cut.first = range.streams.first;
    cut.rounds *= period.rounds;
    return cut;
  }
  std::uint64_t best_count(SegmentWork work) const {
    const std::uint64_t by_mapping = best_segments(space_, work);
    if (!by_lanes_) return by_mapping;
    const auto numbers = static_cast<std::uint64_t>(Streams::round_numbers) * work.rounds;
    if (!device_build && numbers * work.streams < Streams::min_numbers_to_cut) return 1;
    work.mapping = StreamMapping::lane;
    const std::uint64_t by_lanes =
        device_build ? best_segments(space_, work) : segments_for_vectors(space_, work);
    const bool is_better = options().mapping == StreamMapping::lane ||
                           lanes_are_better(space_, by_lanes * work.streams);
    return is_better ? by_lanes : by_mapping;
  }
  /// Returns the mapping that draws the segments of a cut.
  StreamMapping best_mapping(const Segments& cut) const {
    const bool by_lanes = by_lanes_ && lanes_are_better(space_, cut.total());
    return by_lanes ? StreamMapping::lane : options().mapping;
  }

  /// Allocates the states of the segments. Returns false if memory is short.
  bool allocate_segments(const Segments& cut) {
    if constexpr (CutsStreams<G>) {
      try {
        if (segments_ && allocated_segments_ != cut.total()) segments_.reset();
        if (!segments_) segments_.emplace(streams_);
        segments_->cut_into(cut);
        allocated_segments_ = cut.total();
        return true;
      } catch (const std::exception& failure) {
        segments_.reset();
        if (!io::is_out_of_memory(failure)) throw;
      }
    }
    return false;
  }

#if !RIVULET_DEVICE_BUILD
  template <class Integer>
  void draw_on_host(const Work& work, const HostConsumer<Integer>& consumer) {
    draw_with(work, consumer.shape, [&](const Streams& from, StreamMapping runtime_mapping) {
      with_mapping<Streams>(runtime_mapping, [&](auto mapping) {
        using MappedStreams = typename decltype(mapping)::Streams;
        if constexpr (mapping() == StreamMapping::team) {
          draw_by_team<Integer>(space_, from, work, consumer);
        } else {
          draw_lanes<MappedStreams>(from, work, consumer);
        }
      });
    });
  }
  template <class MappedStreams, class Integer>
  void draw_lanes(const MappedStreams& from, const Work& work,
                  const HostConsumer<Integer>& consumer) {
    if constexpr (detail::HasScalarEngine<MappedStreams> &&
                  std::is_same_v<Integer, std::uint32_t>) {
      if (work.size == 1) {
        return draw_by_team<Integer, MappedStreams, detail::ScalarEngine<MappedStreams>>(
            space_, from, work, consumer, "");
      }
    }
    const auto draw = [&](auto numbers) {
      using Numbers = typename decltype(numbers)::type;
      if constexpr (std::is_same_v<typename Numbers::Integer, Integer>) {
        draw_by_lane<Numbers>(space_, from, work, consumer);
      } else {
        throw std::logic_error("a consumer of other integers than the generator's");
      }
    };
    if (consumer.shape.is_raw) {
      draw(std::type_identity<NumbersOf<MappedStreams, true>>{});
    } else {
      draw(std::type_identity<NumbersOf<MappedStreams, false>>{});
    }
  }
#endif

  Space space_;
  Streams streams_;
  typename G::Starter starter_;
  bool by_lanes_;
  std::optional<Streams> segments_;
  std::uint64_t allocated_segments_ = 0;
  StreamMapping mapping_ = StreamMapping::lane;  ///< mapping of the segments
  Uint128 stored_rounds_ = 0;  ///< rounds from the position last set to the stored states
  LaggingStreams lagging_;
};

template <GeneratorType G>
std::unique_ptr<StreamSource> make_stream_source_of(const Space& space,
                                                    const typename G::Plan& plan, StreamRange range,
                                                    const DrawOptions& options) {
  return std::make_unique<StreamSourceOf<G>>(space, plan, range, options);
}

}  // namespace rivulet

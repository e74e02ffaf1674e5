// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>

#include "generators/segmented.hpp"
#include "kernels/alias/alias_kernel.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/alias/alias_sort.hpp"
#include "machine/devices.hpp"

namespace rivulet {
namespace detail {

/// Samples a table with a generator's streams.
template <GeneratorType G>
class StreamAliasSampler final : public AliasSampler {
 public:
  using Streams = typename G::Streams;
  using Plan = typename G::Plan;

  StreamAliasSampler(const Space& space, const Plan& plan, StreamRange range,
                     const AliasTable& table, const AliasMapping& mapping)
      : space_(space),
        mapping_(mapping),
        segmented_(plan, range, mapping.streams, mapping.segments),
        table_(table.levels()),
        histogram_(space, table.cells()) {
    // Without spare memory draws are slower, and the counts are the same.
    if (counts_beside_buckets() &&
        memory_left().bytes / 2 >= detail::AliasBuckets::bytes(table_.cells[0])) {
      make([this] { buckets_.emplace(space_, table_.entries[0]); });
    }
  }

  void restart() override {
    segmented_.restart(space_);
    resting_ = 0;
    histogram_.clear(space_);
    if (buckets_) buckets_->clear(space_);
    space_.fence();
  }

  void resume(std::uint64_t samples) override {
    // Streams without state do not move.
    if constexpr (!StreamsWithoutState<Streams>) segmented_.advance(space_, rounds_at(samples));
    resting_ = samples;
    space_.fence();
  }

  void sample(const StreamBatch& batch, const AliasSamples& samples) override {
    if (streams().count() == 0) return;
    rest_at(batch.begin);
    draw(streams_at(batch.begin), uncut(batch, streams().range()), samples);
    resting_ = batch.end;
  }

  void place(const StreamBatch& batch) override {
    const std::uint64_t round = round_samples();
    const std::uint64_t end = std::min(batch.end, batch.share.most());
    const std::uint64_t periods = (end - batch.begin + round - 1) / round;
    cut_ = segmented_.cut(space_, segmented_.all(), periods, rounds_at(round));
    if (cut_.count > 1 && !segmented_.make_room(cut_)) {
      cut_ = segmented_.cut_into(segmented_.all(), periods, rounds_at(round), 1);
    }
    batch_ = {batch.share, streams().range().first,
              cut_,        batch.begin,
              end,         cut_.rounds / rounds_at(round) * round,
              0,           0};
    rest_at(batch.begin);
    if (cut_.count > 1) segmented_.place(space_, rounds_at(resting_));
  }
  std::uint64_t segment_samples() const override { return batch_.length; }

  void sample_segments(std::uint64_t from, std::uint64_t upto) override {
    if (streams().count() == 0) return;
    SegmentBatch batch = batch_;
    batch.from = from;
    batch.upto = upto;
    if (cut_.count == 1) {
      draw(streams_at(batch.begin + from), batch, {});
      resting_ = batch.begin + upto;
    } else {
      draw(after_samples(segmented_.segments(), from, table_.sample_words()), batch, {});
    }
  }

  CountView histogram() const override {
    if (buckets_) buckets_->settle(space_, histogram_);
    return histogram_.sum(space_);
  }
  std::uint64_t round_samples() const override {
    return alias_round_samples<Streams>(mapping_.streams, table_.sample_words());
  }
  std::uint64_t state_bytes() const override { return segmented_.state_bytes(); }

 private:
  const Streams& streams() const { return segmented_.streams(); }
  /// The streams after `samples` samples of each.
  Streams streams_at(std::uint64_t samples) const {
    return after_samples(streams(), samples, table_.sample_words());
  }
  /// Rounds of a stream for `samples` samples, a multiple of round_samples().
  std::uint64_t rounds_at(std::uint64_t samples) const {
    return samples * static_cast<std::uint64_t>(table_.sample_words() * Streams::numbers_per_word) /
           Streams::round_numbers;
  }
  /// Advances streams that were drawn in segments to their place after `samples` samples.
  void rest_at(std::uint64_t samples) {
    if (samples <= resting_) return;
    segmented_.advance(space_, rounds_at(samples - resting_), segmented_.all());
    resting_ = samples;
  }

  void draw(const Streams& from, const SegmentBatch& batch, const AliasSamples& samples) {
    if (!sampled_in_buckets(from, batch, samples) &&
        (samples.stride != 0 || !sampled_in_sections(from, batch))) {
      sample_alias(space_, from, mapping_, table_, histogram_, batch, samples);
    }
    space_.fence();
  }

  /// Whether counts may lie beside the buckets: with the lane mapping only.
  bool counts_beside_buckets() const {
    return !device_build && StreamsByLane<Streams> && table_.sample_words() == 2 &&
           !mapping_.sections && mapping_.streams == StreamMapping::lane &&
           table_.cells[0] >= mapping_.buckets_from;
  }

  /// Whether there was memory for what make() allocates.
  template <class Make>
  static bool make(const Make& allocate) {
    try {
      allocate();
    } catch (const std::exception&) {  // Kokkos' own
      return false;
    }
    return true;
  }

  bool sampled_in_buckets([[maybe_unused]] const Streams& from,
                          [[maybe_unused]] const SegmentBatch& batch,
                          [[maybe_unused]] const AliasSamples& samples) {
    if constexpr (!device_build && StreamsByLane<Streams>) {
      const std::uint64_t streams = batch.cut.total();
      const std::uint64_t each = std::max(batch.last(), batch.from) - batch.from;
      if (!counts_beside_buckets() || !buckets_ ||
          each > detail::AliasBuckets::most_draws / streams) {
        return false;
      }
      buckets_->expect(space_, histogram_, each * streams);
      for_each_stream_lane(space_, "rivulet::alias_buckets", streams,
                           AliasBucketKernel<Streams>{from, buckets_->data(), table_.cells[0],
                                                      space_.concurrency() > 1, batch, samples});
      return true;
    } else {
      return false;
    }
  }

  /// Samples a batch with sorted draws, if that pays and there is memory. Otherwise returns false,
  /// and the draws are looked up unsorted: slower, with the same counts.
  bool sampled_in_sections(const Streams& from, const SegmentBatch& batch) {
    if constexpr (sorts_draws<Streams>) {
      if (!in_sections(batch)) return false;
      sample_in_sections(space_, from, {table_, histogram_}, *buckets_, *sections_, batch);
      return true;
    } else {
      return false;
    }
  }

  bool in_sections(const SegmentBatch& batch) {
    if (table_.sample_words() != 2 || mapping_.streams != StreamMapping::lane || sections_failed_) {
      return false;
    }
    const std::uint64_t cells = table_.cells[0];
    const AliasSectionSizes shape = mapping_.sections.value_or(AliasSectionSizes::of(cells));
    const std::uint64_t segments = batch.cut.total();
    const std::uint64_t draws = (std::max(batch.last(), batch.from) - batch.from) * segments;
    const bool wanted =
        mapping_.sections || (device_build && AliasSectionSizes::pays(cells, draws));
    if (!wanted || !fit_in_sections<Streams>(segments, shape)) return false;
    if (sections_) return true;
    sections_failed_ = !make([&] {
      buckets_.emplace(space_, table_.entries[0]);
      sections_.emplace(cells, shape);
    });
    return !sections_failed_;
  }

  Space space_;
  AliasMapping mapping_;
  Segmented<G> segmented_;
  Segments cut_;
  SegmentBatch batch_;
  std::uint64_t resting_ = 0;  ///< samples of each stream before its stored state
  AliasTable::Levels table_;
  AliasHistogram histogram_;
  /// Buckets with counts beside them.
  mutable std::optional<detail::AliasBuckets> buckets_;
  std::optional<detail::AliasSections> sections_;  ///< made when draws are first sorted
  bool sections_failed_ = false;
};

}  // namespace detail

template <GeneratorType G>
std::unique_ptr<AliasSampler> make_alias_sampler_of(const Space& space,
                                                    const typename G::Plan& plan, StreamRange range,
                                                    const AliasTable& table,
                                                    const AliasMapping& mapping) {
  return std::make_unique<detail::StreamAliasSampler<G>>(space, plan, range, table, mapping);
}

}  // namespace rivulet

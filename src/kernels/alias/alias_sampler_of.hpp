// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>

#include "kernels/alias/alias_kernel.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/alias/alias_sort.hpp"
#include "machine/devices.hpp"

namespace rivulet {
namespace impl {

/// Draws from a table of narrow entries on a generator's streams.
template <GeneratorType G>
class StreamAliasSampler final : public AliasSampler {
 public:
  using Streams = typename G::Streams;
  using Plan = typename G::Plan;

  StreamAliasSampler(const Space& space, const Plan& plan, StreamRange range,
                     const AliasTable& table, const AliasMapping& mapping)
      : space_(space),
        mapping_(mapping),
        streams_(plan, range),
        starter_(plan, range),
        table_(table.levels()),
        histogram_(space, table.first_cell(), table.own_cells()) {
    if (counts_beside_buckets()) make_buckets();
  }

  void restart() override {
    starter_.seed(space_, streams_);
    histogram_.clear(space_);
    if (buckets_) buckets_->clear(space_);
    space_.fence();
  }

  void sample(const StreamBatch& batch, const AliasSamples& samples) override {
    if (streams_.count() == 0) return;
    if (!sampled_in_buckets(batch, samples) &&
        (samples.stride != 0 || !sampled_in_sections(batch))) {
      sample_alias(space_, streams_at(batch.begin), mapping_, table_, histogram_, batch, samples);
    }
    space_.fence();
  }

  CountView histogram() const override {
    if (buckets_) buckets_->settle(space_, histogram_);
    return histogram_.sum(space_);
  }
  std::uint64_t round_samples() const override {
    return alias_round_samples<Streams>(mapping_.streams, table_.count);
  }
  std::uint64_t state_bytes() const override { return streams_.state_bytes(); }

 private:
  /// The streams where they have drawn so many samples.
  Streams streams_at(std::uint64_t samples) const {
    return after_samples(streams_, samples, table_.count);
  }

  /// Whether it is done at all, for lanes alone.
  bool counts_beside_buckets() const {
    return !device_build && StreamsByLane<Streams> && table_.count == 1 && !mapping_.sections &&
           mapping_.streams == StreamMapping::lane && table_.cells[0] >= mapping_.buckets_from;
  }

  /// If there is memory to spare for it: without, draws are slower, and the counts the same.
  void make_buckets() {
    const std::uint64_t bytes = impl::AliasBuckets::bytes(table_.cells[0]);
    if (memory_left().bytes / 2 < bytes) return;
    try {
      buckets_.emplace(space_, table_.entries[0]);
    } catch (const std::exception&) {  // Kokkos' own
    }
  }

  bool sampled_in_buckets(const StreamBatch& batch, const AliasSamples& samples) {
    if constexpr (!device_build && StreamsByLane<Streams>) {
      const std::uint64_t end = std::min(batch.end, batch.share.most());
      const std::uint64_t each = std::max(end, batch.begin) - batch.begin;
      if (!buckets_ || each > impl::AliasBuckets::most_draws / streams_.count()) return false;
      buckets_->expect(space_, histogram_, each * streams_.count());
      for_each_stream_lane(
          space_, "rivulet::alias_buckets", streams_.count(),
          AliasBucketLanes<Streams>{streams_at(batch.begin), buckets_->data(), table_.cells[0],
                                    space_.concurrency() > 1, batch, samples});
      return true;
    } else {
      return false;
    }
  }

  /// Puts a batch's draws in order, if that pays and there is the memory for it. Without, they are
  /// looked up as they come: slower, the same counts.
  bool sampled_in_sections(const StreamBatch& batch) {
    if constexpr (sorts_draws<Streams>) {
      if (!in_sections(batch)) return false;
      sample_in_sections(space_, streams_at(batch.begin), {table_, histogram_}, *sections_, batch);
      return true;
    } else {
      return false;
    }
  }

  bool in_sections(const StreamBatch& batch) {
    if (table_.count != 1 || mapping_.streams != StreamMapping::lane || sections_failed_) {
      return false;
    }
    const std::uint64_t cells = table_.cells[0];
    const AliasSectionShape shape = mapping_.sections.value_or(AliasSectionShape::of(cells));
    const std::uint64_t end = std::min(batch.end, batch.share.most());
    const std::uint64_t draws = (std::max(end, batch.begin) - batch.begin) * streams_.count();
    const bool wanted =
        mapping_.sections || (device_build && AliasSectionShape::pays(cells, draws));
    if (!wanted || !fit_in_sections(streams_, shape)) return false;
    if (sections_) return true;
    try {
      sections_.emplace(cells, shape);
    } catch (const std::exception&) {  // Kokkos' own
      sections_failed_ = true;
    }
    return !sections_failed_;
  }

  Space space_;
  AliasMapping mapping_;
  Streams streams_;
  typename G::Starter starter_;
  AliasTable::Levels table_;
  AliasHistogram histogram_;
  /// Where counts lie beside them.
  mutable std::optional<impl::AliasBuckets> buckets_;
  std::optional<impl::AliasSections> sections_;  ///< once draws were put in order
  bool sections_failed_ = false;
};

}  // namespace impl

/// A unit of its own for each generator (src/kernels/unit.cpp.in).
template <GeneratorType G>
std::unique_ptr<AliasSampler> make_alias_sampler_of(const Space& space,
                                                    const typename G::Plan& plan, StreamRange range,
                                                    const AliasTable& table,
                                                    const AliasMapping& mapping) {
  return std::make_unique<impl::StreamAliasSampler<G>>(space, plan, range, table, mapping);
}

}  // namespace rivulet

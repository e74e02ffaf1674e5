// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sampler.hpp"

#include <fmt/format.h>

#include "kernels/alias/alias_sorter.hpp"
#include "kernels/store_words.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

/// Teams of eight warps can fully occupy a GPU's multiprocessor.
constexpr int streams_per_team = 8;

/// Returns make(). Throws Error if memory is insufficient for the streams, the counts and
/// `extra_bytes` bytes.
template <class Make>
std::unique_ptr<AliasSampler> require_sampler_memory(const StreamPlan& plan, StreamRange range,
                                                     std::uint64_t cells, std::uint64_t extra_bytes,
                                                     const Make& make) {
  return require_memory_for(
      fmt::format("{} streams and {} counts on one rank", range.count, cells),
      range.count * plan.generator().state_bytes + cells * sizeof(std::uint64_t) + extra_bytes,
      "Lower streams.count, or start more ranks on more nodes.", make);
}

}  // namespace

AliasSampler::AliasSampler(const Space& space, const StreamPlan& plan, StreamRange range,
                           const AliasTable& table, const AliasMapping& mapping)
    : space_(space),
      table_(table.levels()),
      shape_{table_.sample_words()},
      mapping_(mapping),
      source_(make_stream_source(space, plan, range,
                                 {mapping.streams, mapping.segments, false, streams_per_team})),
      histogram_(space, table.cells()) {}

AliasSampler::~AliasSampler() = default;

void AliasSampler::restart() {
  source_->restart();
  histogram_.clear(space_);
#if RIVULET_DEVICE_BUILD
  if (sorter_) sorter_->clear();
#endif
  space_.fence();
}

void AliasSampler::resume(std::uint64_t samples) {
  const ItemPeriod period = source_->period(shape_);
  source_->resume(Uint128{samples / period.items} * period.rounds);
}

Work AliasSampler::uncut(const StreamShare& share, std::uint64_t begin, std::uint64_t end) const {
  return source_->uncut({share, begin, end, {0, source_->range().count}});
}

Work AliasSampler::cut_streams(const StreamShare& share, std::uint64_t begin, std::uint64_t end) {
  return source_->cut_streams({share, begin, end, {0, source_->range().count}}, shape_);
}

void AliasSampler::sample(const Work& work, const AliasSamples& samples) {
  if (work.size == 0) return;
  count(work, samples);
  space_.fence();
}

CountView AliasSampler::histogram() const {
#if RIVULET_DEVICE_BUILD
  if (sorter_) sorter_->flush_counts(histogram_);
#endif
  return histogram_.sum(space_);
}

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping) {
  require_mapping(plan.generator(), mapping.streams);
  return require_sampler_memory(plan, range, table.cells(), 0, [&] {
    return std::make_unique<AliasSampler>(space, plan, range, table, mapping);
  });
}

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping) {
  return require_sampler_memory(plan, range, table.cells(), table.bytes() / 2, [&] {
    return make_alias_sampler(space, plan, range, upper_halves(space, table), mapping);
  });
}

}  // namespace rivulet

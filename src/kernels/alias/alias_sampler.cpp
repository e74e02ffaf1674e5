// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "kernels/generators/stream_types.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

template <class GeneratorType>
class StreamAliasSampler final : public AliasSampler {
 public:
  using Streams = typename StreamTypes<GeneratorType>::Streams;
  using Plan = typename Streams::Plan;

  StreamAliasSampler(const Space& space, const Plan& plan, StreamRange range,
                     const AliasTable& table, const AliasMapping& mapping)
      : space_(space),
        mapping_(mapping),
        streams_(plan, range),
        starter_(plan, range),
        table_(table.levels()),
        histogram_(space, table.first_cell(), table.own_cells()) {}

  void restart() override {
    starter_.seed(space_, streams_);
    histogram_.clear(space_);
    space_.fence();
  }

  void sample(const StreamBatch& batch, const AliasSamples& samples) override {
    if (streams_.count() == 0) return;
    if (samples.stride != 0 || !sampled_in_sections(batch)) {
      sample_alias(space_, streams_, mapping_, table_, histogram_, batch, samples);
    }
    space_.fence();
  }

  CountView histogram() const override { return histogram_.sum(space_); }
  std::uint64_t round_samples() const override {
    return alias_round_samples<Streams>(mapping_.streams, table_.count);
  }
  std::uint64_t state_bytes() const override { return streams_.states().bytes(); }

 private:
  /// Puts a batch's draws in order, if that pays and there is the memory for it. Without, they are
  /// looked up as they come: slower, the same counts.
  bool sampled_in_sections(const StreamBatch& batch) {
    if constexpr (sorts_draws<Streams>) {
      if (!in_sections(batch)) return false;
      sample_in_sections(space_, streams_, {table_, histogram_}, *sections_, batch);
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
  typename StreamTypes<GeneratorType>::Starter starter_;
  AliasTable::Levels table_;
  AliasHistogram histogram_;
  std::optional<impl::AliasSections> sections_;  ///< once draws were put in order
  bool sections_failed_ = false;
};

}  // namespace

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const Generator& generator,
                                                 const StreamPlan& plan, StreamRange range,
                                                 const AliasTable& table,
                                                 const AliasMapping& mapping) {
  const auto state = static_cast<std::uint64_t>(generator.state_bytes);
  return require_memory_for(
      fmt::format("{} streams and {} counts on one rank", range.count, table.own_cells()),
      range.count * state + table.own_cells() * 8,
      "Use fewer streams, or more ranks on more nodes.", [&]() -> std::unique_ptr<AliasSampler> {
        return with_generator_type(generator, [&](auto type) -> std::unique_ptr<AliasSampler> {
          using Sampler = StreamAliasSampler<typename decltype(type)::type>;
          return std::make_unique<Sampler>(space, dynamic_cast<const typename Sampler::Plan&>(plan),
                                           range, table, mapping);
        });
      });
}

}  // namespace rivulet

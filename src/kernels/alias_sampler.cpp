// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias_sampler.hpp"

#include <fmt/format.h>

#include <exception>

#include "error.hpp"
#include "kernels/stream_types.hpp"

namespace rivulet {
namespace {

template <class GeneratorType>
class StreamAliasSampler final : public AliasSampler {
 public:
  using Streams = typename StreamTypes<GeneratorType>::Streams;
  using Plan = typename Streams::Plan;

  StreamAliasSampler(const Space& space, const Plan& plan, StreamBlock block,
                     const AliasTable& table, const AliasMapping& mapping)
      : space_(space),
        mapping_(mapping),
        streams_(plan, block),
        starter_(plan, block),
        table_(table.levels()),
        histogram_(space, table.first_cell(), table.own_cells()) {}

  void restart() override {
    starter_.seed(space_, streams_);
    histogram_.clear(space_);
    space_.fence();
  }

  void sample(const PiBatch& batch, const AliasSamples& samples) override {
    if (streams_.count() == 0) return;
    sample_alias(space_, streams_, mapping_, table_, histogram_, batch, samples);
    space_.fence();
  }

  CountView histogram() const override { return histogram_.sum(space_); }
  std::uint64_t block_samples() const override {
    return alias_block_samples<Streams>(mapping_.streams, table_.count);
  }
  std::uint64_t state_bytes() const override { return streams_.states().bytes(); }

 private:
  Space space_;
  AliasMapping mapping_;
  Streams streams_;
  typename StreamTypes<GeneratorType>::Starter starter_;
  AliasTable::Levels table_;
  AliasHistogram histogram_;
};

}  // namespace

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const Generator& generator,
                                                 const StreamPlan& plan, StreamBlock block,
                                                 const AliasTable& table,
                                                 const AliasMapping& mapping) {
  try {
    return with_generator_type(generator, [&](auto type) -> std::unique_ptr<AliasSampler> {
      using Sampler = StreamAliasSampler<typename decltype(type)::type>;
      return std::make_unique<Sampler>(space, dynamic_cast<const typename Sampler::Plan&>(plan),
                                       block, table, mapping);
    });
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {  // Kokkos' own, of pages
    const auto state = static_cast<std::uint64_t>(generator.state_bytes);
    throw Error(fmt::format("no memory for {} streams and {} counts on one rank", block.count,
                            table.own_cells()),
                fmt::format("they take {} B and more", block.count * state + table.own_cells() * 8),
                "Use fewer streams, or more ranks on more nodes.");
  }
}

}  // namespace rivulet

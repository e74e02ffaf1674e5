// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sampler.hpp"

#include <fmt/format.h>

#include "generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

/// Calls make(); throws Error if there is no memory for the streams, the counts and `more` bytes.
template <class Make>
std::unique_ptr<AliasSampler> with_room(const StreamPlan& plan, StreamRange range,
                                        std::uint64_t cells, std::uint64_t more, const Make& make) {
  return require_memory_for(
      fmt::format("{} streams and {} counts on one rank", range.count, cells),
      range.count * plan.generator().state_bytes + cells * sizeof(std::uint64_t) + more,
      "Use fewer streams, or more ranks on more nodes.", make);
}

}  // namespace

template <GeneratorType G>
std::unique_ptr<AliasSampler> make_alias_sampler_of(const Space&, const typename G::Plan&,
                                                    StreamRange, const AliasTable&,
                                                    const AliasMapping&);

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping) {
  require_mapping(plan.generator(), mapping.streams);
  return with_room(plan, range, table.cells(), 0, [&] {
    return with_generator(plan, [&](auto type, const auto& own) {
      return make_alias_sampler_of<typename decltype(type)::type>(space, own, range, table,
                                                                  mapping);
    });
  });
}

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping) {
  return with_room(plan, range, table.cells(), table.bytes() / 2, [&] {
    return make_alias_sampler(space, plan, range, upper_halves(space, table), mapping);
  });
}

}  // namespace rivulet

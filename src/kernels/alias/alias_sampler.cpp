// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sampler.hpp"

#include <fmt/format.h>

#include "kernels/generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

template <GeneratorType G>
std::unique_ptr<AliasSampler> make_alias_sampler_of(const Space&, const typename G::Plan&,
                                                    StreamRange, const AliasTable&,
                                                    const AliasMapping&);

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping) {
  require_mapping(plan.generator(), mapping.streams);
  return require_memory_for(
      fmt::format("{} streams and {} counts on one rank", range.count, table.own_cells()),
      range.count * plan.generator().state_bytes + table.own_cells() * 8,
      "Use fewer streams, or more ranks on more nodes.", [&] {
        return with_generator(plan, [&](auto type, const auto& own) {
          return make_alias_sampler_of<typename decltype(type)::type>(space, own, range, table,
                                                                      mapping);
        });
      });
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_source.hpp"

#include <fmt/format.h>

#include "kernels/generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

template <GeneratorType G>
std::unique_ptr<NumberSource> make_number_source_of(const Space&, const typename G::Plan&,
                                                    StreamRange, const NumberRequest&);

std::unique_ptr<NumberSource> make_number_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const NumberRequest& request) {
  require_mapping(plan.generator(), request.mapping);
  return require_memory_for(fmt::format("{} streams on one rank", range.count),
                            range.count * plan.generator().state_bytes,
                            "Use fewer streams, or more ranks on more nodes.", [&] {
                              return with_generator(plan, [&](auto type, const auto& own) {
                                return make_number_source_of<typename decltype(type)::type>(
                                    space, own, range, request);
                              });
                            });
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draw/stream_source.hpp"

#include <fmt/format.h>

#include "generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

template <GeneratorType G>
std::unique_ptr<StreamSource> make_stream_source_of(const Space&, const typename G::Plan&,
                                                    StreamRange, const DrawOptions&);

std::unique_ptr<StreamSource> make_stream_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const DrawOptions& options) {
  require_mapping(plan.generator(), options.mapping);
  return require_memory_for(fmt::format("{} streams on one rank", range.count),
                            range.count * plan.generator().state_bytes,
                            "Lower streams.count, or start more ranks on more nodes.", [&] {
                              return with_generator(plan, [&](auto type, const auto& typed_plan) {
                                return make_stream_source_of<typename decltype(type)::type>(
                                    space, typed_plan, range, options);
                              });
                            });
}

}  // namespace rivulet

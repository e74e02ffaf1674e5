// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_counter.hpp"

#include <fmt/format.h>

#include "kernels/generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

template <GeneratorType G>
std::unique_ptr<PiCounter> make_pi_counter_of(const Space&, const typename G::Plan&, StreamRange,
                                              StreamMapping, const PiChoice&);

void PiCounter::count(const StreamBatch& batch) {
  place({batch.share, batch.begin, {batch.end}});
  count_segments(0, segment_points());
  batch_hits();
}

std::unique_ptr<PiCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                           StreamRange range, StreamMapping mapping,
                                           const PiChoice& choice) {
  require_mapping(plan.generator(), mapping);
  return require_memory_for(fmt::format("{} streams on one rank", range.count),
                            range.count * (plan.generator().state_bytes + sizeof(std::uint64_t)),
                            "Use fewer streams, or more ranks on more nodes.", [&] {
                              return with_generator(plan, [&](auto type, const auto& own) {
                                return make_pi_counter_of<typename decltype(type)::type>(
                                    space, own, range, mapping, choice);
                              });
                            });
}

}  // namespace rivulet

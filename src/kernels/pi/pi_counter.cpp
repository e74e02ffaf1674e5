// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/generators/with_generator.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

template <GeneratorType G>
std::unique_ptr<PiCounter> make_pi_counter_of(const Space&, const typename G::Plan&, StreamRange,
                                              StreamMapping, const PiChoice&);

void PiCounter::prepare(const PiRange& range) {
  place(ranges(range).front());
  is_prepared_ = true;
}

std::vector<std::uint64_t> PiCounter::count(const PiRange& range, const Advance& advance) {
  std::vector<std::uint64_t> hits;
  const auto streams = static_cast<std::uint64_t>(this->hits().extent(0));
  for (const PiRange& one : ranges(range)) {
    if (!std::exchange(is_prepared_, false)) place(one);
    const std::uint64_t points = segment_points();
    const std::uint64_t round = round_points();
    // Of all segments; streams' last ones are shorter.
    const std::uint64_t at_once = (one.end() - one.begin + points - 1) / points;
    launches_.run(0, points, round, round * at_once * streams,
                  [&](std::uint64_t from, std::uint64_t upto) {
                    count_segments(from, upto);
                    if (advance) advance((upto - from) * at_once);
                  });
    std::ranges::copy(batch_hits(), std::back_inserter(hits));
  }
  return hits;
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

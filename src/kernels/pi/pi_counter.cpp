// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_counter.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/pi/pi_stored.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

std::unique_ptr<HitCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                            StreamRange range, StreamMapping mapping,
                                            const PiChoice& choice) {
  const std::uint64_t each = plan.generator().state_bytes + sizeof(std::uint64_t);
  const auto make = [&] {
    std::unique_ptr<HitCounter> counter;
    auto source = make_stream_source(space, plan, range, {mapping, choice.segments});
    with_point(choice, [&](auto point) {
      using Point = decltype(point);
      if (choice.kernel == PiKernel::stored) {
        counter = std::make_unique<StoredCounter>(space, std::move(source), choice);
      } else {
        counter = std::make_unique<FusedHitCounter<Point>>(space, std::move(source));
      }
    });
    return counter;
  };
  return require_memory_for(fmt::format("{} streams on one rank", range.count), range.count * each,
                            "Use fewer streams, or more ranks on more nodes.", make);
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_source.hpp"

#include <fmt/format.h>

#include "kernels/numbers/number_source_of.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

std::unique_ptr<NumberSource> make_number_source(const Space& space, const Generator& generator,
                                                 const StreamPlan& plan, StreamRange range,
                                                 const NumberRequest& request) {
  return require_memory_for(
      fmt::format("{} streams on one rank", range.count),
      range.count * static_cast<std::uint64_t>(generator.state_bytes),
      "Use fewer streams, or more ranks on more nodes.", [&] {
        switch (generator.family) {
          case GeneratorFamily::dcmt:
            return impl::make_dcmt_source(space, generator, plan, range, request);
          case GeneratorFamily::tausworthe:
            return impl::make_tausworthe_source(space, generator, plan, range, request);
          case GeneratorFamily::ranmar:
            break;
        }
        return impl::make_ranmar_source(space, generator, plan, range, request);
      });
}

}  // namespace rivulet

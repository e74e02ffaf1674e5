// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/stream_plan.hpp"

#include "error.hpp"
#include "streams/dcmt_plan.hpp"
#include "streams/ranmar_plan.hpp"
#include "streams/tausworthe_plan.hpp"

namespace rivulet {

StreamPlan::StreamPlan(const StreamRequest& request) : request_(request) {
  if (request.streams > 0) return;
  throw Error("no streams", "streams.count is 0, and every number comes from a stream",
              "Ask for at least one.");
}

std::unique_ptr<StreamPlan> make_stream_plan(const Generator& generator,
                                             const StreamRequest& request, DcmtSets sets) {
  if (generator.family == GeneratorFamily::ranmar) {
    return std::make_unique<RanmarPlan>(generator.bits, request);
  }
  if (generator.family == GeneratorFamily::tausworthe) {
    return std::make_unique<TausworthePlan>(
        with_generator_type(generator,
                            [](auto type) {
                              using Type = typename decltype(type)::type;
                              if constexpr (TauswortheKind<Type>) return tausworthe_cycle<Type>();
                              return TauswortheCycle{};
                            }),
        request);
  }
  return std::make_unique<DcmtPlan>(std::move(sets), request);
}

}  // namespace rivulet

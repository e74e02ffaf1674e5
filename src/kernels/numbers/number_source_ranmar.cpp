// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_source_of.hpp"

namespace rivulet::impl {

std::unique_ptr<NumberSource> make_ranmar_source(const Space& space, const Generator& generator,
                                                 const StreamPlan& plan, StreamRange range,
                                                 const NumberRequest& request) {
  return with_generator_type(generator, [&](auto type) -> std::unique_ptr<NumberSource> {
    using Type = typename decltype(type)::type;
    if constexpr (std::is_same_v<typename StreamTypes<Type>::Streams::Plan, RanmarPlan>) {
      return number_source_of<Type>(space, plan, range, request);
    } else {
      return nullptr;
    }
  });
}

}  // namespace rivulet::impl

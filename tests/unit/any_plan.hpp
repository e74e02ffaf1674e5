// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "generators/with_generator.hpp"
#include "parameters/creator.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Returns a native plan or, if the generator has none, a published one.
inline std::unique_ptr<StreamPlan> any_plan_of(const Generator& generator, StreamRequest request) {
  try {
    return generator.plan(request, io::Communicator::self());
  } catch (const Error&) {
    request.seeding = Seeding::published;
    return generator.plan(request, io::Communicator::self());
  }
}

/// Returns any_plan_of() for a generator type. Creates a parameter set for an exponent above 607,
/// for which Rivulet ships none.
template <class G>
std::unique_ptr<StreamPlan> any_plan(const StreamRequest& request) {
  if constexpr (requires { G::Streams::shape.p; }) {
    constexpr int p = G::Streams::shape.p;
    if (p > 607) {
      auto plan = std::make_unique<typename G::Plan>(
          DcmtSets{p, "made here", {create_dcmt_set(p, 0, 1)}}, request);
      plan->set_generator(generator_of<G>());
      return plan;
    }
  }
  return any_plan_of(generator_of<G>(), request);
}

}  // namespace rivulet

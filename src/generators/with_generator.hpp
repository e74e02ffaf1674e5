// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <type_traits>

#include "generators/generator_type.hpp"
#include "generators/list.hpp"

namespace rivulet {

/// Calls use(std::type_identity<G>{}) for every built generator G, in the order of the list.
template <class Use>
void for_each_generator_type(const Use& use) {
#define RIVULET_USE(name, file, ...) use(std::type_identity<__VA_ARGS__>{});
  RIVULET_BUILT_GENERATORS(RIVULET_USE)
#undef RIVULET_USE
}

/// Returns use(std::type_identity<G>{}, plan), where G is the plan's generator and `plan` is cast
/// to G::Plan. No other function casts plans.
template <class Use>
auto with_generator(const StreamPlan& plan, const Use& use) {
  const Generator& generator = plan.generator();
#define RIVULET_USE(name, file, ...)                                                            \
  if (&generator == &generator_of<__VA_ARGS__>()) {                                             \
    return use(std::type_identity<__VA_ARGS__>{}, static_cast<const __VA_ARGS__::Plan&>(plan)); \
  }
  RIVULET_BUILT_GENERATORS(RIVULET_USE)
#undef RIVULET_USE
  throw std::logic_error("a plan of a generator that is not in the list");
}

}  // namespace rivulet

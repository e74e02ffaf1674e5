// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "rng/dcmt_shape.hpp"

namespace rivulet {

/// A generator that decks can name.
struct Generator {
  std::string_view name;
  int exponent;  ///< its period is 2^exponent - 1
  int state_words;
  std::string_view disjoint;  ///< how its streams are kept apart
};

/// The list of engines: a line here makes a generator known to every job.
inline constexpr std::string_view dcmt_disjoint =
    "distinct irreducible characteristic polynomials; jump-ahead on the same one";
inline constexpr std::array<Generator, 4> generators{{
    {"dcmt521", 521, dcmt_shape(521).n, dcmt_disjoint},
    {"dcmt607", 607, dcmt_shape(607).n, dcmt_disjoint},
    {"dcmt1279", 1279, dcmt_shape(1279).n, dcmt_disjoint},
    {"dcmt2203", 2203, dcmt_shape(2203).n, dcmt_disjoint},
}};

/// Calls use(std::integral_constant<int, P>{}) for the P of the list that equals the generator's
/// exponent; all branches return the same type.
template <std::size_t I = 0, class Use>
auto with_exponent(const Generator& generator, const Use& use) {
  constexpr int exponent = generators[I].exponent;
  if constexpr (I + 1 < generators.size()) {
    if (generator.exponent != exponent) return with_exponent<I + 1>(generator, use);
  }
  return use(std::integral_constant<int, exponent>{});
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "generators/generator_type.hpp"
#include "generators/list.hpp"
#include "representatives.hpp"

// Defines type lists of the built generators and of their representatives, for typed tests.

namespace rivulet {

#define RIVULET_TYPE(name, file, ...) , __VA_ARGS__
template <class, class... G>
using TypesAfterTheFirst = testing::Types<G...>;
using ListedGenerators = TypesAfterTheFirst<void RIVULET_BUILT_GENERATORS(RIVULET_TYPE)>;
#undef RIVULET_TYPE

#define RIVULET_TYPE(name, file, ...) \
  +std::conditional_t<is_tested(#name), TypeList<__VA_ARGS__>, TypeList<>>()
using ListedRepresentatives = decltype(TypeList<>() RIVULET_BUILT_GENERATORS(RIVULET_TYPE))::Types;
#undef RIVULET_TYPE

struct NameOfGenerator {
  template <class G>
  static std::string GetName(int) {
    return std::string(generator_of<G>().name);
  }
};

}  // namespace rivulet

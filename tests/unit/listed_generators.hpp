// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/generators/generator_type.hpp"
#include "kernels/generators/list.hpp"

// For typed tests: the generators of the list.

namespace rivulet {

#define RIVULET_TYPE(name, file, ...) , __VA_ARGS__
template <class, class... G>
using TypesAfterTheFirst = testing::Types<G...>;
using ListedGenerators = TypesAfterTheFirst<void RIVULET_BUILT_GENERATORS(RIVULET_TYPE)>;
#undef RIVULET_TYPE

struct NameOfGenerator {
  template <class G>
  static std::string GetName(int) {
    return std::string(generator_of<G>().name);
  }
};

}  // namespace rivulet

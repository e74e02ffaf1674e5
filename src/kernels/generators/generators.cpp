// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/generators/generators.hpp"

#include <algorithm>

#include "kernels/generators/with_generator.hpp"

namespace rivulet {

// Never destructed: a program may end while threads of its draw.

const std::vector<const Generator*>& generators() {
  static const auto* const list = new std::vector<const Generator*>([] {
    std::vector<const Generator*> all;
    for_each_generator_type([&all](auto type) {
      static_assert(GeneratorType<typename decltype(type)::type>);
      all.push_back(&generator_of<typename decltype(type)::type>());
    });
    return all;
  }());
  return *list;
}

const Generator* find_generator(std::string_view name) {
  const auto found = std::ranges::find(generators(), name, &Generator::name);
  return found == generators().end() ? nullptr : *found;
}

const std::vector<const GeneratorOption*>& generator_options() {
  static const auto* const list = new std::vector<const GeneratorOption*>([] {
    std::vector<const GeneratorOption*> all;
    for (const Generator* generator : generators()) {
      for (const GeneratorOption* option : generator->options) {
        if (std::ranges::count(all, option) == 0) all.push_back(option);
      }
    }
    return all;
  }());
  return *list;
}

const GeneratorOption* find_generator_option(std::string_view name) {
  const auto found = std::ranges::find(generator_options(), name, &GeneratorOption::name);
  return found == generator_options().end() ? nullptr : *found;
}

}  // namespace rivulet

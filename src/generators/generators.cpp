// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/generators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generators/with_generator.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"

namespace rivulet {

// The lists are never destroyed, because a process may exit while its threads draw.

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

std::vector<std::string> ineffective_options(const Generator& generator,
                                             const StreamRequest& request,
                                             std::string_view section) {
  const bool is_native = request.seeding == Seeding::native;
  const std::string_view seeding = is_native ? " with native seeding" : " with published seeding";
  std::vector<std::string> lines;
  const auto report = [&](std::string_view name, const auto& value, std::string_view with) {
    lines.push_back(fmt::format("{}{}={} has no effect ({}{} does not use it). Omit it.", section,
                                name, value, generator.name, with));
  };
  if (request.seed != default_seed && !is_native && !generator.published_seed)
    report("seed", request.seed, seeding);
  if (request.parameters != StreamRequest().parameters && !generator.has_sets)
    report("parameters", request.parameters, "");
  for (const GeneratorOption* option : generator_options()) {
    const std::uint64_t value = request.options.of(*option);
    const bool is_supported = std::ranges::count(generator.options, option) > 0;
    const bool is_published_seed = option == &ij_option || option == &kl_option;
    if (value != option->fallback && (!is_supported || (is_published_seed && is_native)))
      report(option->name, value, is_supported ? seeding : "");
  }
  return lines;
}

}  // namespace rivulet

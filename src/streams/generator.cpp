// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/generator.hpp"

#include <fmt/format.h>

#include "rivulet/error.hpp"

namespace rivulet {

std::string_view name_of(StreamMapping mapping) {
  return mapping == StreamMapping::team ? "team" : "lane";
}

std::string mappings_text(const Generator& generator) {
  std::string names;
  for (const StreamMapping mapping : generator.mappings) {
    names += (names.empty() ? "" : ", ") + std::string(name_of(mapping));
  }
  return names;
}

void require_mapping(const Generator& generator, StreamMapping mapping) {
  if (generator.has(mapping)) return;
  throw Error(
      fmt::format("streams.mapping={} with streams.generator={}", name_of(mapping), generator.name),
      fmt::format("this build supports this generator with mapping {}", mappings_text(generator)),
      fmt::format("Set streams.mapping={}, or auto.", name_of(generator.mappings.front())));
}

}  // namespace rivulet

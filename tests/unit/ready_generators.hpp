// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generators/generators.hpp"
#include "representatives.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Returns the names of the listed generators that start natively with shipped parameters. plan()
/// of other generators throws. The names are available even if tests are only listed.
inline const std::vector<std::string>& ready_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> ready;
    for (const Generator* one : generators()) {
      try {
        static_cast<void>(one->plan({}, io::Communicator::self()));
        ready.emplace_back(one->name);
      } catch (const Error&) {
      }
    }
    return ready;
  }();
  return names;
}

/// Returns the generator of that name. Throws Error if this build has none, so the test fails and
/// says why.
inline const Generator& built_generator(std::string_view name) {
  const Generator* const found = find_generator(name);
  if (found == nullptr) {
    throw Error("no generator " + std::string(name), "this build has none", "Leave this test out.");
  }
  return *found;
}

/// Returns the ready generators that are representatives.
inline std::vector<std::string> ready_representatives() {
  std::vector<std::string> names = ready_names();
  std::erase_if(names, [](const std::string& name) { return !is_tested(name); });
  return names;
}

/// Returns the names of the ready generators that have the mapping.
inline std::vector<std::string> ready_names(StreamMapping mapping) {
  std::vector<std::string> ready;
  for (const std::string& name : ready_names()) {
    if (built_generator(name).has(mapping)) ready.push_back(name);
  }
  return ready;
}

}  // namespace rivulet

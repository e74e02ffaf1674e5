// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace rivulet {

/// Loads a JSON file of the folder tests/data.
inline YAML::Node test_data(const std::string& name) {
  return YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/" + name);
}

}  // namespace rivulet

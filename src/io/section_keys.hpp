// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/schema.hpp"

namespace rivulet::io {

/// The keys of a section, in the order in which they are printed.
struct SectionKeys {
  std::vector<std::string> all;
  std::vector<std::string> numbers;  ///< those that take one number, of whatever kind
};

SectionKeys keys_of(const SectionSchema& section);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/results_file.hpp"

namespace rivulet::io {

/// An attribute taken apart, in the form in which root hands it to the other ranks.
struct PlainAttribute {
  std::string kind;  ///< "bool", "i64", "u64", "f64" or "text"
  bool scalar = true;
  std::vector<std::string> values;  ///< texts, or the bytes of one number each
};

PlainAttribute plain_attribute(const AttributeValue& value);
inline PlainAttribute plain_attribute(const std::string& value) { return {"text", true, {value}}; }

/// Root's attribute, on every rank.
PlainAttribute broadcast(const Communicator& communicator, const PlainAttribute& attribute);

}  // namespace rivulet::io

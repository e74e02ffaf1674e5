// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "rivulet/detail/default_seed.hpp"

namespace rivulet {

// What decks, rivulet.h and the Fortran module start from: declared once, read by all.

/// Streams are disjoint by proof, and fast on every machine.
inline constexpr std::string_view default_generator = "dcmt521";

}  // namespace rivulet

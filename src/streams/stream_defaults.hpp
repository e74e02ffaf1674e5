// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "built_generators.hpp"
#include "rivulet/detail/default_seed.hpp"

namespace rivulet {

// What decks, rivulet.h and the Fortran module start from: declared once, read by all.

/// Where all are built, dcmt521: streams are disjoint by proof, and fast on every machine.
inline constexpr std::string_view default_generator = RIVULET_DEFAULT_GENERATOR;

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "built_generators.hpp"
#include "rivulet/detail/default_seed.hpp"

namespace rivulet {

// What decks, rivulet.h and the Fortran module start from: declared once, read by all. A build
// without these generators has its first one.

/// Of decks, dcmt521: 4096 streams pass all tests, and are fast on every machine.
inline constexpr std::string_view default_generator = RIVULET_DEFAULT_GENERATOR;
/// Of sequences, philox4x32: a single stream passes all tests.
inline constexpr std::string_view default_sequence_generator = RIVULET_DEFAULT_SEQUENCE_GENERATOR;

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace rivulet {

// What decks, rivulet.h and the Fortran module start from: declared once, read by all.

/// Streams are disjoint by proof, and fast on every machine.
inline constexpr std::string_view default_generator = "dcmt521";

/// Of native seeding.
inline constexpr std::uint64_t default_seed = 20261120;

}  // namespace rivulet

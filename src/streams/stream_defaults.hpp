// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "built_generators.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet {

// The defaults of all interfaces. A build that lacks one takes its first generator instead.

/// The default of decks, dcmt521: 4096 streams pass all tests, and are fast on every machine.
inline constexpr std::string_view default_generator = RIVULET_DEFAULT_GENERATOR;
/// The default of sequences, philox4x32: a single stream passes all tests.
inline constexpr std::string_view default_sequence_generator = RIVULET_DEFAULT_SEQUENCE_GENERATOR;

}  // namespace rivulet

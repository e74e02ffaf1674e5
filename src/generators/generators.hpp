// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "built_generators.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/streams_options.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Returns the generators of list.hpp that this build contains, type-erased.
const std::vector<const Generator*>& generators();

/// Returns the generator with this name, or nullptr.
const Generator* find_generator(std::string_view name);

/// Returns the generator-specific options of all generators, each once, in the order of the list.
const std::vector<const GeneratorOption*>& generator_options();
/// Returns the option with this name, or nullptr.
const GeneratorOption* find_generator_option(std::string_view name);

/// Returns a message for each option that is set but ignored by this generator or seeding.
/// `section` precedes the option's name.
std::vector<std::string> ineffective_options(const Generator& generator,
                                             const StreamRequest& request,
                                             std::string_view section = "");

// Defaults of all interfaces. A build without such a generator uses its first generator instead.

/// The default of decks, dcmt521: 4096 streams pass all tests and are fast on every machine.
inline constexpr std::string_view default_generator = RIVULET_DEFAULT_GENERATOR;
/// The default of sequences, philox4x32: a single stream passes all tests.
inline constexpr std::string_view default_sequence_generator = RIVULET_DEFAULT_SEQUENCE_GENERATOR;

}  // namespace rivulet

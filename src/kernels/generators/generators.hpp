// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The generators of the list (list.hpp), as everybody but kernels knows them.
const std::vector<const Generator*>& generators();

/// The generator of that name, or nullptr.
const Generator* find_generator(std::string_view name);

/// Their own options, each once, in order.
const std::vector<const GeneratorOption*>& generator_options();
/// The option of that name, or nullptr.
const GeneratorOption* find_generator_option(std::string_view name);

/// A line for each option that this generator or seeding ignores, with `section` before its name.
std::vector<std::string> without_effect(const Generator& generator, const StreamRequest& request,
                                        std::string_view section = "");

}  // namespace rivulet

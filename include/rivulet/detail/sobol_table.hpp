// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::detail {

/// Of each dimension, the sums of its direction words that the 16 values of each of the eight
/// hexadecimal digits of an index select, the lowest first. Throws Error.
std::vector<std::uint32_t> sobol_table(std::uint64_t dimensions, const std::string& file);

}  // namespace rivulet::detail

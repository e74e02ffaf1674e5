// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::detail {

/// Returns a table [dimensions][8][16]. Element [d][k][v] is the sum of the direction words of
/// dimension d that an index selects with the value v of its hexadecimal digit k. Digit 0 is the
/// lowest. Throws Error for too many dimensions, or for a file that cannot be read or differs from
/// the published one.
std::vector<std::uint32_t> sobol_table(std::uint64_t dimensions, const std::string& file);

}  // namespace rivulet::detail

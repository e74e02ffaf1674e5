// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace rivulet::io {

/// Whether flock() on this file is seen by everybody who can open it, on other hosts too: so on
/// file systems of one host, and on those of networks that are mounted for it. False where it is
/// not known.
bool locks_reach_everybody(int descriptor);

/// The same of a file system by its number (f_type of statfs(2)), and how it is mounted: options
/// between commas, with commas around them; "" for unknown.
bool locks_reach(std::uint32_t system, const std::string& options);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace rivulet::io {

/// Puts something in the place of standard input, output and error where they are closed: files
/// that are opened later would get their numbers, and what is printed would go there. Writing to it
/// fails, as it would have. To be called first of all.
void open_standard_streams();

/// Writes to standard output at once, and remembers if that fails.
void print(const std::string& text);

/// Throws Error if something of what was printed did not arrive.
void require_printed();

}  // namespace rivulet::io

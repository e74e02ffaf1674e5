// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace rivulet::io {

/// Where a results file of this name is to be written: `path`, or what it leads to if it is a
/// symbolic link. Throws Error if there is something that a results file may not replace: anything
/// but an empty file and a file of Rivulet's (or what is left of one). The empty name throws, too.
std::string replaced_file(const std::string& path);

}  // namespace rivulet::io

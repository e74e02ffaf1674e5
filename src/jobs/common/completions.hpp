// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace rivulet {

/// What the last of a command line's words may become, one a line: jobs, options, and keys of the
/// deck that the words before name, each with its `=`, or behind that its choices. Files are left
/// to the shell. Nothing for what cannot be read.
std::string completions(const std::vector<std::string>& words);

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Returns the path to write for an output file: `path`, or its target if it is a symbolic link.
/// `kind` is the file's kind, such as "results" or "parameters". Throws Error if `path` is empty,
/// or names something that the output may not replace. An output may replace an empty file, or an
/// intact Rivulet file of the same kind that this user can read.
std::string resolve_output_path(const std::string& path, const std::string& kind);

/// Returns the path at the end of a chain of symbolic links. For a dangling link, returns the path
/// of the file that a write would create.
std::string resolve_symlinks(const std::string& path);

/// Checks the files that a deck names. Throws Error if an input is missing, or if an output is also
/// an input, another output or the deck itself, even under another name. `deck` is the deck's path;
/// empty for none. Collective.
void check_named_files(const Communicator& communicator, const Schema& schema,
                       const std::string& deck);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Where a file of this name, "results" or "parameters" by its kind, is to be written: `path`, or
/// what it leads to if it is a symbolic link. Throws Error if there is something that the file may
/// not replace: anything but an empty file and a file of Rivulet's of the same kind, or what the
/// system keeps from this user. The empty name throws, too.
std::string replaced_file(const std::string& path, const std::string& kind);

/// What the name leads to in the end. A link that leads nowhere yet names the file to be.
std::string end_of_links(const std::string& path);

/// Throws Error where a deck names a file to be read that is not there, or a file to be written
/// that is one of those read, another one to be written, or the deck itself: by another name, too.
/// `deck` is empty for none. Collective.
void check_named_files(const Communicator& communicator, const Schema& schema,
                       const std::string& deck);

}  // namespace rivulet::io

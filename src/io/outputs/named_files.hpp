// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Throws Error where a deck names a file to be read that is not there, or a file to be written
/// that is one of those read, another one to be written, or the deck itself: by another name, too.
/// `deck` is empty for none. Collective.
void check_named_files(const Communicator& communicator, const Schema& schema,
                       const std::string& deck);

}  // namespace rivulet::io

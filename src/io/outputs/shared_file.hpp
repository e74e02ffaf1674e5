// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Throws Error unless all ranks that write (parallel HDF5: all) see root's file. Collective.
void require_seen(const Communicator& communicator, const std::string& path,
                  const std::string& shown);

/// Throws Error at once if root could not write its `path` later, or if ranks would not see it. A
/// full disk may have room then. `shown` is the file's name in messages. Collective.
void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& shown);

}  // namespace rivulet::io

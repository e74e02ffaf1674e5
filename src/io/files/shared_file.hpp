// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <thread>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Throws Error unless all ranks that write (parallel HDF5: all) see root's file. Collective.
void require_seen(const Communicator& communicator, const std::string& path,
                  const std::string& shown);

/// Guards the opening of a file by all ranks: MPI_File_open of Open MPI blocks all of them if one
/// cannot open. The constructor throws Error unless all see the file; how long that took sets the
/// time after which the watch aborts all ranks. Collective.
class OpenWatch {
 public:
  /// by_all: whether MPI-IO opens the file. `communicator` must outlive the watch.
  OpenWatch(const Communicator& communicator, const std::string& path, const std::string& shown,
            bool by_all);

 private:
  std::jthread watch_;  ///< root's; the destructor stops it
};

/// Throws Error at once if root could not write its `path` later, or if ranks would not see it. A
/// full disk may have room then. `shown` is the file's name in messages. Collective.
void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& shown);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <thread>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Throws Error unless every rank that writes sees root's file. (With parallel HDF5, all ranks
/// write, otherwise only root.) Waits up to 3 s for the file to appear. Collective.
void require_seen(const Communicator& communicator, const std::string& path,
                  const std::string& shown);

/// Watchdog for the opening of a file by all ranks: Open MPI's MPI_File_open blocks all ranks if
/// one cannot open the file. The constructor throws Error unless every rank sees the file. The
/// watchdog aborts all ranks after a time limit, which grows with the time of that check.
/// Collective.
class OpenWatch {
 public:
  /// `by_all`: true if MPI-IO opens the file. `communicator` must outlive the watch.
  OpenWatch(const Communicator& communicator, const std::string& path, const std::string& shown,
            bool by_all);

 private:
  std::jthread watch_;  ///< root's; the destructor stops it
};

/// Throws Error if root cannot create files beside `path`, or if other ranks do not see them. A
/// full disk is accepted, because it may have room later. `shown` is the file's name in messages.
/// Collective.
void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& shown);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <thread>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Throws Error unless every rank sees root's file. Waits up to 3 s for the file to appear. No-op
/// without parallel HDF5, because only root then writes. Collective.
void require_visible_on_all_ranks(const Communicator& communicator, const std::string& path,
                                  const std::string& display_name);

/// Watchdog for a file that all ranks open: Open MPI's MPI_File_open blocks all ranks if one rank
/// cannot open the file. The constructor throws Error unless every rank sees the file. The watchdog
/// aborts all ranks if the object outlives a time limit, which grows with the duration of the
/// constructor's check. Collective.
class OpenWatch {
 public:
  /// `all_ranks_open`: true if MPI-IO opens the file. `communicator` must outlive the watch.
  OpenWatch(const Communicator& communicator, const std::string& path,
            const std::string& display_name, bool all_ranks_open);

 private:
  std::jthread watch_;  ///< on root; the destructor stops the thread
};

/// Throws Error if root cannot create files in the folder of `path`, or if other ranks do not see
/// them. Ignores a full disk, because the disk may have space later. `display_name` is the file's
/// name in messages. Collective.
void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& display_name);

}  // namespace rivulet::io

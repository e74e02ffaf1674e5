// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Returns the name of this process's host, or "unknown".
std::string host_name();

/// A rank's index among the ranks on its node (0 .. ranks - 1), and the count of ranks on that
/// node.
struct NodePlace {
  int rank = 0;
  int ranks = 1;
};

/// Returns this rank's place on its node. Collective.
NodePlace place_on_node(const Communicator& communicator);

/// Returns the number of bytes that this process can still allocate: the host's available memory,
/// within the limits of containers, batch jobs and `ulimit -v`.
std::uint64_t available_memory();

/// Returns the bytes that each rank may allocate: the minimum of available_memory() over the ranks,
/// divided by the largest number of ranks on a host. All ranks get the same value. Collective.
std::uint64_t host_memory_per_rank(const Communicator& communicator);

}  // namespace rivulet::io

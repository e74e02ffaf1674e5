// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// This process' host, or "unknown".
std::string host_name();

/// A rank among those of its node: 0 .. ranks-1.
struct NodePlace {
  int rank = 0;
  int ranks = 1;
};

/// Collective.
NodePlace place_on_node(const Communicator& communicator);

/// Bytes that this process may take yet: what its host has left (on Linux its available memory)
/// within the limits of containers, batch jobs and `ulimit -v`.
std::uint64_t available_memory();

/// Bytes that each rank may take, the same on all: what the fullest host has left (on Linux its
/// available memory and, within containers and batch jobs, their limit), shared by the ranks there.
/// Collective.
std::uint64_t host_memory_a_rank(const Communicator& communicator);

}  // namespace rivulet::io

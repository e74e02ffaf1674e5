// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/communicator.hpp"

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

}  // namespace rivulet::io

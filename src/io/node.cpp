// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/node.hpp"

#include <unistd.h>

#include <array>

namespace rivulet::io {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

NodePlace place_on_node(const Communicator& communicator) {
  NodePlace place;
#if RIVULET_ENABLE_MPI
  if (communicator.size() == 1) return place;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator.handle(), MPI_COMM_TYPE_SHARED, communicator.rank(),
                      MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place.rank);
  MPI_Comm_size(node, &place.ranks);
  MPI_Comm_free(&node);
#else
  static_cast<void>(communicator);
#endif
  return place;
}

}  // namespace rivulet::io

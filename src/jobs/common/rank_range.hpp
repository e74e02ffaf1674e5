// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "io/mpi/communicator.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// This rank's range when so many streams (or other things with ids) are split over the ranks.
inline StreamRange range_on(const io::Communicator& ranks, std::uint64_t streams) {
  return stream_range(streams, static_cast<std::uint64_t>(ranks.rank()),
                      static_cast<std::uint64_t>(ranks.size()));
}

}  // namespace rivulet

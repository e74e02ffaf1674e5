// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

/// The deck of the sweep job. The defaults take seconds; inputs/published/ranmar_sweep.yaml is the
/// whole of the thesis's experiment.
struct SweepOptions {
  std::uint64_t numbers = 10000000;
  std::vector<std::uint64_t> fetch{100000, 1000000};
  std::vector<std::uint64_t> instances{1, 2, 5, 10, 20, 50};
  std::vector<std::uint64_t> per_team{1, 4};
  std::uint64_t call = 10;
  OptionValues own = {};  ///< RANMAR's published pair of instance 0
  CheckpointOptions checkpoint;
  OutputOptions output{"sweep.h5"};

  io::Schema schema();
  /// Throws Error for invalid or inconsistent values.
  void check() const;
};

}  // namespace rivulet

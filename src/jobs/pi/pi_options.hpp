// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/deck/schema.hpp"
#include "jobs/common/checkpoint_options.hpp"
#include "jobs/common/output_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "kernels/pi/pi_counter.hpp"

namespace rivulet {

/// The deck of the pi job.
struct PiOptions {
  StreamOptions streams;
  std::uint64_t points = 10000000000;
  PiChoice choice;
  std::uint64_t batches = 100;
  std::uint64_t iterations = 1;
  CheckpointOptions checkpoint;
  OutputOptions output{"pi.h5"};

  io::Schema schema();
  std::uint64_t words_per_point() const { return choice.point == PointKind::packed ? 1 : 2; }
};

}  // namespace rivulet

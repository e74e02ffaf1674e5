// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "battery/battery_test.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "kernels/battery/word_tiles.hpp"
#include "sequences/order.hpp"

namespace rivulet {

/// The deck of the battery job.
struct BatteryOptions {
  StreamOptions streams;
  std::string tests = "small";
  std::uint64_t first_word = 0;
  Order order = Order::interleaved;
  std::uint64_t block = 0;   ///< of blocked order
  bool reversed = false;     ///< bits of the words
  std::uint64_t memory = 0;  ///< bytes; 0 chooses
  CheckpointOptions checkpoint;
  OutputOptions output{"battery.h5"};

  io::Schema schema();
  /// Throws Error for invalid or inconsistent values.
  void check() const;
  WordOrder word_order() const;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

/// How far a sequence draws ahead in a device's memory, and how that goes to the host. Speed only.
struct AheadLimits {
  /// Whether numbers go through memory of a device, or of what tests take for one.
  bool through_device = device_build;
  /// The least number of bytes that are drawn ahead at a time: sending fewer takes less time than
  /// kernels take to start.
  std::size_t large_bytes = 4'000'000;
  /// Device memory, or what a unit takes: a stream that is cut into as many segments as a device
  /// wants draws so much in some ten times the time that cutting it takes.
  std::size_t most_bytes = std::size_t{1} << 30;
  /// Bytes of pinned memory that are sent at a time: this takes 0.3 ms (PCI Express 5), far longer
  /// than its start, and as soon after the first bytes can be copied on.
  std::size_t chunk_bytes = std::size_t{16} << 20;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "kokkos_compat.hpp"

namespace rivulet {

/// How far a sequence is prefetched in a device's memory, and how it is copied to the host. Speed
/// only.
struct AheadLimits {
  /// Whether numbers go through memory of a device, or of a test's substitute for one.
  bool through_device = device_build;
  /// Reads of at least this many bytes are prefetched: smaller ones are sent in less time than
  /// kernels take to start.
  std::size_t large_bytes = 4'000'000;
  /// Device memory for prefetched numbers, if a unit does not take more: drawing this much of a
  /// stream that is cut into as many segments as a device wants takes some ten times the time of
  /// cutting it.
  std::size_t most_bytes = std::size_t{1} << 30;
  /// Bytes of each pinned buffer. They are sent in 0.3 ms (PCI Express 5), far longer than a copy
  /// takes to begin; after that time the host can already copy the first ones on.
  std::size_t chunk_bytes = std::size_t{16} << 20;
};

}  // namespace rivulet

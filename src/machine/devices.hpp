// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rivulet {

// What the backend itself says of devices: backends/ has a file for each. Kokkos cannot be asked
// before it starts, where there is no device it does not start but ends the program, and it does
// not say what memory is left.

/// Devices that this process sees.
struct Devices {
  int count = 0;
  std::string why_none;  ///< the backend's words, if there are none
};

/// nullopt in builds whose kernels run on the host.
std::optional<Devices> visible_devices();

/// What tells the device that Kokkos runs on from others of its host, in any rank and container;
/// empty where visible_devices() is nullopt.
std::string name_of_device();

/// Of the memory that kernels' data is in.
struct MemoryLeft {
  std::uint64_t bytes = 0;
  const char* where = "";  ///< "the device" or "the host"
};
MemoryLeft memory_left();

}  // namespace rivulet

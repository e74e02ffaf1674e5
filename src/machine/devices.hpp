// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rivulet {

// Devices as the backend's runtime describes them: backends/ has a file for each. Kokkos cannot be
// asked before it starts, ends the program where there is no device, and does not report free
// memory.

struct Devices {
  int count = 0;
  std::string why_none;  ///< the backend's message, if there are none
};

/// nullopt in builds whose kernels run on the host.
std::optional<Devices> visible_devices();

/// An identifier of the device that Kokkos runs on, different for all devices of its host, in any
/// rank and container; empty where visible_devices() is nullopt.
std::string name_of_device();

/// Free memory of the space that holds kernels' data.
struct MemoryLeft {
  std::uint64_t bytes = 0;
  const char* where = "";  ///< "the device" or "the host"
};
MemoryLeft memory_left();

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rivulet {

// These functions query the backend's runtime. The directory backends/ has one implementation per
// backend. Kokkos does not suffice: it cannot answer before its start, ends the process if there is
// no device, and does not report free memory.

struct Devices {
  int count = 0;
  std::string reason_for_none;  ///< the backend's message if there are no devices
};

/// Returns the devices that this process can use; nullopt in builds whose kernels run on the host.
std::optional<Devices> visible_devices();

/// Returns an identifier of the device that Kokkos uses. Any two devices of a host have different
/// identifiers, even if different ranks or containers ask. Empty if visible_devices() is nullopt.
std::string name_of_device();

/// Free memory for kernels' data.
struct FreeMemory {
  std::uint64_t bytes = 0;
  const char* where = "";  ///< "the device" or "the host"
};
FreeMemory free_memory_for_kernels();

}  // namespace rivulet

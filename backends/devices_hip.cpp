// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hip/hip_runtime.h>

#include <cstddef>

#include "machine/devices.hpp"

namespace rivulet {

std::optional<Devices> visible_devices() {
  Devices devices;
  const hipError_t status = hipGetDeviceCount(&devices.count);
  if (status == hipSuccess && devices.count > 0) return devices;
  return Devices{0, status == hipSuccess ? "HIP sees none" : hipGetErrorString(status)};
}

std::string name_of_device() {
  int device = 0;
  char place_on_bus[64] = {};
  if (hipGetDevice(&device) != hipSuccess ||
      hipDeviceGetPCIBusId(place_on_bus, sizeof(place_on_bus), device) != hipSuccess) {
    return "";
  }
  return place_on_bus;
}

FreeMemory free_memory_for_kernels() {
  std::size_t left = 0;
  std::size_t all = 0;
  return {hipMemGetInfo(&left, &all) == hipSuccess ? left : 0, "the device"};
}

}  // namespace rivulet

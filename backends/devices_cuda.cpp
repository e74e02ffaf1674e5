// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include <cstddef>

#include "machine/devices.hpp"

namespace rivulet {

std::optional<Devices> visible_devices() {
  Devices devices;
  const cudaError_t status = cudaGetDeviceCount(&devices.count);
  if (status == cudaSuccess && devices.count > 0) return devices;
  return Devices{0, status == cudaSuccess ? "CUDA sees none" : cudaGetErrorString(status)};
}

/// Returns the device's UUID, because all MIG instances of a GPU have the same bus address.
std::string name_of_device() {
  int device = 0;
  cudaDeviceProp properties;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    return "";
  }
  return {properties.uuid.bytes, sizeof(properties.uuid.bytes)};
}

FreeMemory free_memory_for_kernels() {
  std::size_t left = 0;
  std::size_t all = 0;
  return {cudaMemGetInfo(&left, &all) == cudaSuccess ? left : 0, "the device"};
}

}  // namespace rivulet

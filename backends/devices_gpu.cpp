// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>

#include "kokkos_compat.hpp"
#include "machine/devices.hpp"

// CUDA and HIP have the same functions; only their prefixes differ.
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#define RIVULET_GPU(name) cuda##name
#define RIVULET_GPU_API "CUDA"
#else
#include <hip/hip_runtime.h>
#define RIVULET_GPU(name) hip##name
#define RIVULET_GPU_API "HIP"
#endif

namespace rivulet {

std::optional<Devices> visible_devices() {
  Devices devices;
  const RIVULET_GPU(Error_t) status = RIVULET_GPU(GetDeviceCount)(&devices.count);
  if (status != RIVULET_GPU(Success)) return Devices{0, RIVULET_GPU(GetErrorString)(status)};
  if (devices.count == 0) devices.reason_for_none = RIVULET_GPU_API " sees none";
  return devices;
}

#if defined(KOKKOS_ENABLE_CUDA)
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
#else
std::string name_of_device() {
  int device = 0;
  char place_on_bus[64] = {};
  if (hipGetDevice(&device) != hipSuccess ||
      hipDeviceGetPCIBusId(place_on_bus, sizeof(place_on_bus), device) != hipSuccess) {
    return "";
  }
  return place_on_bus;
}
#endif

FreeMemory free_memory_for_kernels() {
  std::size_t left = 0;
  std::size_t all = 0;
  return {RIVULET_GPU(MemGetInfo)(&left, &all) == RIVULET_GPU(Success) ? left : 0, "the device"};
}

}  // namespace rivulet

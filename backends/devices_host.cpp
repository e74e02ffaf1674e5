// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/mpi/node.hpp"
#include "machine/devices.hpp"

namespace rivulet {

std::optional<Devices> visible_devices() { return std::nullopt; }
std::string name_of_device() { return ""; }
FreeMemory free_memory_for_kernels() { return {io::available_memory(), "the host"}; }

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/out_of_memory.hpp"

#include <fmt/format.h>

#include "machine/devices.hpp"

namespace rivulet {
namespace {

std::string compared_with_free_memory(std::uint64_t bytes) {
  const FreeMemory available = free_memory_for_kernels();
  if (bytes <= available.bytes) {
    return fmt::format("it takes {} B; {} has {} B left", bytes, available.where, available.bytes);
  }
  return fmt::format("it takes {} B, {} B more than {} has left", bytes, bytes - available.bytes,
                     available.where);
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& problem, std::uint64_t bytes,
                         const std::string& what_to_do)
    : Error(problem, compared_with_free_memory(bytes), what_to_do) {}

}  // namespace rivulet

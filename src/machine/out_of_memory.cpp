// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/out_of_memory.hpp"

#include <fmt/format.h>

#include "machine/devices.hpp"

namespace rivulet {
namespace {

std::string against_what_is_left(std::uint64_t bytes) {
  const MemoryLeft left = memory_left();
  if (bytes <= left.bytes) {
    return fmt::format("it takes {} B; {} has {} B left", bytes, left.where, left.bytes);
  }
  return fmt::format("it takes {} B, {} B more than {} has left", bytes, bytes - left.bytes,
                     left.where);
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& problem, std::uint64_t bytes,
                         const std::string& what_to_do)
    : Error(problem, against_what_is_left(bytes), what_to_do) {}

}  // namespace rivulet

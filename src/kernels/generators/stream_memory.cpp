// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/generators/stream_memory.hpp"

#include "rivulet/error.hpp"

namespace rivulet {

void require_bytes(std::size_t saved, std::size_t wanted) {
  if (saved == wanted) return;
  throw Error("saved streams do not fit",
              std::to_string(saved) + " B instead of " + std::to_string(wanted) + " B",
              "Restore into the same number of streams of the same generator.");
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/stream_source.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// The arguments of store_numbers(): a work, and the memory for its numbers.
struct NumberStore {
  const Space& space;
  StreamSource& source;
  const NumberRequest& request;
  Work work;
  NumberPlaces places;
  void* to;
};

/// Draws the numbers of the work and stores them in the fastest way. Blocking on a CPU.
void store_numbers(const NumberStore& args);

}  // namespace rivulet

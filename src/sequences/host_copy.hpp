// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <deque>

#include "sequences/refill.hpp"

namespace rivulet {

/// Copies within the host's memory by several threads, which wait for the next copy in between:
/// one alone is slower than a device sends. Not for two threads at once.
class HostCopy {
 public:
  void operator()(void* to, const void* from, std::size_t bytes);

 private:
  std::deque<Refill> helpers_;
};

}  // namespace rivulet

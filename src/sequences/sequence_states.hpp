// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// States of a sequence's streams after `numbers` numbers of each.
struct SequenceStates {
  Uint128 numbers = 0;
  std::vector<std::byte> bytes;
};

}  // namespace rivulet

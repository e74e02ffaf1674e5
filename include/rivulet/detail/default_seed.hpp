// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace rivulet {

/// The seed if the user gives none: the day on which Rivulet began.
inline constexpr std::uint64_t default_seed = 20261120;

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// An integer for positions in sequences and lengths of jumps, which can exceed 64 bits:
/// rivulet::Uint128{1} << 70.
__extension__ using Uint128 = unsigned __int128;

}  // namespace rivulet

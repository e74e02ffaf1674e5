// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A header of the program's own, of the name that one of Rivulet's has.
namespace tallies {
struct own_error {};
}  // namespace tallies

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet::detail {

/// Carries the message of a deleted function, as a constraint that always holds. g++ prints the
/// constraint. clang++ prints the source line of the function's name, so the message must be on
/// that line. Unlike a static_assert, the constraint leaves overload resolution and
/// std::is_constructible unchanged.
constexpr bool deleted_because(const char*) { return true; }

}  // namespace rivulet::detail

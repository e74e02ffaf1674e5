// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet::detail {

/// The message of a deleted function, as a constraint that always holds: g++ prints it in its
/// error, clang++ in the line that it shows. So the text and the function's name share a line.
/// Unlike a static_assert it leaves overload resolution and std::is_constructible unchanged.
constexpr bool deleted_because(const char*) { return true; }

}  // namespace rivulet::detail

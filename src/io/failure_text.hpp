// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>

namespace rivulet::io {

/// Whether memory ran out. Kokkos says so in words alone, which its versions choose differently.
bool tells_of_memory(const std::exception& failure) noexcept;

/// What a user is told of a failure: an Error's own message; of memory that ran out what it was
/// for and how much, where that is known; of everything else what it says.
std::string failure_text(const std::exception_ptr& failure);

}  // namespace rivulet::io

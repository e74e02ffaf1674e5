// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace rivulet {

// Copies of untyped device memory: Kokkos compiles its copies of views anew for each type and
// number of dimensions. All functions return when the copy is complete.

void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);
/// `bytes` is a multiple of 4.
void fill_with_zeros(void* to, std::size_t bytes);

}  // namespace rivulet

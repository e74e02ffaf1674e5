// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// distribution_bits_fused.cpp and distribution_bits_unfused.cpp compile the same code.
// tests/CMakeLists.txt lets the compiler fuse multiplications with additions in the former, and
// forbids this in the latter.

namespace rivulet {

/// Write the distribution_bits() of all rows and columns to `bits`, row by row. Each is computed
/// from `draws` draws.
void bits_with_fusing(double a, double b, int draws, std::uint64_t* bits);
void bits_without_fusing(double a, double b, int draws, std::uint64_t* bits);

/// Return a * b + c: as written, with the library's product(), or with its sum(). Each expression
/// has a function of its own, because compilers do not fuse a product that is used twice.
double plain_with_fusing(double a, double b, double c);
double plain_without_fusing(double a, double b, double c);
double by_product_with_fusing(double a, double b, double c);
double by_product_without_fusing(double a, double b, double c);
double by_sum_with_fusing(double a, double b, double c);
double by_sum_without_fusing(double a, double b, double c);

}  // namespace rivulet

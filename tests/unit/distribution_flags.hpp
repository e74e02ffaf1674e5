// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// Two files have the same source. For one of them, tests/CMakeLists.txt lets the compiler fuse
// multiplications with additions wherever it can. For the other, it forbids fusing.

namespace rivulet {

/// distribution_bits of `draws` draws each, row by row.
void bits_with_fusing(double a, double b, int draws, std::uint64_t* bits);
void bits_without_fusing(double a, double b, int draws, std::uint64_t* bits);

/// a * b + c: as written, with the library's product, and with the library's sum. Each has a
/// function, because compilers do not fuse a product that is used twice.
double plain_with_fusing(double a, double b, double c);
double plain_without_fusing(double a, double b, double c);
double by_product_with_fusing(double a, double b, double c);
double by_product_without_fusing(double a, double b, double c);
double by_sum_with_fusing(double a, double b, double c);
double by_sum_without_fusing(double a, double b, double c);

}  // namespace rivulet

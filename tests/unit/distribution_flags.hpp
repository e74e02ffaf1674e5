// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// Two files of the same source, of which tests/CMakeLists.txt has compilers fuse multiplications
// with additions wherever they can in one, and nowhere in the other.

namespace rivulet {

/// distribution_bits of `draws` draws each, row by row.
void bits_with_fusing(double a, double b, int draws, std::uint64_t* bits);
void bits_without_fusing(double a, double b, int draws, std::uint64_t* bits);

/// a * b + c: as it stands, by a product of the library's, and by a sum of its. A function each, as
/// compilers do not fuse a product that is used twice.
double plain_with_fusing(double a, double b, double c);
double plain_without_fusing(double a, double b, double c);
double by_product_with_fusing(double a, double b, double c);
double by_product_without_fusing(double a, double b, double c);
double by_sum_with_fusing(double a, double b, double c);
double by_sum_without_fusing(double a, double b, double c);

}  // namespace rivulet

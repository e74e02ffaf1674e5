// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define rivulet rivulet_fused
#include "distribution_bits.hpp"
#undef rivulet
#include "distribution_flags.hpp"

namespace rivulet {

void bits_with_fusing(double a, double b, int draws, std::uint64_t* bits) {
  for (int row = 0; row < rivulet_fused::bits_rows; ++row) {
    for (int column = 0; column < rivulet_fused::bits_columns; ++column) {
      *bits++ = rivulet_fused::distribution_bits(row, column, a, b, draws);
    }
  }
}

double plain_with_fusing(double a, double b, double c) { return a * b + c; }
double by_product_with_fusing(double a, double b, double c) {
  return rivulet_fused::detail::product(a, b) + c;
}
double by_sum_with_fusing(double a, double b, double c) {
  return rivulet_fused::detail::sum(a * b, c);
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define rivulet rivulet_unfused
#include "distribution_bits.hpp"
#undef rivulet
#include "distribution_flags.hpp"

namespace rivulet {

void bits_without_fusing(double a, double b, int draws, std::uint64_t* bits) {
  for (int row = 0; row < rivulet_unfused::bits_rows; ++row) {
    for (int column = 0; column < rivulet_unfused::bits_columns; ++column) {
      *bits++ = rivulet_unfused::distribution_bits(row, column, a, b, draws);
    }
  }
}

double plain_without_fusing(double a, double b, double c) { return a * b + c; }
double by_product_without_fusing(double a, double b, double c) {
  return rivulet_unfused::detail::product(a, b) + c;
}
double by_sum_without_fusing(double a, double b, double c) {
  return rivulet_unfused::detail::sum(a * b, c);
}

}  // namespace rivulet

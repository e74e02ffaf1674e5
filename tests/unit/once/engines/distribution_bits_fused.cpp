// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RIVULET_FUSING  // distribution_bits_unfused.cpp defines it
#define RIVULET_FUSING(name) name##_with_fusing
#endif
#define rivulet RIVULET_FUSING(rivulet)
#include "distribution_bits.hpp"
#undef rivulet
#include "distribution_flags.hpp"

namespace rivulet {

namespace own = RIVULET_FUSING(rivulet);

void RIVULET_FUSING(bits)(double a, double b, int draws, std::uint64_t* bits) {
  for (int row = 0; row < own::bits_rows; ++row) {
    for (int column = 0; column < own::bits_columns; ++column) {
      *bits++ = own::distribution_bits(row, column, a, b, draws);
    }
  }
}

double RIVULET_FUSING(plain)(double a, double b, double c) { return a * b + c; }
double RIVULET_FUSING(by_product)(double a, double b, double c) {
  return own::detail::product(a, b) + c;
}
double RIVULET_FUSING(by_sum)(double a, double b, double c) { return own::detail::sum(a * b, c); }

}  // namespace rivulet

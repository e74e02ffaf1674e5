// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// base^exponent by repeated squaring, for any type with an associative product: one squaring for
/// each bit of the exponent. `one` is the neutral element.
template <class T>
constexpr T power(T base, Uint128 exponent, T one) {
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) one = one * base;
    base = base * base;
  }
  return one;
}

}  // namespace rivulet

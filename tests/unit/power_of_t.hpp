// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/algebra/gf2_modulus.hpp"

namespace rivulet {

/// Returns t^(multiplier * 2^log2) modulo `modulus` (degree >= 1).
inline Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2,
                                const Gf2Polynomial& modulus) {
  detail::Gf2Words exponent(log2 / 64 + 2, 0);
  detail::gf2_add_shifted(exponent, {multiplier}, log2);
  return Gf2Polynomial(Gf2Modulus(modulus).power_of_t(exponent));
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <NTL/GF2X.h>
#include <NTL/ZZ.h>

#include "algebra/gf2_polynomial.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

// Polynomials and integers as NTL has them, for sources that reckon with it.

NTL::GF2X to_ntl(const Gf2Polynomial& polynomial);
Gf2Polynomial from_ntl(const NTL::GF2X& polynomial);
NTL::ZZ to_ntl(Uint128 number);

}  // namespace rivulet

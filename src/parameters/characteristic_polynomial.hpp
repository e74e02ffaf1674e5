// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "algebra/gf2_polynomial.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"

namespace rivulet {

/// Characteristic polynomial, of degree p, of the recurrence with twist coefficient a. Closed form:
/// Matsumoto & Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), appendix A. Different a have
/// different polynomials.
Gf2Polynomial dcmt_characteristic_polynomial(const DcmtShape& shape, std::uint32_t a);

}  // namespace rivulet

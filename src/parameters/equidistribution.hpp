// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"

namespace rivulet {

/// Exact dimensions of equidistribution k(v) of the v leading bits, v = 1..32: the successive
/// outputs' v leading bits are equidistributed in k(v) dimensions over the whole period, k(v) <=
/// floor(p / v). The set's characteristic polynomial must be irreducible (prove). Throws Error for
/// exponents not offered.
Equidistribution dimensions_of_equidistribution(const DcmtShape& shape, const DcmtSet& set);

/// Sum over v = 1..32 of floor(p / v) - k(v).
std::uint64_t total_defect(int p, const Equidistribution& k);

}  // namespace rivulet

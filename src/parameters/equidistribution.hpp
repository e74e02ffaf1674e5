// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// Exact dimensions of equidistribution k(v) of the v leading bits, v = 1..32: the successive
/// outputs' v leading bits are equidistributed in k(v) dimensions over the whole period, k(v) <=
/// floor(p / v). The set's characteristic polynomial must be irreducible (prove). Throws Error for
/// exponents not offered.
Equidistribution dimensions_of_equidistribution(const DcmtShape& shape, const DcmtSet& set);

/// Sum over v = 1..32 of floor(p / v) - k(v).
std::uint64_t total_defect(int p, const Equidistribution& k);

struct TemperingMasks {
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  friend bool operator==(const TemperingMasks&, const TemperingMasks&) = default;
};

/// Chooses the masks for the twist coefficient a, whose characteristic polynomial must be
/// irreducible, as the Dynamic Creator 0.6.2 does, decision for decision: for the 15 leading bits
/// all masks that are best up to there are kept, the rest is greedy. Matsumoto & Nishimura,
/// "Dynamic Creation of Pseudorandom Number Generators", 2000, section 4. Throws Error for
/// exponents not offered.
TemperingMasks find_tempering(const DcmtShape& shape, std::uint32_t a);

}  // namespace rivulet

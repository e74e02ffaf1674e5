// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// Returns the exact dimensions of equidistribution k(v), v = 1..32. Over the whole period, the v
/// leading bits of successive outputs are equidistributed in k(v) <= floor(p / v) dimensions. The
/// set's characteristic polynomial must be irreducible (see prove()). Throws Error for exponents
/// not offered.
Equidistribution dimensions_of_equidistribution(const DcmtShape& shape, const DcmtSet& set);

/// Returns the sum over v = 1..32 of floor(p / v) - k(v).
std::uint64_t total_defect(int p, const Equidistribution& k);

struct TemperingMasks {
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  friend bool operator==(const TemperingMasks&, const TemperingMasks&) = default;
};

/// Chooses the masks for the twist coefficient `a` exactly as the Dynamic Creator 0.6.2 does. For
/// the 15 leading bits, the search keeps all masks that are best so far; for the other bits, it is
/// greedy. The characteristic polynomial must be irreducible. See Matsumoto & Nishimura, "Dynamic
/// Creation of Pseudorandom Number Generators", 2000, section 4. Throws Error for exponents not
/// offered.
TemperingMasks find_tempering(const DcmtShape& shape, std::uint32_t a);

}  // namespace rivulet

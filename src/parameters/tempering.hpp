// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/dcmt_shape.hpp"

namespace rivulet {

/// Masks b and c of the tempering.
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

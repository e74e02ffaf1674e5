// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "rivulet/detail/rng/mtgp.hpp"

namespace rivulet::detail {

inline constexpr std::size_t mtgp_set_count = 200;

/// The sets that the authors published for exponent 11213. All characteristic polynomials are
/// irreducible and different, which tests prove.
inline constexpr MtgpSet mtgp_sets[mtgp_set_count] = {
#include "rivulet/detail/rng/mtgp_11213.inc"
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/equidistribution.hpp"

#include "parameters/pivot_reduction.hpp"

namespace rivulet {

Equidistribution dimensions_of_equidistribution(const DcmtShape& shape, const DcmtSet& set) {
  return with_pivot_reduction(shape, set.a, [&set](auto& reduction) {
    Equidistribution k{};
    for (int v = 1; v <= 32; ++v) {
      k[static_cast<std::size_t>(v - 1)] =
          static_cast<std::uint32_t>(reduction.dimension(set.b, set.c, v));
    }
    return k;
  });
}

std::uint64_t total_defect(int p, const Equidistribution& k) {
  std::uint64_t defect = 0;
  for (std::size_t i = 0; i < k.size(); ++i) {
    defect += static_cast<std::uint64_t>(p) / (i + 1) - k[i];
  }
  return defect;
}

}  // namespace rivulet

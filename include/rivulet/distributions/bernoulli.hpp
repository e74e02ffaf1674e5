// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"

namespace rivulet {

/// True with probability p: where a number uniform in [0, 1), a double, is below p. That is p
/// rounded up to a multiple of 2^-53 (of engines of 24 or 48 bits: 2^-24, 2^-48); 0 and 1 are
/// never and always.
class Bernoulli {
 public:
  using result_type = bool;

  /// 0 <= p <= 1.
  KOKKOS_FORCEINLINE_FUNCTION explicit Bernoulli(double p = 0.5) : p_(p) {
    RIVULET_ASSERT(p >= 0 && p <= 1);
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Rng& rng) const {
    return detail::draw_number<double>(rng) < p_;
  }

 private:
  double p_;
};

}  // namespace rivulet

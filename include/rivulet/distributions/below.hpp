// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/multiply_wide.hpp"

namespace rivulet {

/// Integers 0 .. n - 1 with exactly equal probabilities, by Lemire's method (ACM Trans. Model.
/// Comput. Simul. 29 (2019) 3): `Below(6)(rng)`. Draws one 32-bit number, or one 64-bit number for
/// n above 2^32. The number is drawn again with probability below n / 2^32 (n / 2^64 for 64-bit
/// numbers).
class Below {
 public:
  using result_type = std::uint64_t;

  /// Requires n > 0. With n = 0, draws return 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit Below(std::uint64_t n) : n_(n) {
    RIVULET_ASSERT(n > 0, "Below(n) needs n > 0.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Rng& rng) const {
    return n_ <= two32 ? of_32_bits(rng) : of_64_bits(rng);
  }

 private:
  static constexpr std::uint64_t two32 = std::uint64_t{1} << 32;

  // The result is the upper half of the product of a word and n. Some results come from one more
  // word than others; rejecting words whose lower half is below 2^32 mod n makes the numbers of
  // words equal.
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t of_32_bits(Rng& rng) const {
    std::uint64_t scaled = detail::draw_number<std::uint32_t>(rng) * n_;
    if (scaled % two32 < n_) {
      const std::uint64_t left_out = two32 % n_;
      while (scaled % two32 < left_out) scaled = detail::draw_number<std::uint32_t>(rng) * n_;
    }
    return scaled / two32;
  }
  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t of_64_bits(Rng& rng) const {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    detail::multiply_wide(detail::draw_number<std::uint64_t>(rng), n_, high, low);
    if (low < n_) {
      const std::uint64_t left_out = (0 - n_) % n_;
      while (low < left_out) {
        detail::multiply_wide(detail::draw_number<std::uint64_t>(rng), n_, high, low);
      }
    }
    return high;
  }

  std::uint64_t n_;
};

}  // namespace rivulet

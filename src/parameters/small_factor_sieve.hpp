// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// Trial division of the characteristic polynomials of one shape by all irreducible polynomials
/// within a range of degrees. The residues are affine in the bits of the twist coefficient a, so
/// each candidate costs a few xors per divisor. Thread-safe: members may be called concurrently.
class SmallFactorSieve {
 public:
  /// Uses divisors of degree lowest..highest. Requires 1 <= lowest <= highest <= 15.
  SmallFactorSieve(const DcmtShape& shape, int lowest, int highest);

  /// True if one of the divisors divides the characteristic polynomial for coefficient `a`.
  bool has_factor(std::uint32_t a) const;

 private:
  /// Number of divisors tried together.
  static constexpr std::size_t group_size_ = 64;
  using Residues = std::array<std::uint16_t, group_size_>;
  /// Entry i < 32: contribution of the coefficient's bit i to the residues; last entry: the
  /// residues of a = 0.
  using AffineResidues = std::array<Residues, 33>;

  std::vector<AffineResidues> groups_;
};

}  // namespace rivulet

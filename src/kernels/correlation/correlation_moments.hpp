// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/correlation/correlation.hpp"

namespace rivulet {

/// Exact sums over the numbers of one rank's streams. The means for all lags are computed from
/// these sums.
class CorrelationMoments {
 public:
  /// `numbers`: numbers per stream; must exceed `lags`.
  CorrelationMoments(std::uint64_t lags, CorrelatedBits bits, std::uint64_t numbers);

  /// Adds a piece. Blocking.
  void add(const Space& space, const CorrelationPiece& piece);

  Int128 sum() const { return sum_; }
  Int128 squares() const { return squares_; }
  /// Returns one sum for each j = 0 .. lags - 1. Sum j includes the numbers j and `numbers` - 1 - j
  /// of every stream.
  std::vector<std::int64_t> ends() const;

 private:
  void add_sums(const Space& space, const CorrelationPiece& piece);

  CorrelatedBits bits_;
  std::uint64_t numbers_;
  Int128 sum_ = 0;
  Int128 squares_ = 0;
  Kokkos::View<std::int64_t*, Space> ends_;
};

}  // namespace rivulet

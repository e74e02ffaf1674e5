// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

using CountView = Kokkos::View<std::uint64_t*, Space>;

/// Exact counts of cells, in copies: on a CPU one for each thread if these stay in its nearest
/// caches, else one for all; on a GPU enough to spread the warps. On a CPU, a copy of the smallest
/// tables has several ways, as two increments of one count in a row wait for each other.
class AliasHistogram {
 public:
  /// Ways of a copy that has several. Lanes use them in turn.
  static constexpr int ways = device_build ? 1 : 4;

  AliasHistogram(const Space& space, std::uint64_t cells);

  /// Whether threads share a copy, so that increments must be atomic.
  KOKKOS_FUNCTION bool shared() const { return shared_; }
  KOKKOS_FUNCTION std::uint64_t copies() const { return copies_; }
  KOKKOS_FUNCTION int spread() const { return spread_; }
  KOKKOS_FUNCTION std::uint64_t cells() const { return cells_; }
  /// Whether a copy is too large for the nearest caches.
  KOKKOS_FUNCTION bool beyond_cache() const { return cells_ > (std::uint64_t{1} << 15); }
  /// The counts of copy c: cell i of way w at w * cells() + i.
  KOKKOS_FUNCTION std::uint64_t* copy(std::uint64_t c) const {
    return counts_.data() + c * cells_ * static_cast<std::uint64_t>(spread_);
  }

  void clear(const Space& space) const;
  /// Sums over all copies.
  CountView sum(const Space& space) const;

 private:
  CountView counts_;
  std::uint64_t cells_;
  std::uint64_t copies_ = 1;
  int spread_ = 1;  ///< a power of two
  bool shared_ = false;
};

/// Where a batch's cells are kept besides being counted: sample i of local stream s at cells(s *
/// stride + i - batch.begin). An empty view keeps none.
struct AliasSamples {
  Kokkos::View<std::uint32_t*, Space> cells;
  std::uint64_t stride = 0;

  KOKKOS_FUNCTION std::uint32_t* of(std::uint64_t stream) const {
    return cells.data() + stream * stride;
  }
};

}  // namespace rivulet

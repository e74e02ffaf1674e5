// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

using CountView = Kokkos::View<std::uint64_t*, Space>;

/// Exact counts of cells, in copies: on a CPU one for each thread if
/// these stay in its nearest caches (for the smallest tables several, one for each lane in turn:
/// two increments of one count in a row wait for each other), else one for all; on a GPU enough to
/// spread the warps.
class AliasHistogram {
 public:
  /// Adjacent copies that lanes use in turn.
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

  /// Counts cells in a copy, or one of its ways.
  struct Counter {
    const AliasHistogram& histogram;
    std::uint64_t* counts;

    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::uint32_t cell) const {
      if (device_build || histogram.shared_) {
        Kokkos::atomic_add(counts + cell, std::uint64_t{1});
      } else {
        ++counts[cell];
      }
    }
  };
  /// For any number `way`.
  KOKKOS_FORCEINLINE_FUNCTION Counter counter(std::uint64_t c, int way = 0) const {
    const auto skipped = static_cast<std::uint64_t>(device_build ? 0 : way & (spread_ - 1));
    return {*this, copy(c) + skipped * cells_};
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

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

using CountView = Kokkos::View<std::uint64_t*, Space>;

/// Exact counts of cells, in one or more copies. On a GPU, several copies spread the atomic
/// increments of the warps. On a CPU, each thread has its own copy if a copy fits in the nearest
/// caches; otherwise, threads share one copy. A small copy on a CPU consists of several
/// sub-histograms (ways). With only one way, consecutive increments of a count would wait for each
/// other.
class AliasHistogram {
 public:
  /// Ways per copy, if ways_per_copy() > 1. Consecutive samples use the ways in turn.
  static constexpr int ways = device_build ? 1 : 4;

  AliasHistogram(const Space& space, std::uint64_t cells);

  /// True if threads share a copy, so increments must be atomic.
  KOKKOS_FUNCTION bool shared() const { return shared_; }
  KOKKOS_FUNCTION std::uint64_t copies() const { return copies_; }
  KOKKOS_FUNCTION int ways_per_copy() const { return ways_per_copy_; }
  KOKKOS_FUNCTION std::uint64_t cells() const { return cells_; }
  /// True if a copy is too large for the nearest caches.
  KOKKOS_FUNCTION bool beyond_cache() const { return cells_ > (std::uint64_t{1} << 15); }
  /// Returns the counts of copy c. Cell i of way w is at w * cells() + i.
  KOKKOS_FUNCTION std::uint64_t* copy(std::uint64_t c) const {
    return counts_.data() + c * cells_ * static_cast<std::uint64_t>(ways_per_copy_);
  }

  void clear(const Space& space) const;
  /// Returns the counts, summed over all copies. Blocking.
  CountView sum(const Space& space) const;

 private:
  CountView counts_;
  std::uint64_t cells_;
  std::uint64_t copies_ = 1;
  int ways_per_copy_ = 1;  ///< ways per copy; 1 or `ways`
  bool shared_ = false;
};

/// Memory for the cells of a batch, which begins with sample `begin` of each stream. The cell of
/// sample i of local stream s is stored at cells(s * stride + i - begin). If `stride` is 0, cells
/// are counted but not stored.
struct AliasSamples {
  Kokkos::View<std::uint32_t*, Space> cells;
  std::uint64_t stride = 0;

  KOKKOS_FUNCTION std::uint32_t* of(std::uint64_t stream) const {
    return cells.data() + stream * stride;
  }
};

}  // namespace rivulet

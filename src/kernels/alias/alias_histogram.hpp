// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "kokkos_compat.hpp"
#include "sampling/large_view.hpp"

namespace rivulet {

using CountView = Kokkos::View<std::uint64_t*, Space>;

/// Exact counts of cells first .. first + cells - 1, in copies: on a CPU one of each thread where
/// those stay in its nearest caches (several, lane by lane, of the smallest: a count that is raised
/// twice in a row waits for itself), else one for all; on a GPU as many as spread the warps.
class AliasHistogram {
 public:
  /// Copies beside each other that lanes take in turn.
  static constexpr int ways = device_build ? 1 : 4;

  AliasHistogram(const Space& space, std::uint64_t first, std::uint64_t cells)
      : first_(first), cells_(cells) {
    constexpr std::uint64_t bytes_per_thread = std::uint64_t{256} << 10;
    constexpr std::uint64_t bytes_per_device = std::uint64_t{64} << 20;
    const auto threads = static_cast<std::uint64_t>(space.concurrency());
    const std::uint64_t bytes = std::max<std::uint64_t>(cells, 1) * sizeof(std::uint64_t);
    if (device_build) {
      copies_ = std::clamp<std::uint64_t>(bytes_per_device / bytes, 1, 1024);
    } else if (threads > 1 && bytes <= bytes_per_thread) {
      copies_ = threads;
    }
    shared_ = device_build || (threads > 1 && copies_ == 1);
    spread_ = ways * bytes <= bytes_per_thread ? ways : 1;
    counts_ = large_view<CountView>("rivulet::counts",
                                    cells * copies_ * static_cast<std::uint64_t>(spread_));
    clear(space);
  }

  /// Whether threads share a copy, so that counts must be raised by atomic operations.
  KOKKOS_FUNCTION bool shared() const { return shared_; }
  KOKKOS_FUNCTION std::uint64_t copies() const { return copies_; }
  KOKKOS_FUNCTION int spread() const { return spread_; }
  KOKKOS_FUNCTION std::uint64_t first() const { return first_; }
  KOKKOS_FUNCTION std::uint64_t cells() const { return cells_; }
  /// Whether the counts of a copy are too many for the nearest caches.
  KOKKOS_FUNCTION bool far() const { return cells_ > (std::uint64_t{1} << 15); }
  /// The counts of copy c: cell i of way w at w * cells() + i.
  KOKKOS_FUNCTION std::uint64_t* copy(std::uint64_t c) const {
    return counts_.data() + c * cells_ * static_cast<std::uint64_t>(spread_);
  }

  void clear(const Space& space) const { Kokkos::deep_copy(space, counts_, std::uint64_t{0}); }

  /// The sums over all copies.
  CountView sum(const Space& space) const {
    const CountView total("rivulet::histogram", cells_);
    Kokkos::parallel_for(
        "rivulet::histogram",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, cells_),
        Sum{counts_, total, copies_ * static_cast<std::uint64_t>(spread_), cells_});
    space.fence();
    return total;
  }

  struct Sum {
    CountView counts;
    CountView total;
    std::uint64_t copies;
    std::uint64_t cells;
    KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
      std::uint64_t sum = 0;
      for (std::uint64_t c = 0; c < copies; ++c) sum += counts(c * cells + cell);
      total(cell) = sum;
    }
  };

 private:
  CountView counts_;
  std::uint64_t first_;
  std::uint64_t cells_;
  std::uint64_t copies_ = 1;
  int spread_ = 1;
  bool shared_ = false;
};

}  // namespace rivulet

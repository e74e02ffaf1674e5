// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "kokkos_compat.hpp"
#include "rivulet/detail/team_atomics.hpp"

namespace rivulet::detail {

using LaneRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
/// For bodies with several functions, told apart by tags.
template <class Tag>
using TaggedRange = Kokkos::RangePolicy<Space, Tag, Kokkos::IndexType<std::uint64_t>>;

/// Calls that share n items: a thread each on a CPU, more of them on a device.
inline std::uint64_t battery_lanes(const Space& space, std::uint64_t n) {
  const auto threads = static_cast<std::uint64_t>(space.concurrency());
  return std::clamp<std::uint64_t>(n, 1, threads);
}

/// The items of a lane: a range on a CPU; on a device neighbours have neighbouring items.
struct LaneItems {
  std::uint64_t lanes;
  std::uint64_t items;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t begin(std::uint64_t lane) const {
    return device_build ? lane : range_begin(lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t end(std::uint64_t lane) const {
    return device_build ? items : range_begin(lane + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t step() const { return device_build ? lanes : 1; }
  /// Where a lane's range begins, if its items follow each other.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t range_begin(std::uint64_t lane) const {
    const std::uint64_t longer = items % lanes;
    return items / lanes * lane + (lane < longer ? lane : longer);
  }
};

using HistogramCopies = Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space>;

struct SumSquares {
  HistogramCopies copies;
  std::uint64_t each;
  KOKKOS_FUNCTION void operator()(std::uint64_t group, std::uint64_t& sum) const {
    std::uint64_t count = 0;
    for (std::uint64_t copy = 0; copy < copies.extent(0); ++copy) {
      for (std::uint64_t i = 0; i < each; ++i) count += copies(copy, group * each + i);
    }
    sum += count * count;
  }
};

/// Moves the other copies' counts to the first one.
struct SumCopies {
  HistogramCopies copies;
  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    for (std::uint64_t copy = 1; copy < copies.extent(0); ++copy) {
      copies(0, cell) += copies(copy, cell);
      copies(copy, cell) = 0;
    }
  }
};

/// Counts of cells, in several copies: each thread of a CPU has its own of up to 2^20 cells.
class Histogram {
 public:
  Histogram(const Space& space, std::uint64_t cells)
      : copies_("rivulet::battery_histogram", copies_for(space, cells), cells) {}

  static std::uint64_t bytes(const Space& space, std::uint64_t cells) {
    return copies_for(space, cells) * cells * sizeof(std::uint64_t);
  }

  /// lane: below battery_lanes().
  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t lane, std::uint64_t cell,
                                       std::uint64_t count = 1) const {
    if (device_build || copies_.extent(0) == 1) {
      Kokkos::atomic_add(&copies_(lane % copies_.extent(0), cell), count);
    } else {
      copies_(lane, cell) += count;
    }
  }

  /// The sum of the squares of counts, `each` cells that follow each other taken together. Waits.
  std::uint64_t squares(const Space& space, std::uint64_t each = 1) const {
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce("rivulet::battery_squares", LaneRange(space, 0, cells() / each),
                            SumSquares{copies_, each}, sum);
    return sum;
  }
  KOKKOS_FUNCTION std::uint64_t cells() const { return copies_.extent(1); }

  /// The counts up to here. Waits.
  std::vector<std::uint64_t> sums(const Space& space) const {
    Kokkos::parallel_for("rivulet::battery_sum_copies", LaneRange(space, 0, cells()),
                         SumCopies{copies_});
    std::vector<std::uint64_t> all(cells());
    const Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        to(all.data(), all.size());
    Kokkos::deep_copy(space, to, Kokkos::subview(copies_, 0, Kokkos::ALL));
    space.fence();
    return all;
  }

 private:
  /// On a device as many as keep neighbours from waiting for each other, in a few MiB.
  static std::uint64_t copies_for(const Space& space, std::uint64_t cells) {
    if (device_build) return std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / cells, 1, 256);
    return cells <= std::uint64_t{1} << 20 ? static_cast<std::uint64_t>(space.concurrency()) : 1;
  }

  HistogramCopies copies_;
};

/// The strip functions of TestU01, exact in integers: the first r bits of a word are dropped.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t strip_bits(std::uint32_t word, int r, int s) {
  return word << r >> (32 - s);
}
/// floor(d frac(2^r U)), U = word 2^-32.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t strip_number(std::uint32_t word, int r, std::uint32_t d) {
  return static_cast<std::uint32_t>(std::uint64_t{word << r} * d >> 32);
}

template <std::unsigned_integral T>
KOKKOS_FORCEINLINE_FUNCTION int ones_of(T word) {
#if RIVULET_IN_DEVICE_CODE
  return sizeof(T) > 4 ? __popcll(word) : __popc(static_cast<unsigned>(word));
#else
  // GCC calls a function for std::popcount, unless it may assume a newer processor.
  std::uint64_t bits = word;
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<int>(bits * 0x0101010101010101U >> 56);
#endif
}

}  // namespace rivulet::detail

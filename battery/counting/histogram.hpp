// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "battery/words/word_supply.hpp"

namespace rivulet::detail {

/// Divides items among lanes (kernel calls). On a CPU, a lane has a contiguous range. On a device,
/// a lane processes every `lanes`-th item. Adjacent lanes then have adjacent items (coalesced
/// loads).
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
  /// Returns the start of a lane's range, if the lanes have contiguous ranges.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t range_begin(std::uint64_t lane) const {
    const std::uint64_t longer = items % lanes;
    return items / lanes * lane + (lane < longer ? lane : longer);
  }
};

/// Divides items among lanes, with at least `min_items` per lane if there are several. The number
/// of lanes is at most the concurrency of the space.
inline LaneItems lane_items(const Space& space, std::uint64_t items, std::uint64_t min_items = 1) {
  const auto threads = static_cast<std::uint64_t>(space.concurrency());
  return {std::clamp<std::uint64_t>(items / min_items, 1, threads), items};
}
/// Minimum number of words per lane for blocks of words.
inline constexpr std::uint64_t min_piece_words = 512;

/// Copies the values to memory that the space can access, and returns the copy.
template <class Value>
Owned<Value> on_device(const std::vector<Value>& values, const std::string& label) {
  const Owned<Value> copy(label, values.size());
  Kokkos::deep_copy(copy, Borrowed<const Value, Kokkos::HostSpace>(values.data(), values.size()));
  return copy;
}

/// Copies the values to host memory, and returns the copy. Blocking.
template <class View>
std::vector<typename View::non_const_value_type> on_host(const Space& space, const View& values) {
  std::vector<typename View::non_const_value_type> copy(values.extent(0));
  Kokkos::deep_copy(
      space,
      Borrowed<typename View::non_const_value_type, Kokkos::HostSpace>(copy.data(), copy.size()),
      values);
  space.fence();
  return copy;
}

/// Counts the items per cell. To avoid contention, the counts have several copies. On a CPU, there
/// is one copy per thread if there are at most 2^20 cells. On a device, there are up to 256 copies.
class Histogram {
 public:
  Histogram(const Space& space, std::uint64_t cells)
      : copies_("rivulet::battery_histogram", copies_for(space, cells), cells) {}

  static std::uint64_t bytes(const Space& space, std::uint64_t cells) {
    return copies_for(space, cells) * cells * sizeof(std::uint64_t);
  }

  /// Adds to a cell's count. `lane` is below the number of lanes of lane_items().
  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t lane, std::uint64_t cell,
                                       std::uint64_t count = 1) const {
    if (device_build || copies_.extent(0) == 1) {
      Kokkos::atomic_add(&copies_(lane % copies_.extent(0), cell), count);
    } else {
      copies_(lane, cell) += count;
    }
  }

  KOKKOS_FUNCTION std::uint64_t cells() const { return copies_.extent(1); }

  /// Returns the sum of the squared counts of groups of `each` consecutive cells. The count of a
  /// group is the sum of its cells' counts. Blocking.
  std::uint64_t squares(const Space& space, std::uint64_t each = 1) const;

  /// Returns the counts so far. Blocking.
  std::vector<std::uint64_t> sums(const Space& space) const;

  /// Adds the counts of the other copies to the first copy, and clears the other copies.
  void join(const Space& space) const;

 private:
  using Copies = Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space>;

  /// Returns the number of copies. On a device, several copies reduce the contention of atomics,
  /// and together occupy at most 2 MiB.
  static std::uint64_t copies_for(const Space& space, std::uint64_t cells) {
    if (device_build) return std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / cells, 1, 256);
    return cells <= std::uint64_t{1} << 20 ? static_cast<std::uint64_t>(space.concurrency()) : 1;
  }

  Copies copies_;
};

}  // namespace rivulet::detail

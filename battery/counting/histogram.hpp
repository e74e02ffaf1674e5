// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "battery/words/word_supply.hpp"

namespace rivulet::detail {

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

/// Pieces of a block of so many words, none too small to be worth a lane.
inline LaneItems pieces_of(const Space& space, std::uint64_t block) {
  constexpr std::uint64_t words_worth_a_lane = 512;
  return {battery_lanes(space, block / words_worth_a_lane), block};
}

/// A copy in memory that the space reaches.
template <class Value>
Kokkos::View<Value*, Space> on_device(const std::vector<Value>& values, const std::string& label) {
  const Kokkos::View<Value*, Space> copy(label, values.size());
  Kokkos::deep_copy(copy, Borrowed<const Value, Kokkos::HostSpace>(values.data(), values.size()));
  return copy;
}

/// A copy in the host's memory. Waits.
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

  KOKKOS_FUNCTION std::uint64_t cells() const { return copies_.extent(1); }

  /// The sum of the squares of counts, `each` cells that follow each other taken together. Waits.
  std::uint64_t squares(const Space& space, std::uint64_t each = 1) const;

  /// The counts up to here. Waits.
  std::vector<std::uint64_t> sums(const Space& space) const;

  /// Moves the other copies' counts to the first one.
  void join(const Space& space) const;

 private:
  using Copies = Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space>;

  /// On a device as many as keep neighbours from waiting for each other, in a few MiB.
  static std::uint64_t copies_for(const Space& space, std::uint64_t cells) {
    if (device_build) return std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / cells, 1, 256);
    return cells <= std::uint64_t{1} << 20 ? static_cast<std::uint64_t>(space.concurrency()) : 1;
  }

  Copies copies_;
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Sizes for sorting a large table's draws by section.
struct AliasSectionSizes {
  int log2_cells;       ///< of a section, at the least
  std::uint64_t draws;  ///< that lie in memory at a time, 8 bytes each; less than 2^32

  /// Measured on an H200, whose cache of 50 MB then holds a section's buckets and counts (20 bytes
  /// a cell) besides the streaming draws: 2^18 and 2^19 are alike, 2^20 takes 1.07 x the time of a
  /// look-up, 2^21 1.66 x. Draws are proportional to the table, which is read once for them, up to
  /// 2 GiB.
  static AliasSectionSizes of(std::uint64_t cells) {
    return {19, std::clamp(4 * cells, std::uint64_t{1} << 25, std::uint64_t{1} << 28)};
  }
  /// Whether to sort draws rather than look them up unsorted, on a device: where there are enough
  /// draws to amortise the passes over the table. On an H200 (hybrid Tausworthe) this was 1.2 x as
  /// fast with 10^6 cells, but slower with twisters in few streams; 1.4 x with 3 * 10^6, 2.3 x with
  /// 10^7, 3.5 x with 10^8.
  static bool pays(std::uint64_t cells, std::uint64_t draws) {
    return cells >= std::uint64_t{1} << 21 && draws >= std::max(cells, std::uint64_t{1} << 24);
  }
};

namespace detail {

/// Draws from a table of one level in memory, separately for each section of the table, and the
/// number of draws of each bucket's alias that are not in the histogram yet. Copies share the
/// memory.
class AliasSections {
 public:
  AliasSections(std::uint64_t cells, const AliasSectionSizes& shape);

  KOKKOS_FUNCTION int count() const { return count_; }
  /// Draws that should be in memory at a time.
  std::uint64_t draws() const { return draws_; }
  std::uint64_t cells() const { return aliased_.extent(0); }
  /// Capacity of a section, in draws.
  KOKKOS_FUNCTION std::uint64_t room() const { return room_; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t section_of(std::uint64_t position) const {
    return static_cast<std::uint32_t>(position >> 32) >> log2_cells_;
  }

  /// Reserves n more draws of a section and returns the first one's place; places from room() on do
  /// not exist.
  KOKKOS_FUNCTION std::uint64_t reserve(int section, std::uint32_t n) const {
    return Kokkos::atomic_fetch_add(found_.data() + section * apart, std::uint64_t{n});
  }
  /// Draws of a section that are stored.
  KOKKOS_FUNCTION std::uint64_t placed(int section) const {
    const std::uint64_t all = found_.data()[section * apart];
    return all < room_ ? all : room_;
  }
  /// The draws of a section.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* positions(std::uint32_t section) const {
    return positions_.data() + section * room_;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* aliased(std::uint64_t bucket) const {
    return aliased_.data() + bucket;
  }
  void empty(const Space& space) const;

 private:
  /// Sections whose draws a team's scratch memory can count.
  static constexpr std::uint64_t most_sections = 512;
  /// Counters that all teams increment lie in separate cache lines.
  static constexpr int apart = 16;

  int log2_cells_;
  int count_ = 0;
  std::uint64_t draws_;
  std::uint64_t room_ = 0;
  Kokkos::View<std::uint64_t*, Space> positions_;
  Kokkos::View<std::uint64_t*, Space> found_;
  Kokkos::View<std::uint32_t*, Space> aliased_;
};

}  // namespace detail
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

namespace detail {

/// Twisters of at least this many words jump, and take hashed steps (IrregularStarts), in memory.
/// Shorter twisters do both in registers.
inline constexpr int many_words = 100;

/// Computes the index of a column's word w in a JumpTable.
struct JumpPlaces {
  std::uint64_t word_step = 0;
  std::uint64_t column_step = 1;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t of(std::uint64_t w, std::uint64_t column) const {
    return w * word_step + column * column_step;
  }
};

}  // namespace detail

/// The jumps by one distance on several parameter sets, in the form that kernels read. Each column
/// is the polynomial of one set, in words of 32 coefficients, the lowest first.
struct JumpTable {
  std::uint64_t sets = 0;
  std::vector<std::uint32_t> bits;

  static JumpTable zeros(int degree, std::uint64_t sets) {
    const auto words = static_cast<std::uint64_t>((degree + 31) / 32);
    return {sets, std::vector<std::uint32_t>(words * sets, 0)};
  }
  std::uint64_t words() const { return bits.size() / sets; }
  /// Long columns are contiguous, because a warp or thread reads one column. Short columns are
  /// interleaved, because each lane reads a different column.
  detail::JumpPlaces places() const {
    if (words() >= detail::many_words) return {1, words()};
    return {sets, 1};
  }
  /// Writes the column of one set. Several threads may fill one table, each with its own columns.
  void put(std::uint64_t set, const Gf2Polynomial& polynomial) {
    const detail::JumpPlaces at = places();
    const std::uint64_t all = words();
    for (std::uint64_t w = 0; w < all; ++w) bits[at.of(w, set)] = polynomial.half_word(w);
  }
};

/// The jumps that compute the start states of a range. A stream's source is another stream on its
/// set. The source's index is the stream's index (SetsPlan::index_of) without the lowest set bit.
/// If the range does not contain the source, the stream starts from its set's seeded state.
struct RangeJumps {
  /// Streams first .. last - 1 (global ids, all of one index) that start from seeded states, and
  /// their jump. Column j belongs to streams j, j + sets, ... of the range. The jump is empty for
  /// index 0.
  struct FromSeeds {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    JumpTable jump;
  };
  std::vector<FromSeeds> from_seeds;
  /// Element r: the jump that bit r of an index adds, with the same columns.
  std::vector<JumpTable> bit_jumps;
};

namespace detail {

constexpr Uint128 lowest_bit(Uint128 i) { return i & (~i + 1); }

/// Appends the indices i, first <= i <= last, whose source is less than `first`. The source of i is
/// i without its lowest set bit. The first such index is `first`. Each later index is the previous
/// index plus the lowest set bit of the previous index. (Indices have 128 bits, because sums and
/// products of ids and indices exceed 64 bits.)
inline void append_indices_without_source(Uint128 first, Uint128 last,
                                          std::vector<Uint128>& indices) {
  for (Uint128 i = first; i <= last; i += lowest_bit(i)) {
    indices.push_back(i);
    if (i == 0) break;
  }
}

/// Returns, for each index, the streams whose source is outside the range. The range may begin
/// between two streams of the same index, so the second index of the range is treated like the
/// first.
inline std::vector<RangeJumps::FromSeeds> seeded_streams(const SetsPlan& plan, StreamRange range) {
  const Uint128 end = Uint128{range.first} + range.count;
  const Uint128 first = plan.index_of(range.first);
  const Uint128 last = plan.index_of(range.first + (range.count - 1));
  std::vector<Uint128> indices;
  append_indices_without_source(first, last, indices);
  append_indices_without_source(first + 1, last, indices);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());

  std::vector<RangeJumps::FromSeeds> parts;
  for (const Uint128 i : indices) {
    const Uint128 begin = std::max<Uint128>(range.first, i * plan.sets());
    Uint128 stop = std::min(end, (i + 1) * plan.sets());
    // Later streams have their source in the range.
    if (i > 0) stop = std::min(stop, range.first + lowest_bit(i) * plan.sets());
    if (begin >= stop) continue;
    parts.push_back({static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(stop), {}});
  }
  return parts;
}

}  // namespace detail

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Jump polynomials of several parameter sets, ready for the kernel that applies them: word w of
/// set j's polynomial, 32 coefficients with the lowest first, is bits[w * sets + j].
struct JumpTable {
  std::uint64_t sets = 0;
  std::vector<std::uint32_t> bits;
};

/// The jumps that make the start states of a range. The streams of an index (SetsPlan::index_of)
/// are made from those of the index less its lowest set bit where the range has these, and from the
/// seeded states of their sets where it has not.
struct RangeJumps {
  /// Streams first .. last - 1 (global ids, all of one index) that start from seeded states, and
  /// the jump that they take from there: column j is that of the range's streams j, j + sets, ...;
  /// empty for the index 0.
  struct FromSeeds {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    JumpTable jump;
  };
  std::vector<FromSeeds> from_seeds;
  /// The jump of bit r of an index, likewise in columns, for streams that have another in the range
  /// 2^r indices before them.
  std::vector<JumpTable> of_bits;
};

/// Computes them on this rank's host threads; cost: some log2_jump + 64 squarings modulo
/// the characteristic polynomial of each set, nothing where every set has one stream.
RangeJumps range_jumps(const SetsPlan& plan, StreamRange range);

/// One jump of `steps` for every stream of a range: column j is that of streams first + j,
/// first + j + sets, ...
JumpTable common_jump(const SetsPlan& plan, StreamRange range, Uint128 steps);

/// Jumps of steps, 2 * steps, 4 * steps, ..., `count` of them, in the same columns.
std::vector<JumpTable> doubling_jumps(const SetsPlan& plan, StreamRange range, Uint128 steps,
                                      unsigned count);

}  // namespace rivulet

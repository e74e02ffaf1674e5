// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "streams/dcmt_plan.hpp"
#include "uint128.hpp"

namespace rivulet {

/// Jump polynomials of several parameter sets, ready for the kernel that applies them: word w of
/// set j's polynomial, 32 coefficients with the lowest first, is bits[w * sets + j].
struct JumpTable {
  std::uint64_t sets = 0;
  std::vector<std::uint32_t> bits;
};

/// The jumps that make a block's start states out of seeded ones. Streams first .. first + base - 1
/// (base = the smaller of block and number of sets) start from their set's seed, `start` moves each
/// to its own segment; stream first + t then comes from stream first + t - 2^b * sets by
/// doublings[b], where 2^b is the highest power of two in t / sets.
struct BlockJumps {
  std::uint64_t base = 0;
  JumpTable start;                   ///< empty if no base stream needs a jump
  std::vector<JumpTable> doublings;  ///< in order of b
};

/// Computes them on this rank's host threads with NTL; cost: log2_jump squarings modulo the
/// characteristic polynomial a set, nothing where every set has one stream.
BlockJumps block_jumps(const DcmtPlan& plan, StreamBlock block);

/// One jump of `steps` for every stream of a block: column j is that of streams first + j,
/// first + j + sets, ...
JumpTable common_jump(const DcmtPlan& plan, StreamBlock block, Uint128 steps);

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "parameters/dcmt_set.hpp"
#include "streams/stream_plan.hpp"

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
BlockJumps block_jumps(const StreamPlan& plan, const DcmtSets& sets, StreamBlock block);

}  // namespace rivulet

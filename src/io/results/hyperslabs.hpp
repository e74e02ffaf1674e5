// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/results/results_file.hpp"

// The functions below divide a rank's data into collective writes.

namespace rivulet::io {

std::uint64_t row_bytes(const Hyperslab& slab);

/// Returns the rows begin .. begin+rows-1 of a hyperslab. `data` points to the elements of these
/// rows.
Hyperslab part_of(Hyperslab slab, const void* data, std::uint64_t begin, std::uint64_t rows);

/// Cuts a hyperslab into parts, each small enough for one collective write, and appends them to
/// `rounds`.
void append_rounds(std::vector<Hyperslab>& rounds, const Hyperslab& slab);

/// Converts ranges to hyperslabs that append_rounds() can cut. Ranges that have no gaps between
/// them become one hyperslab, whose rows have one element each.
std::vector<Hyperslab> hyperslabs_of(ElementType type, const void* data,
                                     std::span<const StridedRanges> runs);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/results/results_file.hpp"

// The division of a rank's data into collective writes.

namespace rivulet::io {

std::uint64_t row_bytes(const Hyperslab& slab);

/// Returns rows begin .. begin+rows-1 of a hyperslab, whose elements are at `data`.
Hyperslab part_of(Hyperslab slab, const void* data, std::uint64_t begin, std::uint64_t rows);

/// Cuts a hyperslab into parts that each fit one collective write, and appends the parts.
void append_rounds(std::vector<Hyperslab>& rounds, const Hyperslab& slab);

/// Converts ranges to hyperslabs that append_rounds() can cut. Ranges without gaps get rows of one
/// element.
std::vector<Hyperslab> hyperslabs_of(ElementType type, const void* data,
                                     std::span<const StridedRanges> runs);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/results/results_file.hpp"

// How what a rank writes is cut into writes.

namespace rivulet::io {

std::uint64_t row_bytes(const Hyperslab& slab);

/// Rows begin .. begin+rows-1 of a hyperslab, which are at `data`.
Hyperslab part_of(Hyperslab slab, const void* data, std::uint64_t begin, std::uint64_t rows);

/// Cuts a hyperslab into what one collective write takes, and appends that.
void append_rounds(std::vector<Hyperslab>& rounds, const Hyperslab& slab);

/// Ranges as hyperslabs that can be cut; ranges without gaps have rows of one element.
std::vector<Hyperslab> hyperslabs_of(ElementType type, const void* data,
                                     std::span<const StridedRanges> runs);

}  // namespace rivulet::io

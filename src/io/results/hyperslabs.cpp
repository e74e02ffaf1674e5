// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/hyperslabs.hpp"

#include <algorithm>
#include <cstddef>

#include "io/results/hdf5_support.hpp"

namespace rivulet::io {
namespace {

/// Maximum bytes per rank in one collective write. The limit bounds MPI-IO's buffers.
constexpr std::uint64_t round_bytes = std::uint64_t{64} << 20;

}  // namespace

std::uint64_t row_bytes(const Hyperslab& slab) { return slab.columns * size_of(slab.type); }

Hyperslab part_of(Hyperslab slab, const void* data, std::uint64_t begin, std::uint64_t rows) {
  slab.data = data;
  slab.rows = rows;
  slab.offset += begin * std::max<std::uint64_t>(slab.stride, 1);
  return slab;
}

void append_rounds(std::vector<Hyperslab>& rounds, const Hyperslab& slab) {
  const std::uint64_t rows_per_round = std::max<std::uint64_t>(round_bytes / row_bytes(slab), 1);
  const auto* data = static_cast<const std::byte*>(slab.data);
  for (std::uint64_t done = 0; done < slab.rows; done += rows_per_round) {
    const std::uint64_t rows = std::min(rows_per_round, slab.rows - done);
    rounds.push_back(part_of(slab, data + done * row_bytes(slab), done, rows));
  }
}

std::vector<Hyperslab> hyperslabs_of(ElementType type, const void* data,
                                     std::span<const StridedRanges> runs) {
  std::vector<Hyperslab> slabs;
  const auto* next = static_cast<const std::byte*>(data);
  for (const StridedRanges& range : runs) {
    const bool is_contiguous = range.count == 1 || range.stride == range.length;
    const bool is_too_long = range.length * size_of(type) > round_bytes;
    if (is_contiguous) {
      slabs.push_back({next, type, range.elements(), 1, range.first});
    } else if (is_too_long) {
      for (std::uint64_t i = 0; i < range.count; ++i) {
        slabs.push_back({next + i * range.length * size_of(type), type, range.length, 1,
                         range.first + i * range.stride});
      }
    } else {
      slabs.push_back({next, type, range.count, range.length, range.first, range.stride});
    }
    next += range.elements() * size_of(type);
  }
  return slabs;
}

}  // namespace rivulet::io

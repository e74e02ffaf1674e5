// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/consumer.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_rows.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

/// A consumer that looks up and counts the cells of samples on a CPU. The consumer stores the cells
/// if `samples` has a view.
class CountCells {
 public:
  using Integer = std::uint32_t;
  static constexpr const char* label = "rivulet::alias";
  const ItemShape shape;

  CountCells(const Space& space, const AliasTable::Levels& table, const AliasHistogram& histogram,
             const AliasSamples& samples)
      : shape{table.sample_words()},
        table_(table),
        histogram_(histogram),
        samples_(samples),
        token_(space) {}

  void by_lanes(HostDraw<Integer>& draw) const;
  void by_stream(HostDraw<Integer>& draw) const;

 private:
  using Token = Kokkos::Experimental::UniqueToken<Space>;
  class Copy;
  static constexpr int width = AliasDraws::width;

  void count_all(const std::uint32_t* cells, int count, std::uint64_t* counts) const;
  void count_spread(const std::uint32_t* cells, int count, std::uint64_t* counts) const;
  bool stores_cells() const { return samples_.stride != 0; }
  /// Stores the cells of samples `from` .. `from` + `count` - 1 of a stream, if stores_cells().
  void store_cells(const std::uint32_t* cells, int count, std::uint64_t stream,
                   std::uint64_t from) const;

  AliasTable::Levels table_;
  AliasHistogram histogram_;
  AliasSamples samples_;
  Token token_;
};

}  // namespace rivulet

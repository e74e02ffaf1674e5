// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/stream_source.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_sort.hpp"

namespace rivulet {

/// Counts the draws of a large table of one level in the order of its sections, on a GPU.
class AliasSorter {
 public:
  /// Most items of a period that a thread draws: registers hold them, unlike the 69 and 97 samples
  /// of dcmt2203 and RANMAR. (Sorting RANMAR's draws took longer than unsorted look-ups.)
  static constexpr std::uint64_t most_items = 32;

  AliasSorter(const Space& space, const AliasTable::Levels& table, const AliasSectionSizes& shape);

  /// Draws a work by lanes. Asynchronous.
  void draw(StreamSource& source, const Work& work, const AliasHistogram& histogram);
  /// Adds the counts to the histogram of the table's cells and resets them.
  void settle(const AliasHistogram& histogram);
  /// Resets the counts.
  void clear();

 private:
  void look_up() const;

  Space space_;
  std::uint32_t cells_;
  AliasSections sections_;
  Kokkos::View<CountedBucket*, Space> buckets_;
  std::uint64_t unsettled_ = 0;  ///< draws since settle(), at most what counts of 32 bits hold
};

}  // namespace rivulet

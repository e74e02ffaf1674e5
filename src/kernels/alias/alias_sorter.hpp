// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/stream_source.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_sort.hpp"

namespace rivulet {

/// Counts draws from a large table of one level on a GPU, section by section.
class AliasSorter {
 public:
  /// The longest period, in items, that a thread can hold in registers. The periods of dcmt2203 (69
  /// items) and RANMAR (97 items) are longer, so the draws of these generators are not sorted.
  /// (Sorting RANMAR's draws took longer than unsorted look-ups.)
  static constexpr std::uint64_t max_items = 32;

  AliasSorter(const Space& space, const AliasTable::Levels& table, const AliasSectionSizes& shape);

  /// Draws a work with the lane mapping and counts the samples. Calls flush_counts() before 32-bit
  /// counts could overflow. Asynchronous.
  void draw(StreamSource& source, const Work& work, const AliasHistogram& histogram);
  /// Adds the counts to the histogram, then resets the counts.
  void flush_counts(const AliasHistogram& histogram);
  /// Resets the counts. Asynchronous.
  void clear();

 private:
  void look_up() const;
  void reset_counts(const char* label, std::uint64_t* added_to);

  Space space_;
  std::uint32_t cells_;
  AliasSections sections_;
  Kokkos::View<CountedBucket*, Space> buckets_;
  std::uint64_t pending_draws_ = 0;  ///< since flush_counts(); at most 2^32 - 1
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_scratch.hpp"
#include "sampling/alias_table.hpp"

// Consumers that look up and count the cells of samples on a GPU. Levels and words per level are
// compile-time constants, so a sample's words stay in registers.

namespace rivulet {

/// Looks up and counts cells in global memory. Stores the cells unless samples.stride is 0.
struct CountInMemory {
  AliasTable::Levels table;
  AliasHistogram histogram;
  AliasSamples samples;

  struct Local {
    std::uint64_t* counts;
    std::uint32_t* stored_cells;  ///< destination for the cell of item 0, or nullptr
  };
  KOKKOS_FORCEINLINE_FUNCTION Local begin(std::uint64_t i) const {
    return {histogram.copy(i % histogram.copies()), samples.stride != 0 ? samples.of(i) : nullptr};
  }
  template <class Words>
  KOKKOS_FORCEINLINE_FUNCTION void take(const Local& local, std::uint64_t k, int levels,
                                        int level_words, const Words& words) const {
    const std::uint32_t cell = alias_sample(table, levels, level_words, words);
    Kokkos::atomic_add(local.counts + cell, std::uint64_t{1});
    if (local.stored_cells != nullptr) local.stored_cells[k] = cell;
  }
};

/// A consumer that looks up and counts samples with CountInMemory or AliasScratch.
template <class Counts, int levels, int level_words>
struct CountSamples : Counts {
  using Integer = std::uint32_t;
  using Local = typename Counts::Local;
  static constexpr ItemShape shape{levels * level_words};

  KOKKOS_FORCEINLINE_FUNCTION void item(const Local& local, std::uint64_t k,
                                        const Integer* words) const {
    this->take(local, k, levels, level_words, SampleWords<>{words});
  }
  KOKKOS_FORCEINLINE_FUNCTION void end(const Local&, std::uint64_t) const {}
};

template <int levels, int level_words>
struct CountSamplesInMemory : CountSamples<CountInMemory, levels, level_words> {
  static constexpr const char* label = "rivulet::alias";
};

template <int levels, int level_words>
struct CountSamplesInScratch : CountSamples<detail::AliasScratch, levels, level_words> {
  static constexpr const char* label = "rivulet::alias_near";

  CountSamplesInScratch with_scratch_limit(std::size_t bytes) const {
    CountSamplesInScratch limited = *this;
    limited.fit(bytes);
    return limited;
  }
};

/// Splits a work at period boundaries, and calls use(part) for each part. A part has few enough
/// samples that a team's 32-bit counts cannot overflow. A team has at most `team_streams` streams.
template <class Use>
void in_countable_parts(const Work& work, std::uint64_t period, int team_streams, const Use& use) {
  const std::uint64_t max_samples_per_stream =
      detail::AliasScratch::max_samples / static_cast<std::uint64_t>(team_streams);
  Work part = work;
  for (; part.first_item < work.end_item; part.first_item = part.end_item) {
    part.end_item =
        std::min(part.first_item + max_samples_per_stream / period * period, work.end_item);
    use(part);
  }
}

}  // namespace rivulet

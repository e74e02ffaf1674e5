// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "launching/for_each_stream.hpp"

namespace rivulet::detail {

/// Looks up and counts cells in a team's scratch memory, on a device (draw/by_shared_team.hpp). The
/// memory holds a small alias table and 32-bit counts. Each entry has up to 16 contiguous copies,
/// and each count has twice as many. Adjacent lanes use different copies. The 32 banks of a GPU's
/// shared memory deliver 16 entries or 32 counts at a time. With 16 copies of entries and 32 copies
/// of counts, there are no bank conflicts.
class AliasScratch {
 public:
  AliasScratch(const AliasTable::Levels& table, const AliasHistogram& histogram,
               std::size_t max_bytes)
      : table_(table), histogram_(histogram) {
    fit(max_bytes);
  }

  /// Chooses the number of copies per entry: the largest power of two, up to 16, for which entries
  /// and counts fit in `max_bytes` bytes. If one copy does not fit, the number is 0.
  void fit(std::size_t max_bytes) {
    copies_ = 0;
    bytes_ = 0;
    std::uint64_t entries = 0;
    for (int level = 0; level < table_.count; ++level) {
      begin_[level] = static_cast<std::uint32_t>(entries);
      entries += table_.entries[level].extent(0);
    }
    for (std::uint32_t copies = max_copies; copies > 0; copies /= 2) {
      const std::uint64_t bytes = (entries + histogram_.cells()) * copies * sizeof(AliasEntry);
      if (bytes > max_bytes) continue;
      copies_ = copies;
      entries_ = static_cast<std::uint32_t>(entries);
      bytes_ = bytes;
      return;
    }
  }

  bool fits() const { return copies_ > 0; }
  /// Bytes of scratch memory, a multiple of 8.
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bytes_; }
  /// Maximum number of samples per team between load() and flush(): with more, 32-bit counts could
  /// overflow.
  static constexpr std::uint64_t max_samples = ~std::uint32_t{0};

  /// Loads the table and resets the counts. Collective over the team.
  KOKKOS_FUNCTION void load(const StreamTeam& team, char* scratch) const {
    const int copies = static_cast<int>(copies_);
    auto* const entries = reinterpret_cast<AliasEntry*>(scratch);
    for (int level = 0; level < table_.count; ++level) {
      const AliasEntry* const from = table_.entries[level].data();
      AliasEntry* const to = entries + begin_[level] * copies_;
      const std::uint32_t cells = table_.cells[level];
      Kokkos::parallel_for(
          Kokkos::TeamVectorRange(team, static_cast<int>(table_.entries[level].extent(0)) * copies),
          [&](int i) {
            const auto bucket = static_cast<std::uint32_t>(i / copies);
            const AliasEntry entry = from[bucket];
            to[i] = {entry.threshold, (entry.alias - bucket % cells) * stride()};
          });
    }
    std::uint32_t* const counts = counts_in(scratch);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count_copies() * cells()),
                         [&](int i) { counts[i] = 0; });
    team.team_barrier();
  }

  /// Adds the counts to the histogram. Collective over the team.
  KOKKOS_FUNCTION void flush(const StreamTeam& team, char* scratch) const {
    std::uint64_t* const to =
        histogram_.copy(static_cast<std::uint64_t>(team.league_rank()) % histogram_.copies());
    team.team_barrier();
    const std::uint32_t* const counts = counts_in(scratch);
    const int copies = count_copies();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, cells()), [&](int cell) {
      std::uint64_t sum = 0;
      for (int c = 0; c < copies; ++c) sum += counts[cell * copies + c];
      if (sum > 0) Kokkos::atomic_add(to + cell, sum);
    });
  }

  /// The addresses of a lane's copies. A cell is identified by the byte offset of its entry from
  /// the last level's first entry. The cell's count has the same offset from the first count.
  struct Local {
    const char* level[AliasTable::most_levels];  ///< first entry of each level
    char* counts;
  };

  /// Returns the byte offset of the cell that the words word(0) .. word(level_words * levels - 1)
  /// select.
  template <class Words>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t draw(const Local& lane, int levels, int level_words,
                                                 const Words& word) const {
    std::uint32_t offset = 0;
    std::uint32_t margin = ~0U;
    // With a constant bound, the compiler keeps level[l] in registers for any number of levels.
    for (int l = 0; l < AliasTable::most_levels; ++l) {
      if (l == levels) break;
      const std::uint32_t cells = table_.cells[l];
      const int first = level_words * l;
      const std::uint64_t position = alias_position(word(first), word(first + 1), cells);
      offset = offset * cells + static_cast<std::uint32_t>(position >> 32) * stride();
      const AliasEntry entry = *reinterpret_cast<const AliasEntry*>(lane.level[l] + offset);
      const auto coin = static_cast<std::uint32_t>(position);
      if (coin >= entry.threshold) offset += entry.alias;
      const std::uint32_t level_margin = alias_margin(coin, entry.threshold);
      margin = level_margin < margin ? level_margin : margin;
    }
    if (level_words == 3 && margin <= 1) {
      offset = wide_alias_sample(table_, levels, word) * stride();
    }
    return offset;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void count(const Local& lane, std::uint32_t offset) {
    Kokkos::atomic_add(reinterpret_cast<std::uint32_t*>(lane.counts + offset), 1U);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t cell(std::uint32_t offset) const {
    return offset / stride();
  }

  /// Looks up and counts the cell of one item.
  template <class Words>
  KOKKOS_FORCEINLINE_FUNCTION void take(const Local& lane, std::uint64_t, int levels,
                                        int level_words, const Words& words) const {
    count(lane, draw(lane, levels, level_words, words));
  }

  /// Returns the addresses for a lane of a warp. `scratch`: the memory that load() initialised.
  KOKKOS_FORCEINLINE_FUNCTION Local begin(char* scratch, int lane) const {
    const auto number = static_cast<std::uint32_t>(lane);
    Local addresses{};
    for (int l = 0; l < AliasTable::most_levels; ++l) {
      addresses.level[l] = scratch + begin_[l] * stride() + (number & (copies_ - 1)) * entry_bytes;
    }
    addresses.counts = scratch + entries_ * stride() + (number & (2 * copies_ - 1)) * count_bytes;
    return addresses;
  }

 private:
  static constexpr std::uint32_t max_copies = 16;
  static constexpr std::uint32_t entry_bytes = sizeof(AliasEntry);
  static constexpr std::uint32_t count_bytes = sizeof(std::uint32_t);

  KOKKOS_FUNCTION int cells() const { return static_cast<int>(histogram_.cells()); }
  KOKKOS_FUNCTION int count_copies() const { return static_cast<int>(2 * copies_); }
  KOKKOS_FUNCTION std::uint32_t* counts_in(char* scratch) const {
    return reinterpret_cast<std::uint32_t*>(scratch + entries_ * stride());
  }
  /// Returns the size in bytes of all copies of an entry. The copies of a count have the same size.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t stride() const { return copies_ * entry_bytes; }
  AliasTable::Levels table_;
  AliasHistogram histogram_;
  std::uint32_t begin_[AliasTable::most_levels] = {};  ///< index of each level's first entry
  std::uint32_t entries_ = 0;
  std::uint32_t copies_ = 0;  ///< per entry
  std::size_t bytes_ = 0;
};

}  // namespace rivulet::detail

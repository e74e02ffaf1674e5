// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/alias_draw.hpp"
#include "kernels/alias_histogram.hpp"
#include "kernels/for_each_stream.hpp"

namespace rivulet::impl {

/// A small table and counts of 32 bits in a team's scratch memory, on a device. Entries lie in up
/// to 16 copies side by side and counts in twice as many, of which lanes take one each in turn: 16
/// entries and 32 counts are what the 32 banks of a GPU's shared memory give at a time, so the
/// lanes of a warp do not wait for each other wherever they look.
class AliasScratch {
 public:
  /// Of the table if it fits; for tables that are kept here as a whole.
  AliasScratch(const AliasTable::Levels& table, const AliasHistogram& histogram, std::size_t room)
      : table_(table), histogram_(histogram) {
    if (table.first_row != 0 || table.rows != table.cells[0]) return;
    std::uint64_t entries = 0;
    for (int level = 0; level < table.count; ++level) {
      begin_[level] = static_cast<std::uint32_t>(entries);
      entries += table.entries[level].extent(0);
    }
    for (std::uint32_t copies = most_copies; copies > 0; copies /= 2) {
      const std::uint64_t bytes = (entries + histogram.cells()) * copies * sizeof(AliasEntry);
      if (bytes > room) continue;
      copies_ = copies;
      entries_ = static_cast<std::uint32_t>(entries);
      bytes_ = bytes;
      return;
    }
  }

  bool fits() const { return copies_ > 0; }
  /// Scratch memory, a multiple of 8.
  KOKKOS_FUNCTION std::size_t bytes() const { return bytes_; }
  /// What a team's counts have room for at the least: its samples between load() and flush().
  static constexpr std::uint64_t most_samples = ~std::uint32_t{0};

  /// The table from memory, and counts of 0. By all threads of a team.
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
            to[i] = {entry.threshold, entry.alias - bucket % cells};
          });
    }
    std::uint32_t* const counts = counts_in(scratch);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count_copies() * own_cells()),
                         [&](int i) { counts[i] = 0; });
    team.team_barrier();
  }

  /// Adds the counts to a histogram's copy, which other teams may share.
  KOKKOS_FUNCTION void flush(const StreamTeam& team, char* scratch, std::uint64_t* to) const {
    team.team_barrier();
    const std::uint32_t* const counts = counts_in(scratch);
    const int copies = count_copies();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, own_cells()), [&](int cell) {
      std::uint64_t sum = 0;
      for (int c = 0; c < copies; ++c) sum += counts[cell * copies + c];
      if (sum > 0) Kokkos::atomic_add(to + cell, sum);
    });
  }

  /// What a lane of a warp works with. Addresses are sums of bytes: a multiplication and addition
  /// each, which leave a GPU's logic pipe to the generator.
  struct Lane {
    const AliasScratch& shape;
    const char* entries;
    char* counts;

    /// word(0) .. word(2 * levels - 1) make a cell.
    template <class Words>
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t draw(int levels, const Words& word) const {
      const std::uint32_t stride = shape.stride();
      std::uint32_t cell = 0;
      for (int level = 0; level < levels; ++level) {
        const std::uint32_t cells = shape.table_.cells[level];
        const std::uint64_t position = alias_position(word(2 * level), word(2 * level + 1), cells);
        const std::uint32_t own = cell * cells + static_cast<std::uint32_t>(position >> 32);
        const char* const column = entries + shape.begin_[level] * stride;
        const AliasEntry entry = *reinterpret_cast<const AliasEntry*>(column + own * stride);
        cell = static_cast<std::uint32_t>(position) < entry.threshold ? own : own + entry.alias;
      }
      return cell;
    }
    KOKKOS_FORCEINLINE_FUNCTION void count(std::uint32_t cell) const {
      Kokkos::atomic_add(reinterpret_cast<std::uint32_t*>(counts + cell * shape.stride()), 1U);
    }
  };

  /// Of lane number `lane` of a warp; scratch: as loaded.
  KOKKOS_FORCEINLINE_FUNCTION Lane lane(char* scratch, int lane) const {
    const auto number = static_cast<std::uint32_t>(lane);
    return {*this, scratch + (number & (copies_ - 1)) * entry_bytes,
            scratch + entries_ * stride() + (number & (2 * copies_ - 1)) * count_bytes};
  }

 private:
  static constexpr std::uint32_t most_copies = 16;
  static constexpr std::uint32_t entry_bytes = sizeof(AliasEntry);
  static constexpr std::uint32_t count_bytes = sizeof(std::uint32_t);

  KOKKOS_FUNCTION int own_cells() const { return static_cast<int>(histogram_.cells()); }
  KOKKOS_FUNCTION int count_copies() const { return static_cast<int>(2 * copies_); }
  KOKKOS_FUNCTION std::uint32_t* counts_in(char* scratch) const {
    return reinterpret_cast<std::uint32_t*>(scratch + entries_ * stride());
  }
  /// Bytes of all copies of an entry, and of a count.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t stride() const { return copies_ * entry_bytes; }
  AliasTable::Levels table_;
  AliasHistogram histogram_;
  std::uint32_t begin_[AliasTable::most_levels] = {};  ///< of a level among all entries
  std::uint32_t entries_ = 0;
  std::uint32_t copies_ = 0;  ///< of entries
  std::size_t bytes_ = 0;
};

}  // namespace rivulet::impl

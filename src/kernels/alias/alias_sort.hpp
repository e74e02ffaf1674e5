// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "draw/consumer.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "launching/for_each_stream.hpp"

// AliasSorter samples a table that is larger than a GPU's cache. An unsorted draw accesses two
// random sectors of memory: a bucket to read and a count to update. AliasSorter instead runs two
// kernels: one sorts the draws by section of the table, the other looks up the draws section by
// section. A section with its counts fits in the cache, and the draws are accessed sequentially. An
// alias may belong to another section, outside the cache. Each bucket therefore counts the draws of
// its alias, and AliasSorter::flush_counts() adds these counts to the histogram.

namespace rivulet {

/// Memory for draws from a single-level table, grouped by section of the table. Copies of an
/// AliasSections share the memory.
class AliasSections {
 public:
  AliasSections(std::uint64_t cells, const AliasSectionSizes& shape);

  KOKKOS_FUNCTION int count() const { return count_; }
  /// Returns the number of draws that are sorted at a time.
  std::uint64_t draws() const { return draws_; }
  /// Returns the capacity of a section, in draws.
  KOKKOS_FUNCTION std::uint64_t capacity() const { return capacity_; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t section_of(std::uint64_t position) const {
    return static_cast<std::uint32_t>(position >> 32) >> log2_cells_;
  }

  /// Reserves room for n consecutive draws in a section and returns the index of the first. The
  /// section has no room for draws with an index of capacity() or more.
  KOKKOS_FUNCTION std::uint64_t reserve(int section, std::uint32_t n) const {
    return Kokkos::atomic_fetch_add(reserved_.data() + section * counter_stride, std::uint64_t{n});
  }
  /// Returns the number of stored draws in a section.
  KOKKOS_FUNCTION std::uint64_t stored(int section) const {
    const std::uint64_t all = reserved_.data()[section * counter_stride];
    return all < capacity_ ? all : capacity_;
  }
  /// Returns the stored draws of a section.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* positions(std::uint32_t section) const {
    return positions_.data() + section * capacity_;
  }
  void clear(const Space& space) const;

 private:
  /// Maximum number of sections: a team's scratch memory has one counter per section.
  static constexpr std::uint64_t max_sections = 512;
  /// Stride of the counters, which all teams increment: one counter per cache line.
  static constexpr int counter_stride = 16;

  int log2_cells_;
  int count_ = 0;
  std::uint64_t draws_;
  std::uint64_t capacity_ = 0;
  Kokkos::View<std::uint64_t*, Space> positions_;
  Kokkos::View<std::uint64_t*, Space> reserved_;
};

/// A bucket, with counts of draws that the histogram does not yet contain. drawn[0] counts the
/// draws of the bucket's own cell, drawn[1] those of its alias.
struct alignas(16) CountedBucket {
  AliasEntry entry;
  std::uint32_t drawn[2];
};

/// The buckets and the sorted draws of a single-level table.
struct AliasSorted {
  CountedBucket* buckets;
  AliasSections sections;

  KOKKOS_FORCEINLINE_FUNCTION void count(std::uint64_t position, const AliasEntry& entry) const {
    const std::uint32_t is_alias = static_cast<std::uint32_t>(position) < entry.threshold ? 0 : 1;
    Kokkos::atomic_add(&buckets[position >> 32].drawn[is_alias], 1U);
  }
};

/// A consumer that sorts the draws of a team's threads by section, in scratch memory
/// (draw/by_shared_team.hpp). The team then stores the draws of each section contiguously.
struct AliasSort {
  using Integer = std::uint32_t;
  static constexpr const char* label = "rivulet::alias_sort";
  static constexpr ItemShape shape{2};
  using Item = std::uint64_t;  ///< a draw, as returned by alias_position()
  /// Draws per thread that a team sorts at a time. On an H200 (hybrid Tausworthe), sampling with 16
  /// takes 0.79 times as long as with 8, and sampling with 8 takes 0.70 times as long as with 4.
  static constexpr int items_at_once = 16;

  std::uint32_t cells;
  AliasSorted to;

  KOKKOS_FORCEINLINE_FUNCTION Item make_item(const Integer* words) const {
    return alias_position(words[0], words[1], cells);
  }

  std::size_t scratch_bytes(int threads, int items) const {
    const auto sections = static_cast<std::size_t>(to.sections.count());
    const auto draws = static_cast<std::size_t>(threads * items);
    return Scratch::bytes(sections) + draws * sizeof(Item);
  }
  KOKKOS_FUNCTION void load(const StreamTeam& team, char* memory) const {
    std::uint32_t* const counts = Scratch(memory, to.sections.count()).count;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, to.sections.count()),
                         [=](int s) { counts[s] = 0; });
    team.team_barrier();
  }
  template <int items>
  KOKKOS_FORCEINLINE_FUNCTION void take(const StreamTeam& team, char* memory,
                                        const Item (&position)[items], int count) const {
    const Scratch scratch(memory, to.sections.count());
    std::uint32_t rank[items];  // rank of the draw among the team's draws of its section
    for (int k = 0; k < items; ++k) {
      if (k >= count) continue;
      rank[k] = Kokkos::atomic_fetch_add(scratch.count + to.sections.section_of(position[k]), 1U);
    }
    team.team_barrier();
    reserve(team, scratch);
    team.team_barrier();
    for (int k = 0; k < items; ++k) {
      if (k >= count) continue;
      scratch.sorted[scratch.begin[to.sections.section_of(position[k])] + rank[k]] = position[k];
    }
    team.team_barrier();
    store_sorted(team, scratch);
  }

 private:
  struct Scratch {
    /// Per section: index in AliasSections::positions() of the team's first draw, minus `begin`.
    std::uint64_t* destination;
    std::uint32_t* count;
    /// Per section: index of the section's first draw in `sorted`. One further element holds the
    /// number of draws.
    std::uint32_t* begin;
    Item* sorted;

    KOKKOS_FUNCTION Scratch(char* memory, int sections)
        : destination(reinterpret_cast<std::uint64_t*>(memory)),
          count(reinterpret_cast<std::uint32_t*>(destination + sections)),
          begin(count + sections),
          sorted(reinterpret_cast<Item*>(memory + bytes(static_cast<std::size_t>(sections)))) {}

    /// Returns the size of the scratch memory without the draws, in bytes.
    KOKKOS_FUNCTION static constexpr std::size_t bytes(std::size_t sections) {
      return (2 * sections + 1) * sizeof(std::uint64_t);
    }
  };

  /// Computes each section's `begin` with a prefix sum, reserves memory for the section's draws,
  /// and resets the section's count.
  KOKKOS_FUNCTION void reserve(const StreamTeam& team, const Scratch& scratch) const {
    const int sections = to.sections.count();
    Kokkos::parallel_scan(
        Kokkos::TeamThreadRange(team, sections), [&](int s, std::uint32_t& before, bool last) {
          const std::uint32_t n = scratch.count[s];
          if (last) {
            scratch.begin[s] = before;
            scratch.destination[s] = (n > 0 ? to.sections.reserve(s, n) : 0) - before;
            scratch.count[s] = 0;
            if (s == sections - 1) scratch.begin[sections] = before + n;
          }
          before += n;
        });
  }

  /// Stores the draws in their sections. If a section is full, further draws are looked up and
  /// counted immediately.
  KOKKOS_FUNCTION void store_sorted(const StreamTeam& team, const Scratch& scratch) const {
    const auto all = static_cast<int>(scratch.begin[to.sections.count()]);
    for (int i = team.team_rank(); i < all; i += team.team_size()) {
      const Item position = scratch.sorted[i];
      const std::uint32_t section = to.sections.section_of(position);
      const std::uint64_t at = scratch.destination[section] + static_cast<std::uint64_t>(i);
      if (at < to.sections.capacity()) {
        to.sections.positions(section)[at] = position;
      } else {
        to.count(position, to.buckets[position >> 32].entry);
      }
    }
  }
};

}  // namespace rivulet

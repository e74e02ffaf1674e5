// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sorter.hpp"

#if RIVULET_DEVICE_BUILD

#include <algorithm>
#include <utility>

#include "draw/draw.hpp"
#include "launching/host_launch.hpp"
#include "machine/views.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {
namespace {

struct FillBuckets {
  EntryView entries;
  CountedBucket* buckets;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const { buckets[i] = {entries(i), {0, 0}}; }
};

/// Resets the buckets' counts. First adds them to `counts`, unless `counts` is nullptr.
struct ResetBuckets {
  CountedBucket* buckets;
  std::uint64_t* counts;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    CountedBucket& bucket = buckets[i];
    if (counts != nullptr) {
      add(i, bucket.drawn[0]);
      add(bucket.entry.alias, bucket.drawn[1]);
    }
    bucket.drawn[0] = bucket.drawn[1] = 0;
  }
  KOKKOS_FUNCTION void add(std::uint64_t cell, std::uint32_t drawn) const {
    if (drawn > 0) Kokkos::atomic_add(counts + cell, std::uint64_t{drawn});
  }
};

/// Looks up and counts the stored draws. `teams` consecutive teams share a section's draws.
struct AliasLookup {
  static constexpr int at_once = 4;  ///< look-ups that a thread has in flight
  static constexpr int per_thread = 4 * at_once;

  AliasSorted sorted;
  int teams;  ///< teams per section

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const int section = team.league_rank() / teams;
    const auto size = static_cast<std::uint64_t>(team.team_size());
    const std::uint64_t per_team = size * per_thread;
    const std::uint64_t begin = static_cast<std::uint64_t>(team.league_rank() % teams) * per_team;
    const std::uint64_t stored = sorted.sections.stored(section);
    const std::uint64_t end = begin + per_team < stored ? begin + per_team : stored;
    const std::uint64_t* const positions =
        sorted.sections.positions(static_cast<std::uint32_t>(section));
    for (std::uint64_t i = begin + static_cast<std::uint64_t>(team.team_rank()); i < end;
         i += at_once * size) {
      look_up(positions, i, size, end);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void look_up(const std::uint64_t* positions, std::uint64_t i,
                                           std::uint64_t stride, std::uint64_t end) const {
    std::uint64_t position[at_once];
    AliasEntry entry[at_once];
    for (int j = 0; j < at_once; ++j) {
      const std::uint64_t at = i + static_cast<std::uint64_t>(j) * stride;
      position[j] = positions[at < end ? at : i];
    }
    for (int j = 0; j < at_once; ++j) entry[j] = sorted.buckets[position[j] >> 32].entry;
    for (int j = 0; j < at_once; ++j) {
      if (i + static_cast<std::uint64_t>(j) * stride < end) sorted.count(position[j], entry[j]);
    }
  }
};

}  // namespace

AliasSections::AliasSections(std::uint64_t cells, const AliasSectionSizes& shape)
    : log2_cells_(shape.log2_cells), draws_(shape.draws) {
  while (((cells - 1) >> log2_cells_) >= max_sections) ++log2_cells_;
  count_ = static_cast<int>(((cells - 1) >> log2_cells_) + 1);
  // The expected number of draws in a section is proportional to its cells. A margin of 1/64 makes
  // overflow rare.
  const double share = std::min(
      static_cast<double>(std::uint64_t{1} << log2_cells_) / static_cast<double>(cells), 1.0);
  capacity_ = static_cast<std::uint64_t>(share * static_cast<double>(draws_) * (1 + 1.0 / 64));
  const auto sections = static_cast<std::size_t>(count_);
  positions_ = Kokkos::View<std::uint64_t*, Space>(
      Kokkos::view_alloc("rivulet::alias_draws", Kokkos::WithoutInitializing),
      sections * capacity_);
  reserved_ =
      Kokkos::View<std::uint64_t*, Space>("rivulet::alias_draws_found", sections * counter_stride);
}

void AliasSections::clear(const Space& space) const {
  Kokkos::deep_copy(space, reserved_, std::uint64_t{0});
}

AliasSorter::AliasSorter(const Space& space, const AliasTable::Levels& table,
                         const AliasSectionSizes& shape)
    : space_(space),
      cells_(table.cells[0]),
      sections_(cells_, shape),
      buckets_(large_view<Kokkos::View<CountedBucket*, Space>>("rivulet::alias_buckets", cells_)) {
  Kokkos::parallel_for("rivulet::alias_buckets", IndexRange(space_, 0, cells_),
                       FillBuckets{table.entries[0], buckets_.data()});
}

void AliasSorter::draw(StreamSource& source, const Work& work, const AliasHistogram& histogram) {
  const std::uint64_t period = source.period(AliasSort::shape).items;
  const std::uint64_t end_item = work.first_item + work.count(0);  // index 0 has the most items
  const std::uint64_t periods = ceil_divide(end_item - work.first_item, period);
  const std::uint64_t max_periods =
      std::max(sections_.draws() / work.size / period, std::uint64_t{1});
  // Each piece costs a pass over the table, so the work is split into as few pieces as possible, of
  // equal size.
  const std::uint64_t pieces = ceil_divide(periods, max_periods);
  const std::uint64_t length = pieces > 0 ? ceil_divide(periods, pieces) * period : 0;
  const AliasSort sort{cells_, {buckets_.data(), sections_}};
  Work piece = work;
  for (; piece.first_item < end_item; piece.first_item = piece.end_item) {
    piece.end_item = std::min(piece.first_item + length, end_item);
    const std::uint64_t draws = (piece.end_item - piece.first_item) * work.size;
    if (draws > ~std::uint32_t{0} - pending_draws_) flush_counts(histogram);
    pending_draws_ += draws;
    rivulet::draw(source, piece, sort);
    look_up();
  }
}

void AliasSorter::look_up() const {
  constexpr int threads = 256;
  constexpr auto per_team = static_cast<std::uint64_t>(threads) * AliasLookup::per_thread;
  const auto teams = static_cast<int>(ceil_divide(sections_.capacity(), per_team));
  Kokkos::parallel_for("rivulet::alias_lookup",
                       Kokkos::TeamPolicy<Space>(space_, sections_.count() * teams, threads, 1),
                       AliasLookup{{buckets_.data(), sections_}, teams});
  sections_.clear(space_);
}

void AliasSorter::flush_counts(const AliasHistogram& histogram) {
  reset_counts("rivulet::alias_settle", histogram.copy(0));
}

void AliasSorter::clear() { reset_counts("rivulet::alias_clear", nullptr); }

void AliasSorter::reset_counts(const char* label, std::uint64_t* added_to) {
  if (std::exchange(pending_draws_, 0) == 0) return;
  Kokkos::parallel_for(label, IndexRange(space_, 0, cells_),
                       ResetBuckets{buckets_.data(), added_to});
}

}  // namespace rivulet

#endif

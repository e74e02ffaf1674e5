// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sort.hpp"

namespace rivulet::detail {
namespace {

/// Looks draws up: `teams` teams take a section's draws, the next ones the next section's.
struct AliasLookup {
  static constexpr int at_once = 4;  ///< by a thread, which waits for them together
  static constexpr int per_thread = 4 * at_once;

  AliasSorted to;
  int teams;  ///< a section

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const int section = team.league_rank() / teams;
    const auto size = static_cast<std::uint64_t>(team.team_size());
    const std::uint64_t per_team = size * per_thread;
    const std::uint64_t begin = static_cast<std::uint64_t>(team.league_rank() % teams) * per_team;
    const std::uint64_t placed = to.sections.placed(section);
    const std::uint64_t end = begin + per_team < placed ? begin + per_team : placed;
    const std::uint64_t* const positions =
        to.sections.positions(static_cast<std::uint32_t>(section));
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
    for (int j = 0; j < at_once; ++j) entry[j] = to.buckets[position[j] >> 32].entry;
    for (int j = 0; j < at_once; ++j) {
      if (i + static_cast<std::uint64_t>(j) * stride < end) to.count(position[j], entry[j]);
    }
  }
};

}  // namespace

AliasSections::AliasSections(std::uint64_t cells, const AliasSectionSizes& shape)
    : log2_cells_(shape.log2_cells), draws_(shape.draws) {
  while (((cells - 1) >> log2_cells_) >= most_sections) ++log2_cells_;
  count_ = static_cast<int>(((cells - 1) >> log2_cells_) + 1);
  // A section gets draws in proportion to its cells; few draws ever find it full.
  const double share = std::min(
      static_cast<double>(std::uint64_t{1} << log2_cells_) / static_cast<double>(cells), 1.0);
  room_ = static_cast<std::uint64_t>(share * static_cast<double>(draws_) * (1 + 1.0 / 64));
  const auto sections = static_cast<std::size_t>(count_);
  positions_ = Kokkos::View<std::uint64_t*, Space>(
      Kokkos::view_alloc("rivulet::alias_draws", Kokkos::WithoutInitializing), sections * room_);
  found_ = Kokkos::View<std::uint64_t*, Space>("rivulet::alias_draws_found", sections * apart);
}

void AliasSections::empty(const Space& space) const {
  Kokkos::deep_copy(space, found_, std::uint64_t{0});
}

void look_up_draws(const Space& space, const AliasSorted& to) {
  const int threads = device_build ? 256 : 1;
  const auto per_team = static_cast<std::uint64_t>(threads) * AliasLookup::per_thread;
  const auto teams = static_cast<int>((to.sections.room() + per_team - 1) / per_team);
  Kokkos::parallel_for("rivulet::alias_lookup",
                       Kokkos::TeamPolicy<Space>(space, to.sections.count() * teams, threads, 1),
                       AliasLookup{to, teams});
  to.sections.empty(space);
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sections.hpp"

namespace rivulet::detail {

AliasSections::AliasSections(std::uint64_t cells, const AliasSectionShape& shape)
    : log2_cells_(shape.log2_cells), draws_(shape.draws) {
  while (((cells - 1) >> log2_cells_) >= most_sections) ++log2_cells_;
  count_ = static_cast<int>(((cells - 1) >> log2_cells_) + 1);
  // A section gets draws in proportion to its cells; few are ever without room.
  const double share = std::min(
      static_cast<double>(std::uint64_t{1} << log2_cells_) / static_cast<double>(cells), 1.0);
  room_ = static_cast<std::uint64_t>(share * static_cast<double>(draws_) * (1 + 1.0 / 64));
  const auto sections = static_cast<std::size_t>(count_);
  positions_ = Kokkos::View<std::uint64_t*, Space>(
      Kokkos::view_alloc("rivulet::alias_draws", Kokkos::WithoutInitializing), sections * room_);
  found_ = Kokkos::View<std::uint64_t*, Space>("rivulet::alias_draws_found", sections * apart);
  aliased_ = Kokkos::View<std::uint32_t*, Space>("rivulet::aliased", cells);
}

void AliasSections::empty(const Space& space) const {
  Kokkos::deep_copy(space, found_, std::uint64_t{0});
}

}  // namespace rivulet::detail

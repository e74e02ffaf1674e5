// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/alias_merge.hpp"
#include "sampling/large_view.hpp"

namespace rivulet {
namespace detail {

struct StoredMasses {
  UnitView masses;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::uint64_t first, int count,
                                              std::uint64_t* to) const {
    const std::uint64_t* const from = masses.data() + first;
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }
};

}  // namespace detail

EntryView alias_entries(const Space& space, const UnitView& masses, const TableRow& row) {
  const std::uint64_t cells = masses.extent(0);
  const auto entries = large_view<EntryView>("rivulet::alias", cells);
  const detail::TablesOfCells numbers(static_cast<std::uint32_t>(row.cells));
  detail::merge_masses(space, detail::Tables<detail::StoredMasses, detail::TablesOfCells>{
                                  {masses}, numbers, cells, entries});
  space.fence();
  return entries;
}

}  // namespace rivulet

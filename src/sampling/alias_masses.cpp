// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/alias_masses.hpp"

#include <cstddef>
#include <span>

#include "rivulet/detail/host_parallel.hpp"
#include "sampling/large_view.hpp"
#include "sampling/largest_remainder.hpp"
#include "sampling/small_table.hpp"

namespace rivulet {

namespace detail {

bool thread_per_table(const Space& space, const TableSizes& row) {
  constexpr std::uint64_t cells_per_launch = device_build ? 512 : 256;
  return row.cells <= cells_per_launch ||
         row.tables >= 4 * static_cast<std::uint64_t>(space.concurrency());
}

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Cells that a thread sums at a time.
constexpr std::uint64_t sum_cells = device_build ? 1 : 4096;

template <class Weight>
KOKKOS_FUNCTION Uint128 sum_of_piece(const ExactWeights<Weight>& weights, std::uint64_t first,
                                     std::uint64_t end) {
  return weights.sum(first, end - first < sum_cells ? end - first : sum_cells);
}

template <class Weight>
struct SumOfTable {
  ExactWeights<Weight> weights;
  SumView sums;
  std::uint64_t cells;

  KOKKOS_FUNCTION void operator()(std::uint64_t table) const {
    const std::uint64_t end = (table + 1) * cells;
    Uint128 sum = 0;
    for (std::uint64_t i = table * cells; i < end; i += sum_cells) {
      sum += sum_of_piece(weights, i, end);
    }
    sums(table) = sum;
  }
};

template <class Weight>
struct SumOfCells {
  using value_type = Uint128;
  ExactWeights<Weight> weights;

  KOKKOS_FUNCTION void operator()(std::uint64_t piece, Uint128& sum) const {
    sum += sum_of_piece(weights, piece * sum_cells, weights.cells());
  }
};

template <class Weight>
struct MassesOfTable {
  ExactWeights<Weight> weights;
  SumView sums;
  MassView masses;
  std::uint64_t cells;

  KOKKOS_FUNCTION void operator()(std::uint64_t table) const {
    divide_table(weights, sums(table), table * cells, cells, masses);
  }
};

template <class Weight>
void small_masses(const Space& space, const ExactWeights<Weight>& weights, const TableSizes& row,
                  const SumView& sums, const MassView& masses) {
  Kokkos::parallel_for("rivulet::alias_masses", Range(space, 0, row.tables),
                       MassesOfTable<Weight>{weights, sums, masses, row.cells});
}

template <class Weight>
struct StoreMasses {
  ComputedMasses<Weight> computed;
  MassView masses;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t piece) const {
    const std::uint64_t begin = piece * piece_cells;
    computed(begin, piece_of(begin, computed.cells()), masses.data() + first + begin);
  }
};

/// Quotas of the tables' cells: the quotas in units of 2^-32, and 32 more binary digits by long
/// division.
template <class Weight>
struct WideQuotas {
  ExactWeights<Weight> weights;
  SumView sums;
  Kokkos::View<WideQuota*, Space> quotas;
  std::uint64_t cells;  ///< of a table

  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    const Uint128 total = sums(cell / cells);
    if (total == 0) {
      constexpr Uint128 bucket = units_of_bucket<WideAliasEntry>;
      quotas(cell) = {bucket, 0};
      return;
    }
    const Quota quota = QuotaOf(total, cells * bucket_units)(weights(cell));
    quotas(cell) = with_digits({quota.whole, quota.rest}, total, 32);
  }
};

}  // namespace detail

template <class Weight>
SumView table_sums(const Space& space, const ExactWeights<Weight>& weights, const TableSizes& row) {
  SumView sums(Kokkos::view_alloc("rivulet::table_sums", Kokkos::WithoutInitializing), row.tables);
  if (detail::thread_per_table(space, row)) {
    Kokkos::parallel_for("rivulet::table_sums", detail::Range(space, 0, row.tables),
                         detail::SumOfTable<Weight>{weights, sums, row.cells});
    return sums;
  }
  const auto host = Kokkos::create_mirror_view(sums);
  for (std::uint64_t table = 0; table < row.tables; ++table) {
    Uint128 sum = 0;
    Kokkos::parallel_reduce(
        "rivulet::table_sum",
        detail::Range(space, 0, (row.cells + detail::sum_cells - 1) / detail::sum_cells),
        detail::SumOfCells<Weight>{weights.part(table * row.cells, row.cells)}, sum);
    host(table) = sum;
  }
  Kokkos::deep_copy(sums, host);
  return sums;
}

template <class Weight>
MassView alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                      const TableSizes& row, const SumView& sums) {
  auto masses = large_view<MassView>("rivulet::alias_masses", row.tables * row.cells);
  if (detail::thread_per_table(space, row)) {
    detail::small_masses(space, weights, row, sums, masses);
  } else {
    detail::each_large_table(
        space, weights, row, sums, [&](std::uint64_t first, const auto& computed) {
          Kokkos::parallel_for(
              "rivulet::alias_masses",
              detail::Range(space, 0, (row.cells + detail::piece_cells - 1) / detail::piece_cells),
              detail::StoreMasses<Weight>{computed, masses, first});
        });
  }
  space.fence();
  return masses;
}

template <class Weight>
std::vector<Uint128> wide_alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                                       const TableSizes& row, const SumView& sums) {
  using Quotas = detail::WideQuotas<Weight>;
  const Kokkos::View<detail::WideQuota*, Space> quotas(
      Kokkos::view_alloc("rivulet::alias_wide_shares", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  Kokkos::parallel_for("rivulet::alias_wide_shares",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(
                           space, 0, row.tables * row.cells),
                       Quotas{weights, sums, quotas, row.cells});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), quotas);
  std::vector<Uint128> masses(quotas.extent(0));
  const std::span<const detail::WideQuota> all(host.data(), host.extent(0));
  for_each_on_host("rivulet::alias_wide_masses", row.tables, [&](std::size_t table) {
    detail::give_out(all.subspan(table * row.cells, row.cells),
                     row.cells * detail::units_of_bucket<detail::WideAliasEntry>,
                     std::span(masses).subspan(table * row.cells, row.cells));
  });
  return masses;
}

#define RIVULET_INSTANTIATE(Weight)                                                                \
  template SumView table_sums(const Space&, const ExactWeights<Weight>&, const TableSizes&);       \
  template MassView alias_masses(const Space&, const ExactWeights<Weight>&, const TableSizes&,     \
                                 const SumView&);                                                  \
  template std::vector<Uint128> wide_alias_masses(const Space&, const ExactWeights<Weight>&,       \
                                                  const TableSizes&, const SumView&);              \
  template void detail::small_masses(const Space&, const ExactWeights<Weight>&, const TableSizes&, \
                                     const SumView&, const MassView&);
RIVULET_INSTANTIATE(double)
RIVULET_INSTANTIATE(std::uint64_t)
RIVULET_INSTANTIATE(Uint128)
#undef RIVULET_INSTANTIATE

}  // namespace rivulet

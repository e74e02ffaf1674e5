// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "sampling/exact_weights.hpp"

namespace rivulet {

/// Mass of a bucket in units: a coin is one word of 32 bits.
inline constexpr std::uint64_t bucket_units = detail::units_of_bucket<detail::AliasEntry>;

using MassView = Kokkos::View<std::uint64_t*, Space>;
using SumView = Kokkos::View<Uint128*, Space>;

/// `tables` tables of `cells` cells each, one after another.
struct TableSizes {
  std::uint64_t tables = 1;
  std::uint64_t cells = 1;
};

/// The sum of each table's weights. Weight: double, std::uint64_t or Uint128.
template <class Weight>
SumView table_sums(const Space& space, const ExactWeights<Weight>& weights, const TableSizes& row);

/// Divides each table's mass of cells * 2^32 units in proportion to its weights, exactly: whole
/// units first, then one unit each to the cells with the largest remainders; of equal remainders
/// the lower index goes first. A weight of 0 gets no unit: more cells have a remainder than units
/// are left. A table whose sum is 0 gets a bucket a cell; no draw reaches it, as the mass of its
/// row is 0. Results are the same on every backend.
template <class Weight>
MassView alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                      const TableSizes& row, const SumView& sums);

/// The same with wide buckets, of row.cells * 2^64 units a table, on the host.
template <class Weight>
std::vector<Uint128> wide_alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                                       const TableSizes& row, const SumView& sums);

namespace detail {

/// Whether one thread per table keeps the device busier than the whole device on table after table.
/// Tables that fit the nearest caches are not worth a launch each.
bool thread_per_table(const Space& space, const TableSizes& row);

/// alias_masses of many tables, one thread each, to the caller's memory. Asynchronous.
template <class Weight>
void small_masses(const Space& space, const ExactWeights<Weight>& weights, const TableSizes& row,
                  const SumView& sums, const MassView& masses);

}  // namespace detail
}  // namespace rivulet

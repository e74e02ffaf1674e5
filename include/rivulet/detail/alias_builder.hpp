// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "rivulet/detail/alias_table.hpp"
#include "rivulet/detail/cumulative_rounding.hpp"
#include "rivulet/detail/kokkos.hpp"

// Kernels that build alias tables: a scan sums the weights, cumulative rounding converts them to
// integer masses, and a merge fills the buckets.

namespace rivulet::detail {

/// Number of consecutive cells per thread.
inline constexpr std::uint64_t chunk_cells = device_build ? 16 : 1024;

/// `count` contiguous tables of `cells` cells each.
struct TableBatch {
  std::uint64_t count;
  std::uint64_t cells;

  KOKKOS_FUNCTION std::uint64_t cell_count() const { return count * cells; }
  KOKKOS_FUNCTION std::uint64_t chunks() const {
    return (cell_count() + chunk_cells - 1) / chunk_cells;
  }
  KOKKOS_FUNCTION std::uint64_t chunk_end(std::uint64_t chunk) const {
    const std::uint64_t end = (chunk + 1) * chunk_cells;
    return end < cell_count() ? end : cell_count();
  }
  /// Returns the end of the cell's table, or `end` if that is smaller.
  KOKKOS_FUNCTION std::uint64_t table_end(std::uint64_t cell, std::uint64_t end) const {
    const std::uint64_t table_end_cell = cell - cell % cells + cells;
    return table_end_cell < end ? table_end_cell : end;
  }
};

template <class Exec>
using ChunkRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint64_t>>;

/// In-place exclusive prefix sum.
template <class Value, class Exec>
struct ExclusiveScan {
  using value_type = Value;
  Kokkos::View<Value*, Exec> values;

  void run(const std::string& label, const Exec& exec) const {
    Kokkos::parallel_scan(label, ChunkRange<Exec>(exec, 0, values.extent(0)), *this);
  }

  KOKKOS_FUNCTION void init(Value& sum) const { sum = Value(); }
  KOKKOS_FUNCTION void join(Value& sum, const Value& other) const { sum += other; }
  KOKKOS_FUNCTION void join(volatile Value& sum, const volatile Value& other) const {
    const_cast<Value&>(sum) += const_cast<const Value&>(other);
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t i, Value& sum, bool is_final) const {
    const Value value = values(i);
    if (is_final) values(i) = sum;
    sum += value;
  }
};

/// Prefix sums of the tables' weights. The call operator returns a table's sum, which is the weight
/// of one cell in the table of the level above.
template <class Exec>
struct WeightSums {
  using View = Kokkos::View<Uint128*, Exec>;
  TableBatch tables{};
  View chunk_sums{};  ///< sum before each chunk; the last element is the total
  /// Element t is the sum from the start of a chunk to the start of table t in this chunk. The last
  /// element is for the end of all tables, as if another table started there.
  View table_sums{};

  KOKKOS_FUNCTION Uint128 before(std::uint64_t table) const {
    return chunk_sums(table * tables.cells / chunk_cells) + table_sums(table);
  }
  KOKKOS_FUNCTION Uint128 operator()(std::uint64_t table) const {
    return before(table + 1) - before(table);
  }
  Uint128 total() const {
    Uint128 all = 0;
    Kokkos::deep_copy(all, Kokkos::subview(chunk_sums, tables.chunks()));
    return all;
  }
};

template <class Exec, class Weights>
struct SumChunk {
  Weights weights;
  WeightSums<Exec> sums;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    const TableBatch& tables = sums.tables;
    const std::uint64_t end = tables.chunk_end(chunk);
    Uint128 sum = 0;
    for (std::uint64_t cell = chunk * chunk_cells; cell < end;) {
      if (cell % tables.cells == 0) sums.table_sums(cell / tables.cells) = sum;
      const std::uint64_t stop = tables.table_end(cell, end);
      for (; cell < stop; ++cell) sum += weights(cell);
    }
    sums.chunk_sums(chunk) = sum;
    if (end == tables.cell_count())
      sums.table_sums(tables.count) = end % chunk_cells == 0 ? 0 : sum;
  }
};

/// Returns the prefix sums of the weights. weights(cell) returns an integer; the sum of all weights
/// must be less than 2^124.
template <class Exec, class Weights>
WeightSums<Exec> sum_weights(const Exec& exec, const Weights& weights, const TableBatch& tables) {
  using View = typename WeightSums<Exec>::View;
  const std::string label = "rivulet::alias_sums";
  const WeightSums<Exec> sums{tables, View(Kokkos::view_alloc(exec, label), tables.chunks() + 1),
                              View(Kokkos::view_alloc(exec, label), tables.count + 1)};
  Kokkos::parallel_for(label, ChunkRange<Exec>(exec, 0, tables.chunks()),
                       SumChunk<Exec, Weights>{weights, sums});
  ExclusiveScan<Uint128, Exec>{sums.chunk_sums}.run("rivulet::alias_sums_scan", exec);
  return sums;
}

/// Returns `first` if is_first is 1, and `second` if it is 0. The function has no branch, because a
/// CPU cannot predict choices that depend on random masses.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(std::uint64_t is_first, T first, T second) {
  return second ^ ((first ^ second) & (T{0} - is_first));
}

/// Light cells have at most a bucket's mass, and heavy cells have more. The deficits of light cells
/// are laid end to end on one line, and the excesses of heavy cells on another. This struct holds
/// the ends of both lines.
template <class Entry>
struct LineEnds {
  using Mass = typename Entry::Mass;
  std::uint64_t light_cells = 0;
  Mass deficit = 0;
  Mass excess = 0;

  KOKKOS_FUNCTION LineEnds& operator+=(const LineEnds& other) {
    light_cells += other.light_cells;
    deficit += other.deficit;
    excess += other.excess;
    return *this;
  }
  /// Appends a cell. Returns 1 if it is light, 0 if heavy.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t append(Mass mass) {
    constexpr Mass bucket = units_of_bucket<Entry>;
    const std::uint64_t is_light = mass <= bucket ? 1 : 0;
    light_cells += is_light;
    deficit += select(is_light, bucket - mass, Mass{0});
    excess += select(is_light, Mass{0}, mass - bucket);
    return is_light;
  }
};

/// Computes the masses of a chunk's cells, and the lengths that the chunk adds to both lines. If
/// all weights of a table are 0, each of its cells gets the mass of one bucket; no draw reaches
/// such a table.
template <class Entry, class Exec, class Weights>
struct RoundChunk {
  using Mass = typename Entry::Mass;
  Weights weights;
  WeightSums<Exec> sums;
  Mass* masses;
  Kokkos::View<LineEnds<Entry>*, Exec> ends;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    const std::uint64_t first = chunk * chunk_cells;
    const std::uint64_t end = sums.tables.chunk_end(chunk);
    Uint128 sum = sums.chunk_sums(chunk);
    for (std::uint64_t cell = first; cell < end;) {
      const std::uint64_t stop = sums.tables.table_end(cell, end);
      const std::uint64_t table = cell / sums.tables.cells;
      sum += round(table, cell, stop, sum - sums.before(table));
      cell = stop;
    }
    LineEnds<Entry> chunk_ends;
    for (std::uint64_t cell = first; cell < end; ++cell) chunk_ends.append(masses[cell]);
    ends(chunk) = chunk_ends;
  }

 private:
  /// Rounds cells first .. end-1 of a table. `before` is the sum of the table's weights before cell
  /// `first`. Returns the sum of the weights of the rounded cells.
  KOKKOS_FORCEINLINE_FUNCTION Uint128 round(std::uint64_t table, std::uint64_t first,
                                            std::uint64_t end, Uint128 before) const {
    const Uint128 total = sums(table);
    if (total == 0) {
      for (std::uint64_t cell = first; cell < end; ++cell) masses[cell] = units_of_bucket<Entry>;
      return 0;
    }
    const CumulativeRounding<Entry::bits> rounded(total, sums.tables.cells);
    const Weights local_weights = weights;  // local copies: stores might alias the members
    Mass* const to = masses;
    Uint128 sum = before;
    auto begin_mass = static_cast<Mass>(rounded(sum));
    for (std::uint64_t cell = first; cell < end; ++cell) {
      sum += local_weights(cell);
      const auto end_mass = static_cast<Mass>(rounded(sum));
      to[cell] = end_mass - begin_mass;
      begin_mass = end_mass;
    }
    return sum - before;
  }
};

/// The cells of both lines, ordered by index. A table occupies the same interval of both lines,
/// because its deficits and its excesses have equal sums.
template <class Entry>
struct CellLines {
  using Mass = typename Entry::Mass;
  /// The front holds the starts of the light cells' deficits, then the end of their line. The back
  /// holds, in reverse, the ends of the heavy cells' excesses, then a sentinel above all positions.
  Mass* place;
  std::uint32_t* cell;
  std::uint64_t cells;

  KOKKOS_FUNCTION std::uint64_t heavy(std::uint64_t rank) const { return cells + 1 - rank; }
};

template <class Entry, class Exec>
struct SplitChunk {
  using Mass = typename Entry::Mass;
  TableBatch tables;
  const Mass* masses;
  Kokkos::View<LineEnds<Entry>*, Exec> ends;
  CellLines<Entry> lines;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    LineEnds<Entry> at = ends(chunk);
    const std::uint64_t end = tables.chunk_end(chunk);
    for (std::uint64_t cell = chunk * chunk_cells; cell < end; ++cell) {
      const std::uint64_t light = at.light_cells;
      const Mass begin = at.deficit;
      const std::uint64_t is_light = at.append(masses[cell]);
      const std::uint64_t to = select(is_light, light, lines.heavy(cell - light));
      lines.place[to] = select(is_light, begin, at.excess);
      lines.cell[to] = static_cast<std::uint32_t>(cell);
    }
    if (end < tables.cell_count()) return;
    lines.place[at.light_cells] = at.deficit;
    lines.place[at.light_cells + 1] = ~Mass{0};
    lines.cell[at.light_cells + 1] = 0;
  }
};

/// Fills buckets by merging the light cells, ordered by the starts of their deficits, with the
/// heavy cells, ordered by the ends of their excesses. Each step of the merge fills one bucket, and
/// a chunk can begin at any step (light_cells_after). If a light cell's deficit starts before the
/// current heavy cell's excess ends, the light cell's alias is the heavy cell. If the deficit
/// extends beyond that end, the heavy cell's own bucket lacks the mass beyond the end, and its
/// alias is the next heavy cell.
template <class Entry, class Exec>
struct FillChunk {
  using Mass = typename Entry::Mass;
  using Threshold = decltype(Entry::threshold);
  TableBatch tables;
  Kokkos::View<LineEnds<Entry>*, Exec> ends;
  CellLines<Entry> lines;
  Entry* entries;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    const std::uint64_t first = chunk * chunk_cells;
    const std::uint64_t end = tables.chunk_end(chunk);
    std::uint64_t light = light_cells_after(first);
    std::uint64_t heavy = lines.heavy(first - light);
    for (std::uint64_t step = first; step < end; ++step) {
      const std::uint64_t is_light = lines.place[light] < lines.place[heavy] ? 1 : 0;
      const std::uint64_t filled = select(is_light, light, heavy);
      const Mass missing = lines.place[light + is_light] - lines.place[filled];
      fill(lines.cell[filled], missing, lines.cell[heavy - 1 + is_light]);
      light += is_light;
      heavy -= 1 - is_light;
    }
  }

 private:
  /// Fills the bucket of `cell`, whose own mass falls short by `missing`.
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint32_t cell, Mass missing,
                                        std::uint32_t alias) const {
    const bool is_full = missing == 0;
    const std::uint32_t other = is_full ? cell : alias;
    entries[cell] = {static_cast<Threshold>(is_full ? ~Mass{0} : Mass{0} - missing),
                     tables.count == 1 ? other : other % static_cast<std::uint32_t>(tables.cells)};
  }

  /// Returns the number of light cells among the first `steps` steps of the merge, found by
  /// bisection.
  KOKKOS_FUNCTION std::uint64_t light_cells_after(std::uint64_t steps) const {
    const std::uint64_t light_cells = ends(tables.chunks()).light_cells;
    const std::uint64_t heavy_cells = lines.cells - light_cells;
    std::uint64_t low = steps > heavy_cells ? steps - heavy_cells : 0;
    std::uint64_t high = steps < light_cells ? steps : light_cells;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (lines.place[middle] < lines.place[lines.heavy(steps - 1 - middle)]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// Memory for CellLines: two elements more than there are cells.
template <class Entry, class Exec>
struct LineMemory {
  using Places = Kokkos::View<typename Entry::Mass*, Exec>;
  using Cells = Kokkos::View<std::uint32_t*, Exec>;
  Places places;
  Cells cells;

  static LineMemory allocate(const Exec& exec, std::uint64_t all) {
    const auto how =
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string("rivulet::alias_lines"));
    return {Places(how, all + 2), Cells(how, all + 2)};
  }
};

/// Builds tables from the integers weights(cell), whose sum must be below 2^124, and returns the
/// prefix sums of the weights. `entries` has room for all cells and is accessible from `exec`. The
/// call is blocking. The tables are the same in every execution space.
template <class Entry, class Exec, class Weights>
WeightSums<Exec> build_tables(const Exec& exec, const Weights& weights, const TableBatch& tables,
                              const LineMemory<Entry, Exec>& memory, Entry* entries) {
  using Mass = typename Entry::Mass;
  const ChunkRange<Exec> chunks(exec, 0, tables.chunks());
  const WeightSums<Exec> sums = sum_weights(exec, weights, tables);
  const std::string label = "rivulet::alias_lines";
  const Kokkos::View<LineEnds<Entry>*, Exec> ends(Kokkos::view_alloc(exec, label),
                                                  tables.chunks() + 1);
  // A bucket's memory first holds the mass of its cell.
  static_assert(sizeof(Mass) == sizeof(Entry) && alignof(Mass) == alignof(Entry));
  auto* const masses = reinterpret_cast<Mass*>(entries);
  Kokkos::parallel_for("rivulet::alias_masses", chunks,
                       RoundChunk<Entry, Exec, Weights>{weights, sums, masses, ends});
  ExclusiveScan<LineEnds<Entry>, Exec>{ends}.run("rivulet::alias_lines_scan", exec);
  const CellLines<Entry> lines{memory.places.data(), memory.cells.data(), tables.cell_count()};
  Kokkos::parallel_for(label, chunks, SplitChunk<Entry, Exec>{tables, masses, ends, lines});
  Kokkos::parallel_for("rivulet::alias_fill", chunks,
                       FillChunk<Entry, Exec>{tables, ends, lines, entries});
  exec.fence();
  return sums;
}

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <string>

#include "battery/counting/counting_items.hpp"
#include "battery/counting/items.hpp"
#include "machine/out_of_memory.hpp"

// Ranks over GF(2). Large matrices are eliminated some columns at a time (the method of four
// Russians: Albrecht, Bard & Hart, ACM Trans. Math. Softw. 37 (2010) 9): of these columns the rows
// with pivots are found, all of their sums are put into a table, and each other row takes the one
// that clears its bits there.

namespace rivulet {
namespace detail {
namespace {

using Team = Kokkos::TeamPolicy<Space>::member_type;

/// A matrix in memory: rows of words of 64 columns, the first one highest, then the table.
struct LargeMatrix {
  int r;
  int s;
  int rows;
  int columns;

  KOKKOS_FUNCTION int width() const { return (columns + 63) / 64; }
  /// Columns that are eliminated together: as many as make a row's share of the table's sums small.
  KOKKOS_FUNCTION int together() const { return columns > 512 ? 8 : 4; }
  KOKKOS_FUNCTION std::uint64_t size() const {
    return (static_cast<std::uint64_t>(rows) + (std::uint64_t{1} << together())) *
           static_cast<std::uint64_t>(width());
  }
  KOKKOS_FUNCTION std::uint64_t row_words() const {
    return static_cast<std::uint64_t>(words_for(columns, s));
  }
};

/// Puts the s bits of each of a tile's words into rows of matrices that follow each other.
struct FillRows {
  LargeMatrix shape;
  const std::uint32_t* words;
  std::uint64_t from;  ///< the tile's first row
  std::uint64_t* matrices;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const auto width = static_cast<std::uint64_t>(shape.width());
    const auto rows = static_cast<std::uint64_t>(shape.rows);
    const std::uint64_t row = from + i / width;
    const int first = static_cast<int>(i % width) * 64;
    const int end = first + 64 < shape.columns ? first + 64 : shape.columns;
    const std::uint32_t* word = words + i / width * shape.row_words() + first / shape.s;
    int skipped = first % shape.s;
    std::uint64_t bits = 0;
    for (int at = first; at < end; skipped = 0) {
      const int left = shape.s - skipped;
      const int taken = left < end - at ? left : end - at;
      bits = bits << taken | strip_bits(*word++, shape.r + skipped, taken);
      at += taken;
    }
    std::uint64_t* const to = matrices + row / rows * shape.size() + row % rows * width;
    to[i % width] = bits << (64 - (end - first));
  }
};

/// The rank of each matrix, by a team; its rows are lost.
struct FindRanks {
  static constexpr int most_together = 8;

  LargeMatrix shape;
  std::uint64_t* matrices;
  int* ranks;

  /// The pivots of the columns that are eliminated: of each column a row, whose bits in these
  /// columns are the only ones of the columns with pivots.
  struct Pivots {
    unsigned columns = 0;  ///< those that have one
    unsigned bits[most_together] = {};
    std::uint64_t* row[most_together] = {};

    /// Bits of a row without those that pivots clear.
    KOKKOS_FUNCTION unsigned rest(unsigned of_row) const {
      unsigned sum = of_row;
      for (int c = 0; c < most_together; ++c) {
        if ((of_row & columns) >> c & 1) sum ^= bits[c];
      }
      return sum;
    }
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int width = shape.width();
    const int together = shape.together();
    const int rows = shape.rows;
    const int matrix_index = team.league_rank();
    std::uint64_t* const matrix =
        matrices + static_cast<std::uint64_t>(matrix_index) * shape.size();
    const auto row_at = [=](int i) { return matrix + std::int64_t{i} * width; };
    std::uint64_t* const table = row_at(rows);
    int rank = 0;
    for (int column = 0; column < shape.columns && rank < rows; column += together) {
      const int word = column / 64;  // those before it are 0 in all rows that are left
      const int shift = 64 - together - column % 64;
      const auto bits_of = [=](const std::uint64_t* row) {
        return static_cast<unsigned>(row[word] >> shift) & ((1U << together) - 1);
      };
      const auto for_words = [&](const auto& f) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width - word),
                             [&](int i) { f(word + i); });
      };
      Pivots pivots;
      const int before = rank;
      const int wanted = shape.columns - column < together ? shape.columns - column : together;
      for (int from = before; rank < rows && rank - before < wanted; ++from) {
        // The first row that pivots do not clear, some at a time.
        int found = rows;
        for (; from < rows; from += team.team_size()) {
          const int own = from + team.team_rank();
          found = own < rows && pivots.rest(bits_of(row_at(own))) != 0 ? own : rows;
          team.team_reduce(Kokkos::Min<int>(found));
          if (found < rows) break;
        }
        if (found >= rows) break;
        from = found;
        std::uint64_t* const to = row_at(rank++);
        std::uint64_t* const candidate = row_at(found);
        const unsigned bits = bits_of(candidate);
        const unsigned rest = pivots.rest(bits);
        int own = 0;
        while ((rest >> own & 1) == 0) ++own;
        team.team_barrier();
        // It becomes a pivot, and others are cleared of its column.
        if (team.team_rank() == 0) {
          for_words([&](int w) {
            std::uint64_t sum = candidate[w];
            for (int c = 0; c < most_together; ++c) {
              if ((bits & pivots.columns) >> c & 1) sum ^= pivots.row[c][w];
            }
            candidate[w] = to[w];
            to[w] = sum;
            for (int c = 0; c < most_together; ++c) {
              if (pivots.columns >> c & pivots.bits[c] >> own & 1) pivots.row[c][w] ^= sum;
            }
          });
        }
        for (int c = 0; c < most_together; ++c) {
          if (pivots.columns >> c & pivots.bits[c] >> own & 1) pivots.bits[c] ^= rest;
        }
        pivots.bits[own] = rest;
        pivots.row[own] = to;
        pivots.columns |= 1U << own;
        team.team_barrier();
      }
      // The sums of pivots by their columns.
      if (team.team_rank() == 0) for_words([&](int w) { table[w] = 0; });
      team.team_barrier();
      for (int c = 0; c < together; ++c) {
        if ((pivots.columns >> c & 1) == 0) continue;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 1 << c), [&](int i) {
          const std::uint64_t* const sum = table + std::int64_t{i} * width;
          std::uint64_t* const other = table + std::int64_t{i + (1 << c)} * width;
          for_words([&](int w) { other[w] = sum[w] ^ pivots.row[c][w]; });
        });
        team.team_barrier();
      }
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rank, rows), [&](int i) {
        std::uint64_t* const row = row_at(i);
        const std::uint64_t* const sum =
            table + std::int64_t{bits_of(row) & pivots.columns} * width;
        for_words([&](int w) { row[w] ^= sum[w]; });
      });
      team.team_barrier();
    }
    if (team.team_rank() == 0) ranks[matrix_index] = rank;
  }
};

/// Matrices in memory at once: one for each thread of a CPU, and what half a GiB of a device holds.
std::uint64_t matrices_at_once(const Space& space, std::uint64_t n, const LargeMatrix& shape) {
  const std::uint64_t some = device_build ? (std::uint64_t{1} << 26) / shape.size()
                                          : static_cast<std::uint64_t>(space.concurrency());
  return std::clamp<std::uint64_t>(some, 1, n);
}

void find_ranks(const Space& space, std::uint64_t matrices, const FindRanks& kernel) {
  const int vector = device_build ? std::min(32, static_cast<int>(std::bit_ceil(
                                                     static_cast<unsigned>(kernel.shape.width()))))
                                  : 1;
  using Policy = Kokkos::TeamPolicy<Space>;
  const int league = static_cast<int>(matrices);
  int threads = 1;
  if (device_build) {
    const int most =
        Policy(space, league, 1, vector).team_size_max(kernel, Kokkos::ParallelForTag());
    threads = std::min(most, (kernel.shape.width() > 32 ? 1024 : 256) / vector);
  }
  Kokkos::parallel_for("rivulet::battery_ranks", Policy(space, league, threads, vector), kernel);
}

TestCounts count_large_ranks(const Sample& of, const LargeMatrix& shape) {
  const Space& space = of.space();
  const std::uint64_t at_once = matrices_at_once(space, of.n, shape);
  Kokkos::View<std::uint64_t*, Space> matrices;
  Kokkos::View<int*, Space> ranks;
  require_memory_for("matrices", at_once * shape.size() * sizeof(std::uint64_t),
                     "Choose smaller tests, or a machine with more memory.", [&] {
                       const auto raw = [](const std::string& label) {
                         return Kokkos::view_alloc(label, Kokkos::WithoutInitializing);
                       };
                       matrices = decltype(matrices)(raw("rivulet::battery_matrices"),
                                                     at_once * shape.size());
                       ranks = decltype(ranks)(raw("rivulet::battery_ranks"), at_once);
                     });
  const auto rows = static_cast<std::uint64_t>(shape.rows);
  const std::uint64_t row_words = shape.row_words();
  const std::uint64_t in_tile = of.tiles.most() / row_words;
  TestCounts found{
      std::vector<std::uint64_t>(static_cast<std::size_t>(std::min(shape.rows, shape.columns)) + 1),
      of.n * rows * row_words};
  for (std::uint64_t done = 0; done < of.n; done += at_once) {
    const std::uint64_t batch = std::min(at_once, of.n - done);
    for (std::uint64_t row = 0; row < batch * rows; row += in_tile) {
      const std::uint64_t some = std::min(in_tile, batch * rows - row);
      const std::uint32_t* const words = of.read((done * rows + row) * row_words, some * row_words);
      Kokkos::parallel_for("rivulet::battery_rows",
                           LaneRange(space, 0, some * static_cast<std::uint64_t>(shape.width())),
                           FillRows{shape, words, row, matrices.data()});
    }
    find_ranks(space, batch, {shape, matrices.data(), ranks.data()});
    space.fence();
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ranks);
    for (std::uint64_t k = 0; k < batch; ++k) {
      ++found.counts[static_cast<std::size_t>(on_host(k))];
    }
  }
  return found;
}

}  // namespace
}  // namespace detail

std::uint64_t rank_bytes(std::uint64_t n, int rows, int columns) {
  if (std::max(rows, columns) <= detail::MatrixRank::most) return 0;
  const detail::LargeMatrix shape{0, 1, rows, columns};
  return detail::matrices_at_once(Space(), n, shape) * shape.size() * sizeof(std::uint64_t);
}

TestCounts count_ranks(const Sample& of, int s, int rows, int columns) {
  if (std::max(rows, columns) > detail::MatrixRank::most) {
    return detail::count_large_ranks(of, {of.r, s, rows, columns});
  }
  return detail::count_items(of, static_cast<std::uint64_t>(std::min(rows, columns)) + 1,
                             detail::MatrixRank{of.r, s, rows, columns});
}

}  // namespace rivulet

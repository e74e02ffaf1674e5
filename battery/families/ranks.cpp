// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "battery/families/family.hpp"
#include "machine/out_of_memory.hpp"

// Computes ranks over GF(2) of square matrices whose rows are blocks of bits. For large matrices,
// the method of four Russians eliminates several columns at a time (Albrecht, Bard & Hart, ACM
// Trans. Math. Softw. 37 (2010) 9). The algorithm finds pivot rows for these columns, and stores
// all sums of pivot rows in a table. For each remaining row, the algorithm looks up the sum that
// clears the row's bits in these columns, and adds it to the row.

namespace rivulet::detail {
namespace {

/// An item that is a matrix with at most 64 columns. Its cell is the matrix's rank.
struct SmallMatrix {
  static constexpr int max_size = 64;

  Blocks rows;

  std::uint64_t words() const { return to_u64(rows.length) * rows.words(); }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    const int size = rows.length;
    std::uint64_t matrix[max_size];
    for (int i = 0; i < size; ++i, word += rows.words()) {
      matrix[i] = bits_of_block(word, rows.r, rows.s, size);
    }
    int rank = 0;
    for (int column = size - 1; column >= 0; --column) {
      int pivot = rank;
      while (pivot < size && (matrix[pivot] >> column & 1) == 0) ++pivot;
      if (pivot == size) continue;
      const std::uint64_t line = matrix[pivot];
      matrix[pivot] = matrix[rank];
      for (int i = pivot + 1; i < size; ++i) {
        matrix[i] ^= line & (std::uint64_t{0} - (matrix[i] >> column & 1));
      }
      ++rank;
    }
    return to_u64(rank);
  }
};

/// Layout of a matrix in memory. Rows consist of 64-bit words with 64 columns per word. The first
/// column is the highest bit. The table of sums follows the rows.
struct LargeMatrix {
  Blocks rows;

  KOKKOS_FUNCTION int size() const { return rows.length; }
  KOKKOS_FUNCTION int width() const { return (size() + 63) / 64; }
  /// Returns the number of columns eliminated together. This number is small enough that filling
  /// the table costs little per row.
  KOKKOS_FUNCTION int columns_per_pass() const { return size() > 512 ? 8 : 4; }
  KOKKOS_FUNCTION std::uint64_t room() const {
    return (to_u64(size()) + (std::uint64_t{1} << columns_per_pass())) * to_u64(width());
  }
  /// Returns 64-bit word `at` of a matrix row, packed from the row's words in the sequence.
  KOKKOS_FUNCTION std::uint64_t row_bits(const std::uint32_t* word, int at) const {
    const int first = at * 64;
    const int end = first + 64 < size() ? first + 64 : size();
    int skipped = first % rows.s;
    word += first / rows.s;
    std::uint64_t bits = 0;
    for (int column = first; column < end; skipped = 0) {
      const int available = rows.s - skipped;
      const int taken = available < end - column ? available : end - column;
      bits = bits << taken | strip_bits(*word++, rows.r + skipped, taken);
      column += taken;
    }
    return bits << (64 - (end - first));
  }
};
LargeMatrix matrix_of(Test test) { return {blocks_of(test)}; }

/// Packs a tile's words into rows `from` .. from + rows - 1. Row numbers continue from one matrix
/// to the next.
void put_rows(const Space& space, const LargeMatrix& shape, const std::uint32_t* words,
              std::uint64_t from, std::uint64_t rows, std::uint64_t* matrices) {
  const std::uint64_t width = to_u64(shape.width()), size = to_u64(shape.size());
  for_each(
      space, rows * width, "rivulet::battery_rows", KOKKOS_LAMBDA(const std::uint64_t i) {
        const std::uint64_t row = from + i / width;
        matrices[row / size * shape.room() + row % size * width + i % width] =
            shape.row_bits(words + i / width * shape.rows.words(), static_cast<int>(i % width));
      });
}

/// Finds the rank of each matrix, one team per matrix. Destroys the matrices.
struct FindRanks {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Team = Policy::member_type;
  static constexpr int max_per_pass = 8;

  LargeMatrix shape;
  std::uint64_t* matrices;
  int* ranks;

  /// Pivot rows for the columns eliminated together, at most one per column. The pivots are fully
  /// reduced: in a column with a pivot, only this pivot has a 1.
  struct Pivots {
    unsigned columns = 0;  ///< columns with a pivot
    unsigned bits[max_per_pass] = {};
    std::uint64_t* row[max_per_pass] = {};

    /// Returns a row's bits in these columns after elimination with the pivots.
    KOKKOS_FUNCTION unsigned reduced(unsigned row_bits) const {
      unsigned sum = row_bits;
      for (int c = 0; c < max_per_pass; ++c) {
        if ((row_bits & columns) >> c & 1) sum ^= bits[c];
      }
      return sum;
    }
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int width = shape.width();
    const int per_pass = shape.columns_per_pass();
    const int rows = shape.size();
    std::uint64_t* const matrix = matrices + to_u64(team.league_rank()) * shape.room();
    const auto row_at = [=](int i) { return matrix + std::int64_t{i} * width; };
    std::uint64_t* const table = row_at(rows);
    int rank = 0;
    for (int column = 0; column < rows && rank < rows; column += per_pass) {
      const int word = column / 64;  // earlier words are 0 in all remaining rows
      const int shift = 64 - per_pass - column % 64;
      const auto bits_of = [=](const std::uint64_t* row) {
        return static_cast<unsigned>(row[word] >> shift) & ((1U << per_pass) - 1);
      };
      const auto for_words = [&](const auto& f) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width - word),
                             [&](int i) { f(word + i); });
      };
      Pivots pivots;
      const int before = rank;
      const int max_pivots = rows - column < per_pass ? rows - column : per_pass;
      for (int from = before; rank < rows && rank - before < max_pivots; ++from) {
        // Finds the first row that the pivots do not clear. Each thread examines one row at a time.
        int found = rows;
        for (; from < rows; from += team.team_size()) {
          const int row_index = from + team.team_rank();
          found = row_index < rows && pivots.reduced(bits_of(row_at(row_index))) != 0 ? row_index
                                                                                      : rows;
          team.team_reduce(Kokkos::Min<int>(found));
          if (found < rows) break;
        }
        if (found >= rows) break;
        from = found;
        std::uint64_t* const to = row_at(rank++);
        std::uint64_t* const candidate = row_at(found);
        const unsigned bits = bits_of(candidate);
        const unsigned reduced = pivots.reduced(bits);
        int pivot_column = 0;
        while ((reduced >> pivot_column & 1) == 0) ++pivot_column;
        team.team_barrier();
        // Makes the candidate a pivot, and clears its column in the other pivots.
        if (team.team_rank() == 0) {
          for_words([&](int w) {
            std::uint64_t sum = candidate[w];
            for (int c = 0; c < max_per_pass; ++c) {
              if ((bits & pivots.columns) >> c & 1) sum ^= pivots.row[c][w];
            }
            candidate[w] = to[w];
            to[w] = sum;
            for (int c = 0; c < max_per_pass; ++c) {
              if (pivots.columns >> c & pivots.bits[c] >> pivot_column & 1) pivots.row[c][w] ^= sum;
            }
          });
        }
        for (int c = 0; c < max_per_pass; ++c) {
          if (pivots.columns >> c & pivots.bits[c] >> pivot_column & 1) pivots.bits[c] ^= reduced;
        }
        pivots.bits[pivot_column] = reduced;
        pivots.row[pivot_column] = to;
        pivots.columns |= 1U << pivot_column;
        team.team_barrier();
      }
      // Fills the table: entry i is the sum of the pivots of those columns whose bits are set in i.
      if (team.team_rank() == 0) for_words([&](int w) { table[w] = 0; });
      team.team_barrier();
      for (int c = 0; c < per_pass; ++c) {
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
    if (team.team_rank() == 0) ranks[team.league_rank()] = rank;
  }
};

void find_ranks(const Space& space, std::uint64_t matrices, const FindRanks& kernel) {
  const auto width = static_cast<unsigned>(kernel.shape.width());
  const int vector = device_build ? std::min(32, static_cast<int>(std::bit_ceil(width))) : 1;
  const int league = static_cast<int>(matrices);
  int threads = 1;
  if (device_build) {
    const int max_threads =
        FindRanks::Policy(space, league, 1, vector).team_size_max(kernel, Kokkos::ParallelForTag());
    threads = std::min(max_threads, (width > 32 ? 1024 : 256) / vector);
  }
  Kokkos::parallel_for("rivulet::battery_ranks", FindRanks::Policy(space, league, threads, vector),
                       kernel);
}

/// Returns the number of matrices in memory at once: one per CPU thread, or as many as fit into 512
/// MiB of a device.
std::uint64_t matrices_at_once(const Space& space, Test test) {
  const std::uint64_t some = device_build ? (std::uint64_t{1} << 26) / matrix_of(test).room()
                                          : static_cast<std::uint64_t>(space.concurrency());
  return std::clamp<std::uint64_t>(some, 1, test.n);
}

Replication count_large_ranks(const Sample& sample, Test test) {
  const Space& space = sample.space();
  const LargeMatrix shape = matrix_of(test);
  const std::uint64_t at_once = matrices_at_once(space, test), room = at_once * shape.room();
  Owned<std::uint64_t> matrices;
  Owned<int> ranks;
  require_memory_for("matrices", room * sizeof(std::uint64_t),
                     "Choose smaller battery.tests, or a machine with more memory.", [&] {
                       matrices = uninitialised<std::uint64_t>("rivulet::battery_matrices", room);
                       ranks = uninitialised<int>("rivulet::battery_ranks", at_once);
                     });
  const std::uint64_t rows = to_u64(shape.size()), row_words = shape.rows.words();
  const std::uint64_t rows_per_tile = sample.tiles.capacity() / row_words;
  Replication found{std::vector<std::uint64_t>(rows + 1), sample.n * rows * row_words};
  for (std::uint64_t done = 0; done < sample.n; done += at_once) {
    const std::uint64_t batch = std::min(at_once, sample.n - done);
    for (std::uint64_t row = 0; row < batch * rows; row += rows_per_tile) {
      const std::uint64_t some = std::min(rows_per_tile, batch * rows - row);
      const std::uint32_t* const words =
          sample.read((done * rows + row) * row_words, some * row_words);
      put_rows(space, shape, words, row, some, matrices.data());
    }
    find_ranks(space, batch, {shape, matrices.data(), ranks.data()});
    const std::vector<int> all = on_host(space, ranks);
    for (std::uint64_t k = 0; k < batch; ++k) ++found.counts[to_u64(all[k])];
  }
  return found;
}

bool is_large(Test test) { return test.L > SmallMatrix::max_size; }

}  // namespace

/// smarsa_MatrixRank: counts L x L matrices by rank.
TestClass families::matrix_rank() {
  TestClass ranks = class_of_items("MatrixRank", "s = {s}, L = {L}, k = {L}",
                                   [](Test test) { return SmallMatrix{blocks_of(test)}; });
  ranks.expected = [](Test test) {
    std::vector<double> probabilities;
    for (int rank = 0; rank <= test.L; ++rank) {
      double p =
          std::exp2(-static_cast<double>(test.L - rank) * static_cast<double>(test.L - rank));
      for (int i = 0; i < rank && p > 0; ++i) {
        const double off = 1 - std::exp2(i - test.L);
        p *= off * off / (1 - std::exp2(i - rank));
      }
      probabilities.push_back(p);
    }
    return times(test.items(), probabilities);
  };
  ranks.counters = [](Test test) { return to_u64(test.L) + 1; };
  // A tile must hold an entire small matrix, but only one row of a large matrix.
  ranks.item_words = [](Test test) {
    return (is_large(test) ? 1 : to_u64(test.L)) * words_of_block(test);
  };
  ranks.words = [](Test test) { return test.n * to_u64(test.L) * words_of_block(test); };
  ranks.bytes = [](Test test) {
    const std::uint64_t matrices =
        is_large(test) ? matrices_at_once(Space(), test) * matrix_of(test).room() : 0;
    return histogram_bytes(to_u64(test.L) + 1) + matrices * sizeof(std::uint64_t);
  };
  ranks.counted = [counted = ranks.counted](const Sample& sample, Test test) {
    return is_large(test) ? count_large_ranks(sample, test) : counted(sample, test);
  };
  ranks.pools = true;
  return ranks;
}

}  // namespace rivulet::detail

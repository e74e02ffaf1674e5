// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/correlation_moments.hpp"

#include <algorithm>

#include "launching/host_launch.hpp"
#include "machine/device_bytes.hpp"

namespace rivulet {
namespace {

/// A stretch is `numbers_per_stretch` consecutive numbers of a row. Each of its threads adds every
/// `threads_per_stretch`-th number, so reads on a GPU are coalesced.
constexpr std::uint64_t threads_per_stretch = device_build ? 256 : 1;
/// Maximum count of numbers that one call of SumMoments adds.
constexpr std::uint64_t numbers_per_call = device_build ? 16 : 1024;
constexpr std::uint64_t numbers_per_stretch = numbers_per_call * threads_per_stretch;
/// Maximum number of numbers per launch. Each square is below 2^32, so the sum of the squares is
/// below 2^62.
constexpr std::uint64_t max_numbers = std::uint64_t{1} << 30;
/// Maximum number of rows per call of SumEnds. With this limit, pieces with many rows and few
/// columns still keep a GPU busy.
constexpr std::uint64_t max_rows = 64;

/// Computes the sum of a piece's numbers and the sum of their squares.
struct SumMoments {
  CorrelatedBits bits;
  CorrelationPiece piece;
  std::uint64_t stretches_per_row;

  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::int64_t& sum, std::int64_t& squares) const {
    const std::uint64_t row = i / threads_per_stretch / stretches_per_row;
    const std::uint64_t begin = i / threads_per_stretch % stretches_per_row * numbers_per_stretch;
    const std::uint64_t end =
        begin + numbers_per_stretch < piece.count ? begin + numbers_per_stretch : piece.count;
    for (std::uint64_t j = begin + i % threads_per_stretch; j < end; j += threads_per_stretch) {
      const std::int64_t number = bits.number(piece.words(row, piece.history + j));
      sum += number;
      squares += number * number;
    }
  }
};

/// Sums one column over up to `max_rows` rows, and adds the sum to an element of `ends`. If
/// `forwards` is true, the element's index increases with the column; otherwise, the index
/// decreases.
struct SumEnds {
  CorrelatedBits bits;
  CorrelationPiece piece;
  Kokkos::View<std::int64_t*, Space> ends;
  std::uint64_t first;  ///< first column, relative to piece.begin
  std::uint64_t count;  ///< number of columns
  std::uint64_t end;    ///< index of the first column's sum
  bool forwards;

  KOKKOS_FUNCTION void operator()(std::uint64_t call) const {
    const std::uint64_t i = call % count;
    const std::uint64_t first_row = call / count * max_rows;
    const std::uint64_t end_row =
        first_row + max_rows < piece.rows ? first_row + max_rows : piece.rows;
    std::int64_t sum = 0;
    for (std::uint64_t row = first_row; row < end_row; ++row) {
      sum += bits.number(piece.words(row, piece.history + first + i));
    }
    Kokkos::atomic_add(&ends(forwards ? end + i : end - i), sum);
  }
};

}  // namespace

CorrelationMoments::CorrelationMoments(std::uint64_t lags, CorrelatedBits bits,
                                       std::uint64_t numbers)
    : bits_(bits), numbers_(numbers), ends_("rivulet::ends", lags) {}

void CorrelationMoments::add(const Space& space, const CorrelationPiece& piece) {
  add_sums(space, piece);
  const std::uint64_t lags = ends_.extent(0);
  const std::uint64_t end = piece.begin + piece.count;
  const auto add_ends = [&](const char* label, const SumEnds& kernel) {
    const std::uint64_t parts = ceil_divide(piece.rows, max_rows);
    Kokkos::parallel_for(label, IndexRange(space, 0, parts * kernel.count), kernel);
  };
  if (piece.begin < lags) {
    const std::uint64_t count = std::min(lags, end) - piece.begin;
    add_ends("rivulet::first_numbers", {bits_, piece, ends_, 0, count, piece.begin, true});
  }
  if (const std::uint64_t tail = numbers_ - lags; end > tail) {
    const std::uint64_t begin = std::max(piece.begin, tail);
    add_ends("rivulet::last_numbers",
             {bits_, piece, ends_, begin - piece.begin, end - begin, numbers_ - 1 - begin, false});
  }
  space.fence();
}

void CorrelationMoments::add_sums(const Space& space, const CorrelationPiece& piece) {
  const SumMoments kernel{bits_, piece, ceil_divide(piece.count, numbers_per_stretch)};
  const std::uint64_t calls = piece.rows * kernel.stretches_per_row * threads_per_stretch;
  constexpr std::uint64_t max_calls = max_numbers / numbers_per_call;
  for (std::uint64_t first = 0; first < calls; first += max_calls) {
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    Kokkos::parallel_reduce("rivulet::moments",
                            IndexRange(space, first, std::min(calls, first + max_calls)), kernel,
                            sum, squares);
    space.fence();
    sum_ += sum;
    squares_ += squares;
  }
}

std::vector<std::int64_t> CorrelationMoments::ends() const { return to_host(ends_); }

}  // namespace rivulet

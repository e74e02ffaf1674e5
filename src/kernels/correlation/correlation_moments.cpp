// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/correlation_moments.hpp"

#include <algorithm>

namespace rivulet {
namespace {

/// Numbers that one call adds.
constexpr std::uint64_t run = 1024;
/// Runs a launch, whose squares, below 2^32 each, stay below 2^63.
constexpr std::uint64_t most_runs = std::uint64_t{1} << 20;

/// Runs of a piece, row by row.
struct SumRuns {
  CorrelatedBits bits;
  CorrelationPiece piece;
  std::uint64_t runs_per_row;

  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::int64_t& sum, std::int64_t& squares) const {
    const std::uint64_t row = i / runs_per_row;
    const std::uint64_t from = i % runs_per_row * run;
    const std::uint64_t upto = from + run < piece.count ? from + run : piece.count;
    for (std::uint64_t j = from; j < upto; ++j) {
      const std::int64_t number = bits.number(piece.words(row, piece.history + j));
      sum += number;
      squares += number * number;
    }
  }
};

/// Adds the numbers of all rows at one position, forwards or backwards.
struct SumEnds {
  CorrelatedBits bits;
  CorrelationPiece piece;
  Kokkos::View<std::int64_t*, Space> ends;
  std::uint64_t first;  ///< column, from piece.begin
  std::uint64_t end;    ///< where the first column's number goes
  bool forwards;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    std::int64_t sum = 0;
    for (std::uint64_t row = 0; row < piece.rows; ++row) {
      sum += bits.number(piece.words(row, piece.history + first + i));
    }
    ends(forwards ? end + i : end - i) += sum;
  }
};

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

}  // namespace

CorrelationMoments::CorrelationMoments(std::uint64_t lags, CorrelatedBits bits,
                                       std::uint64_t numbers)
    : bits_(bits), numbers_(numbers), ends_("rivulet::ends", lags) {}

void CorrelationMoments::add(const Space& space, const CorrelationPiece& piece) {
  const SumRuns kernel{bits_, piece, (piece.count + run - 1) / run};
  const std::uint64_t runs = piece.rows * kernel.runs_per_row;
  for (std::uint64_t first = 0; first < runs; first += most_runs) {
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    Kokkos::parallel_reduce("rivulet::moments",
                            Range(space, first, std::min(runs, first + most_runs)), kernel, sum,
                            squares);
    space.fence();
    sum_ += sum;
    squares_ += squares;
  }
  const std::uint64_t lags = ends_.extent(0);
  const std::uint64_t upto = piece.begin + piece.count;
  if (piece.begin < lags) {
    const std::uint64_t count = std::min(lags, upto) - piece.begin;
    Kokkos::parallel_for("rivulet::first_numbers", Range(space, 0, count),
                         SumEnds{bits_, piece, ends_, 0, piece.begin, true});
  }
  if (const std::uint64_t tail = numbers_ - lags; upto > tail) {
    const std::uint64_t begin = std::max(piece.begin, tail);
    Kokkos::parallel_for(
        "rivulet::last_numbers", Range(space, 0, upto - begin),
        SumEnds{bits_, piece, ends_, begin - piece.begin, numbers_ - 1 - begin, false});
  }
  space.fence();
}

std::vector<std::int64_t> CorrelationMoments::ends() const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ends_);
  return {host.data(), host.data() + host.extent(0)};
}

}  // namespace rivulet

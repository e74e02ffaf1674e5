// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sampling/quotas.hpp"

// Finds the last cell of a large table that gets a left-over unit. The whole device works on it.

namespace rivulet::detail {

using DivisionRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Calls body(first cell, count, whole quotas, digits) for each piece of the cells first .. end-1.
template <class Weight, class Body>
KOKKOS_FORCEINLINE_FUNCTION void each_piece(const Quotas<Weight>& quotas, std::uint64_t first,
                                            std::uint64_t end, const Body& body) {
  std::uint64_t whole[static_cast<std::size_t>(piece_cells)];
  std::uint64_t digit[static_cast<std::size_t>(piece_cells)];
  const Quotas<Weight> own = quotas;  // a copy: stores might alias it
  for (; first < end; first += piece_cells) {
    const int n = piece_of(first, end);
    own.split(first, n, whole, digit);
    body(first, n, whole, digit);
  }
}

/// Sums of quotas over some cells.
struct QuotaSums {
  std::uint64_t whole = 0;
  std::uint64_t above = 0;  ///< cells whose remainder is above a range
  std::uint64_t found = 0;  ///< cells in the range
};

/// Sums the quotas of cells first .. end-1, and stores the first `most` of the cells in the range.
template <class Weight>
KOKKOS_FORCEINLINE_FUNCTION QuotaSums sum_quotas(const Quotas<Weight>& quotas, std::uint64_t first,
                                                 std::uint64_t end, const RemainderDigits& range,
                                                 std::uint64_t most, std::uint64_t* to) {
  QuotaSums sum;
  each_piece(
      quotas, first, end,
      [=, &sum](std::uint64_t cell, int n, const std::uint64_t* whole, const std::uint64_t* digit) {
        std::uint64_t sum_whole = 0;
        std::uint64_t above = 0;
        std::uint64_t inside = 0;
        for (int i = 0; i < n; ++i) {
          sum_whole += whole[i];
          above += range.is_above(digit[i]) ? 1 : 0;
          inside += range.has(digit[i]) ? 1 : 0;
        }
        sum.whole += sum_whole;
        sum.above += above;
        for (int i = 0; inside != 0 && i < n; ++i) {
          if (!range.has(digit[i])) continue;
          if (sum.found < most) to[sum.found] = cell + static_cast<std::uint64_t>(i);
          ++sum.found;
        }
      });
  return sum;
}

/// One table's quotas in chunks of cells, one for each thread.
template <class Weight>
struct ThreadCells {
  Quotas<Weight> quotas;
  std::uint64_t count;
  std::uint64_t cells;
  std::uint64_t cells_each;

  /// As many chunks as keep the device busy, few enough to add up.
  ThreadCells(const Space& space, const Quotas<Weight>& of, std::uint64_t all_cells)
      : quotas(of), cells(all_cells) {
    const auto most =
        device_build ? std::uint64_t{2048} : 8 * static_cast<std::uint64_t>(space.concurrency());
    count = std::clamp<std::uint64_t>(cells / 16384, 1, most);
    cells_each = (cells + count - 1) / count;
  }

  KOKKOS_FUNCTION std::uint64_t begin(std::uint64_t chunk) const {
    const std::uint64_t at = chunk * cells_each;
    return at < cells ? at : cells;
  }
};

/// Sums whole quotas and in the same pass collects the cells in a range of remainders.
template <class Weight>
struct RemainderPass {
  ThreadCells<Weight> chunks;
  RemainderDigits range;
  std::uint64_t capacity;  ///< cells kept of each chunk
  Kokkos::View<QuotaSums*, Space> sums;
  Kokkos::View<std::uint64_t*, Space> cells;

  RemainderPass(const ThreadCells<Weight>& of, const RemainderDigits& digits, std::uint64_t most)
      : chunks(of),
        range(digits),
        capacity(most),
        sums("rivulet::share_totals", of.count),
        cells(Kokkos::view_alloc("rivulet::candidates", Kokkos::WithoutInitializing),
              of.count * most) {}

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    sums(chunk) = sum_quotas(chunks.quotas, chunks.begin(chunk), chunks.begin(chunk + 1), range,
                             capacity, cells.data() + chunk * capacity);
  }

  /// The sums over all chunks; is_complete: whether all cells in the range are kept.
  QuotaSums run(const Space& space, bool& is_complete) const {
    Kokkos::parallel_for("rivulet::whole_shares", DivisionRange(space, 0, chunks.count), *this);
    space.fence();
    const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    QuotaSums all;
    is_complete = true;
    for (std::uint64_t c = 0; c < chunks.count; ++c) {
      all.whole += own(c).whole;
      all.above += own(c).above;
      all.found += own(c).found;
      is_complete = is_complete && own(c).found <= capacity;
    }
    return all;
  }

  struct Rests {
    RemainderPass pass;
    SumView rests;
    KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
      const std::uint64_t begin = chunk * pass.capacity;
      for (std::uint64_t i = begin; i < begin + pass.sums(chunk).found; ++i) {
        rests(i) = pass.chunks.quotas.exact(pass.cells(i)).rest;
      }
    }
  };

  /// The remainder of rank `rank`, from 1, of the cells kept.
  Remainder number(const Space& space, std::uint64_t rank) const {
    const SumView rests("rivulet::candidate_remainders", cells.extent(0));
    Kokkos::parallel_for("rivulet::candidate_remainders", DivisionRange(space, 0, chunks.count),
                         Rests{*this, rests});
    space.fence();
    const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    const auto cell = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
    const auto rest = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rests);
    std::vector<Remainder> order;
    for (std::uint64_t c = 0; c < chunks.count; ++c) {
      const std::uint64_t first = c * capacity;
      for (std::uint64_t i = first; i < first + own(c).found; ++i) {
        order.push_back({rest(i), cell(i)});
      }
    }
    return remainder_number(rank, order);
  }
};

using DigitCounts = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

/// Counts the first digits of remainders, chunk by chunk.
template <class Weight>
struct CountDigits {
  ThreadCells<Weight> chunks;
  DigitCounts counts;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    std::uint32_t* const count = &counts(chunk, 0);
    each_piece(chunks.quotas, chunks.begin(chunk), chunks.begin(chunk + 1),
               [count](std::uint64_t, int n, const std::uint64_t*, const std::uint64_t* digit) {
                 for (int i = 0; i < n; ++i) ++count[digit[i]];
               });
  }
};

/// Cells whose remainders have a digit: of all chunks, and of the chunk that has most.
struct DigitCount {
  std::uint64_t all;
  std::uint64_t most;
};

struct CountsOfDigit {
  DigitCounts counts;
  Kokkos::View<DigitCount*, Space> of;
  KOKKOS_FUNCTION void operator()(std::uint64_t digit) const {
    DigitCount sum{};
    for (std::size_t chunk = 0; chunk < counts.extent(0); ++chunk) {
      const std::uint64_t own = counts(chunk, digit);
      sum.all += own;
      sum.most = own > sum.most ? own : sum.most;
    }
    of(digit) = sum;
  }
};

/// The remainder of rank `rank`, from 1, among all cells.
template <class Weight>
Remainder remainder_of_all(const Space& space, const ThreadCells<Weight>& chunks,
                           std::uint64_t rank) {
  constexpr std::uint64_t digits = Quotas<Weight>::digits;
  const DigitCounts counts("rivulet::remainder_counts", chunks.count, digits);
  Kokkos::parallel_for("rivulet::remainder_counts", DivisionRange(space, 0, chunks.count),
                       CountDigits<Weight>{chunks, counts});
  const Kokkos::View<DigitCount*, Space> of("rivulet::digit_sums", digits);
  Kokkos::parallel_for("rivulet::digit_sums", DivisionRange(space, 0, digits),
                       CountsOfDigit{counts, of});
  space.fence();
  const auto count = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of);
  std::uint64_t digit = digits - 1;
  while (count(digit).all < rank) rank -= count(digit--).all;
  const RemainderPass<Weight> pass(chunks, {digit, 1}, count(digit).most);
  bool is_complete = false;
  pass.run(space, is_complete);
  return pass.number(space, rank);
}

/// The masses of one table whose weights sum to `total`.
template <class Weight>
ComputedMasses<Weight> divide_large_table(const Space& space, const ExactWeights<Weight>& weights,
                                          Uint128 total) {
  const Quotas<Weight> quotas(weights, total, weights.cells());
  if (total == 0) return ComputedMasses<Weight>(quotas);
  const ThreadCells<Weight> chunks(space, quotas, weights.cells());
  const RemainderDigits range = RemainderDigits::around_half(weights.cells());
  const RemainderPass<Weight> pass(
      chunks, range, 64 + 2 * chunks.cells_each * range.count / Quotas<Weight>::digits);
  bool is_complete = false;
  const QuotaSums sums = pass.run(space, is_complete);
  const std::uint64_t left = quotas.units() - sums.whole;
  if (left == 0) return ComputedMasses<Weight>(quotas);
  // If the last cell to get a unit is among those kept, a second pass is not needed.
  const bool is_kept = is_complete && left > sums.above && left <= sums.above + sums.found;
  return {quotas,
          is_kept ? pass.number(space, left - sums.above) : remainder_of_all(space, chunks, left)};
}

}  // namespace rivulet::detail

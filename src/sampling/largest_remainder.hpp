// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sampling/quotas.hpp"
#include "sampling/remainder_bracket.hpp"

namespace rivulet::detail {

/// Masses of a table large enough that the whole device works on it.
template <class Weight>
class LargeTableDivision {
 public:
  using Quotas = detail::Quotas<Weight>;

  LargeTableDivision(const Space& space, std::uint64_t cells)
      : space_(space), chunks_(chunks(space, cells)) {}

  ComputedMasses<Weight> divide(const ExactWeights<Weight>& weights, Uint128 total) const {
    const Quotas quotas(weights, total);
    if (total == 0) return ComputedMasses<Weight>(quotas);
    const ThreadCells<Weight> chunks(quotas, chunks_);
    const RemainderBracket<Weight> window(space_, chunks);
    const std::uint64_t left = quotas.share_of().units() - window.given();
    if (left == 0) return ComputedMasses<Weight>(quotas);
    const std::optional<Remainder> last = window.last_to_get_one(left);
    return {quotas, last ? *last : last_to_get_one(chunks, left)};
  }

  using CountView = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

  /// Counts the first digits of remainders chunk by chunk.
  struct CountDigits {
    ThreadCells<Weight> chunks;
    CountView counts;

    KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
      std::uint32_t* const count = &counts(chunk, 0);
      chunks.each_piece(
          chunk, [count](std::uint64_t, int n, const std::uint64_t*, const std::uint64_t* digit) {
            for (int i = 0; i < n; ++i) ++count[digit[i]];
          });
    }
  };

  struct CountsOfDigit {
    CountView counts;
    Kokkos::View<std::uint64_t*, Space> sums;
    KOKKOS_FUNCTION void operator()(std::uint64_t digit) const {
      std::uint64_t sum = 0;
      for (std::size_t chunk = 0; chunk < counts.extent(0); ++chunk) sum += counts(chunk, digit);
      sums(digit) = sum;
    }
  };

  /// Packs the candidates in the order of their indices.
  struct Collect {
    CountDigits count;
    std::uint64_t digit;
    Kokkos::View<std::uint64_t*, Space> candidates;

    KOKKOS_FUNCTION void operator()(std::uint64_t chunk, std::uint64_t& at, bool final) const {
      if (!final) {
        at += count.counts(chunk, digit);
        return;
      }
      std::uint64_t* const to = candidates.data();
      const std::uint64_t wanted = digit;
      count.chunks.each_piece(chunk,
                              [to, wanted, &at](std::uint64_t first, int n, const std::uint64_t*,
                                                const std::uint64_t* digits) {
                                std::uint64_t any = 0;
                                for (int i = 0; i < n; ++i) any |= digits[i] == wanted ? 1 : 0;
                                for (int i = 0; any != 0 && i < n; ++i) {
                                  if (digits[i] == wanted)
                                    to[at++] = first + static_cast<std::uint64_t>(i);
                                }
                              });
    }
  };

  struct Rests {
    Quotas quotas;
    Kokkos::View<std::uint64_t*, Space> candidates;
    SumView rests;
    KOKKOS_FUNCTION void operator()(std::uint64_t c) const {
      rests(c) = quotas.exact(candidates(c)).rest;
    }
  };

 private:
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Range range(std::uint64_t n) const { return Range(space_, 0, n); }

  /// Number of chunks with separate counts: enough to keep the device busy, few enough to add up.
  static std::uint64_t chunks(const Space& space, std::uint64_t cells) {
    const auto most =
        device_build ? std::uint64_t{2048} : 8 * static_cast<std::uint64_t>(space.concurrency());
    return std::clamp<std::uint64_t>(cells / 16384, 1, most);
  }

  Remainder last_to_get_one(const ThreadCells<Weight>& chunks, std::uint64_t left) const {
    const CountDigits counted{chunks,
                              CountView("rivulet::remainder_counts", chunks.count, Quotas::digits)};
    Kokkos::parallel_for("rivulet::remainder_counts", range(chunks.count), counted);
    const Kokkos::View<std::uint64_t*, Space> sums("rivulet::digit_sums", Quotas::digits);
    Kokkos::parallel_for("rivulet::digit_sums", range(Quotas::digits),
                         CountsOfDigit{counted.counts, sums});
    const auto count = Kokkos::create_mirror_view(sums);
    space_.fence();
    Kokkos::deep_copy(count, sums);
    std::uint64_t digit = Quotas::digits - 1;
    while (count(digit) < left) left -= count(digit--);
    return select(counted, digit, count(digit), left);
  }

  /// The candidate of rank `left`, from 1, among the `count` with that digit.
  Remainder select(const CountDigits& counted, std::uint64_t digit, std::uint64_t count,
                   std::uint64_t left) const {
    const Kokkos::View<std::uint64_t*, Space> candidates("rivulet::candidates", count);
    const SumView rests("rivulet::candidate_remainders", count);
    Kokkos::parallel_scan("rivulet::candidates", range(counted.chunks.count),
                          Collect{counted, digit, candidates});
    Kokkos::parallel_for("rivulet::candidate_remainders", range(count),
                         Rests{counted.chunks.quotas, candidates, rests});
    const auto cell = Kokkos::create_mirror_view(candidates);
    const auto rest = Kokkos::create_mirror_view(rests);
    space_.fence();
    Kokkos::deep_copy(cell, candidates);
    Kokkos::deep_copy(rest, rests);
    std::vector<Remainder> order(count);
    for (std::uint64_t c = 0; c < count; ++c) order[c] = {rest(c), cell(c)};
    return remainder_number(left, order);
  }

  Space space_;
  std::uint64_t chunks_;
};

/// Calls body(first cell, ComputedMasses) for table after table.
template <class Weight, class Body>
void each_large_table(const Space& space, const ExactWeights<Weight>& weights,
                      const TableSizes& row, const SumView& sums, const Body& body) {
  const auto host = Kokkos::create_mirror_view(sums);
  space.fence();
  Kokkos::deep_copy(host, sums);
  const LargeTableDivision<Weight> division(space, row.cells);
  for (std::uint64_t table = 0; table < row.tables; ++table) {
    const std::uint64_t first = table * row.cells;
    body(first, division.divide(weights.part(first, row.cells), host(table)));
  }
}

}  // namespace rivulet::detail

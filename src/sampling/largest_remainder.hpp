// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sampling/shares.hpp"

namespace rivulet {
namespace impl {

KOKKOS_INLINE_FUNCTION int bit_length(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// Masses of cells first .. first + cells - 1 by one thread: the digits of the last remainder that
/// gets a unit are found one by one, from counts of the candidates' next digit.
template <class Weights>
KOKKOS_FUNCTION void divide_table(const Weights& weights, const ShareOf& share_of,
                                  std::uint64_t first, std::uint64_t cells,
                                  const UnitView& masses) {
  constexpr int digit_bits = 8;
  constexpr int digits = 1 << digit_bits;
  std::uint64_t left = share_of.units();
  for (std::uint64_t i = 0; i < cells; ++i) {
    const std::uint64_t whole =
        share_of.total() == 0 ? bucket_units : share_of(weights(first + i)).whole;
    masses(first + i) = whole;
    left -= whole;
  }
  if (left == 0) return;

  // Candidates: remainders with these leading digits, the last `shift` bits not looked at. Of them
  // `left` get a unit.
  int shift = bit_length(share_of.total());
  Uint128 leading = 0;
  while (shift > 0) {
    const int step = shift < digit_bits ? shift : digit_bits;
    std::uint64_t count[digits] = {};
    Uint128 any = 0;
    Uint128 all = ~Uint128{0};
    for (std::uint64_t i = 0; i < cells; ++i) {
      const Uint128 rest = share_of(weights(first + i)).rest;
      if (rest >> shift != leading) continue;
      any |= rest;
      all &= rest;
      ++count[static_cast<unsigned>(rest >> (shift - step)) & ((1U << step) - 1)];
    }
    if (any == all) {  // equal remainders need no more digits
      leading = any;
      shift = 0;
      break;
    }
    shift -= step;
    unsigned digit = (1U << step) - 1;
    while (count[digit] < left) left -= count[digit--];
    leading = leading << step | digit;
    if (count[digit] == left) break;
  }
  for (std::uint64_t i = 0; i < cells; ++i) {
    const Uint128 rest = share_of(weights(first + i)).rest >> shift;
    if (rest > leading) {
      ++masses(first + i);
    } else if (rest == leading && left > 0) {
      ++masses(first + i);
      --left;
    }
  }
}

/// Masses of a table so large that the whole device works on it.
template <class Weight>
class LargeTableDivision {
 public:
  using Shares = impl::Shares<Weight>;

  LargeTableDivision(const Space& space, std::uint64_t cells)
      : space_(space), counts_("rivulet::remainder_counts", chunks(space, cells), Shares::digits) {}

  ComputedMasses<Weight> divide(const ExactWeights<Weight>& weights, Uint128 total) const {
    const Shares shares(weights, total);
    if (total == 0) return ComputedMasses<Weight>(shares);
    const std::uint64_t cells = weights.cells();
    const CountDigits count{shares, counts_, cells,
                            (cells + counts_.extent(0) - 1) / counts_.extent(0)};
    std::uint64_t given = 0;
    Kokkos::deep_copy(space_, counts_, 0U);
    Kokkos::parallel_reduce("rivulet::whole_shares", range(counts_.extent(0)), count, given);
    const std::uint64_t left = shares.share_of().units() - given;
    if (left == 0) return ComputedMasses<Weight>(shares);
    return {shares, last_to_get_one(count, left)};
  }

  using CountView = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

  /// Sums whole shares and counts the first digits of remainders chunk by chunk.
  struct CountDigits {
    using value_type = std::uint64_t;
    Shares shares;
    CountView counts;
    std::uint64_t cells;
    std::uint64_t cells_a_chunk;

    KOKKOS_FUNCTION std::uint64_t begin(std::uint64_t chunk) const {
      const std::uint64_t at = chunk * cells_a_chunk;
      return at < cells ? at : cells;
    }
    /// Calls body(first cell, count, whole shares, digits) for a chunk, piece by piece.
    template <class Body>
    KOKKOS_FORCEINLINE_FUNCTION void each_piece(std::uint64_t chunk, const Body& body) const {
      std::uint64_t whole[static_cast<std::size_t>(piece_cells)];
      std::uint64_t digit[static_cast<std::size_t>(piece_cells)];
      const Shares own = shares;  // a copy: what is stored to might else be it
      const std::uint64_t end = begin(chunk + 1);
      for (std::uint64_t first = begin(chunk); first < end; first += piece_cells) {
        const int n = piece_of(first, end);
        own.split(first, n, whole, digit);
        body(first, n, whole, digit);
      }
    }
    KOKKOS_FUNCTION void operator()(std::uint64_t chunk, std::uint64_t& given) const {
      std::uint32_t* const count = &counts(chunk, 0);
      std::uint64_t sum = 0;
      each_piece(chunk, [count, &sum](std::uint64_t, int n, const std::uint64_t* whole,
                                      const std::uint64_t* digit) {
        for (int i = 0; i < n; ++i) sum += whole[i];
        for (int i = 0; i < n; ++i) ++count[digit[i]];
      });
      given += sum;
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
      count.each_piece(chunk, [to, wanted, &at](std::uint64_t first, int n, const std::uint64_t*,
                                                const std::uint64_t* digits) {
        std::uint64_t any = 0;
        for (int i = 0; i < n; ++i) any |= digits[i] == wanted ? 1 : 0;
        for (int i = 0; any != 0 && i < n; ++i) {
          if (digits[i] == wanted) to[at++] = first + static_cast<std::uint64_t>(i);
        }
      });
    }
  };

  struct Rests {
    Shares shares;
    Kokkos::View<std::uint64_t*, Space> candidates;
    SumView rests;
    KOKKOS_FUNCTION void operator()(std::uint64_t c) const {
      rests(c) = shares.exact(candidates(c)).rest;
    }
  };

 private:
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Range range(std::uint64_t n) const { return Range(space_, 0, n); }

  /// Chunks with counts of their own: as many as keep the device busy, few enough to add up.
  static std::uint64_t chunks(const Space& space, std::uint64_t cells) {
    const auto most =
        device_build ? std::uint64_t{2048} : 8 * static_cast<std::uint64_t>(space.concurrency());
    return std::clamp<std::uint64_t>(cells / 16384, 1, most);
  }

  Remainder last_to_get_one(const CountDigits& counted, std::uint64_t left) const {
    const Kokkos::View<std::uint64_t*, Space> sums("rivulet::digit_sums", Shares::digits);
    Kokkos::parallel_for("rivulet::digit_sums", range(Shares::digits),
                         CountsOfDigit{counts_, sums});
    const auto count = Kokkos::create_mirror_view(sums);
    space_.fence();
    Kokkos::deep_copy(count, sums);
    std::uint64_t digit = Shares::digits - 1;
    while (count(digit) < left) left -= count(digit--);
    return select(counted, digit, count(digit), left);
  }

  /// Candidate number `left`, from 1, of the `count` with that digit.
  Remainder select(const CountDigits& counted, std::uint64_t digit, std::uint64_t count,
                   std::uint64_t left) const {
    const Kokkos::View<std::uint64_t*, Space> candidates("rivulet::candidates", count);
    const SumView rests("rivulet::candidate_remainders", count);
    Kokkos::parallel_scan("rivulet::candidates", range(counts_.extent(0)),
                          Collect{counted, digit, candidates});
    Kokkos::parallel_for("rivulet::candidate_remainders", range(count),
                         Rests{counted.shares, candidates, rests});
    const auto cell = Kokkos::create_mirror_view(candidates);
    const auto rest = Kokkos::create_mirror_view(rests);
    space_.fence();
    Kokkos::deep_copy(cell, candidates);
    Kokkos::deep_copy(rest, rests);
    std::vector<Remainder> order(count);
    for (std::uint64_t c = 0; c < count; ++c) order[c] = {rest(c), cell(c)};
    const auto wanted = order.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::nth_element(order.begin(), wanted, order.end(), [](const auto& a, const auto& b) {
      return a.cell != b.cell && a.not_after(b);
    });
    return *wanted;
  }

  Space space_;
  CountView counts_;
};

/// Calls body(first cell, ComputedMasses) for table after table.
template <class Weight, class Body>
void each_large_table(const Space& space, const ExactWeights<Weight>& weights, const TableRow& row,
                      const SumView& sums, const Body& body) {
  const auto host = Kokkos::create_mirror_view(sums);
  space.fence();
  Kokkos::deep_copy(host, sums);
  const LargeTableDivision<Weight> division(space, row.cells);
  for (std::uint64_t table = 0; table < row.tables; ++table) {
    const std::uint64_t first = table * row.cells;
    body(first, division.divide(weights.part(first, row.cells), host(table)));
  }
}

}  // namespace impl
}  // namespace rivulet

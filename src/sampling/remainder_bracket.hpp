// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sampling/quotas.hpp"

namespace rivulet::detail {

/// One table's quotas in chunks of cells, one for each thread.
template <class Weight>
struct ThreadCells {
  Quotas<Weight> quotas;
  std::uint64_t count;
  std::uint64_t cells;
  std::uint64_t cells_each;

  ThreadCells(const Quotas<Weight>& of, std::uint64_t chunks)
      : quotas(of),
        count(chunks),
        cells(of.weights().cells()),
        cells_each((cells + chunks - 1) / chunks) {}

  KOKKOS_FUNCTION std::uint64_t begin(std::uint64_t chunk) const {
    const std::uint64_t at = chunk * cells_each;
    return at < cells ? at : cells;
  }
  /// Calls body(first cell, count, whole quotas, digits) for each piece of a chunk.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each_piece(std::uint64_t chunk, const Body& body) const {
    std::uint64_t whole[static_cast<std::size_t>(piece_cells)];
    std::uint64_t digit[static_cast<std::size_t>(piece_cells)];
    const Quotas<Weight> own = quotas;  // a copy: stores might alias the member
    const std::uint64_t end = begin(chunk + 1);
    for (std::uint64_t first = begin(chunk); first < end; first += piece_cells) {
      const int n = piece_of(first, end);
      own.split(first, n, whole, digit);
      body(first, n, whole, digit);
    }
  }
};

/// Sums whole quotas and in the same pass collects cells in a window of remainders: if the last
/// cell with a left-over unit is among them, no second pass over all cells is needed.
template <class Weight>
class RemainderBracket {
 public:
  RemainderBracket(const Space& space, const ThreadCells<Weight>& chunks)
      : space_(space), chunks_(chunks), pass_(chunks) {
    Kokkos::parallel_for(
        "rivulet::whole_shares",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, chunks.count),
        pass_);
    const auto totals = Kokkos::create_mirror_view(pass_.totals);
    space_.fence();
    Kokkos::deep_copy(totals, pass_.totals);
    for (std::uint64_t c = 0; c < chunks.count; ++c) {
      given_ += totals(c).whole;
      above_ += totals(c).above;
      found_ += totals(c).found;
      complete_ = complete_ && totals(c).found <= pass_.capacity;
    }
  }

  /// The sum of whole quotas.
  std::uint64_t given() const { return given_; }

  /// The last cell, in their order, that gets one of `left` units, if it is in the window.
  std::optional<Remainder> last_to_get_one(std::uint64_t left) const {
    if (!complete_ || left <= above_ || left > above_ + found_) return std::nullopt;
    const SumView rests("rivulet::candidate_remainders", chunks_.count * pass_.capacity);
    Kokkos::parallel_for(
        "rivulet::candidate_remainders",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space_, 0, chunks_.count),
        Rests{pass_, rests});
    const auto totals = Kokkos::create_mirror_view(pass_.totals);
    const auto cell = Kokkos::create_mirror_view(pass_.candidates);
    const auto rest = Kokkos::create_mirror_view(rests);
    space_.fence();
    Kokkos::deep_copy(totals, pass_.totals);
    Kokkos::deep_copy(cell, pass_.candidates);
    Kokkos::deep_copy(rest, rests);
    std::vector<Remainder> order;
    order.reserve(found_);
    for (std::uint64_t c = 0; c < chunks_.count; ++c) {
      const std::uint64_t first = c * pass_.capacity;
      for (std::uint64_t i = first; i < first + totals(c).found; ++i) {
        order.push_back({rest(i), cell(i)});
      }
    }
    return remainder_number(left - above_, order);
  }

  struct Totals {
    std::uint64_t whole;
    std::uint64_t above;  ///< cells whose remainder is above the window
    std::uint64_t found;  ///< cells in the window
  };

  struct Pass {
    ThreadCells<Weight> chunks;
    DigitRange window;
    std::uint64_t capacity;  ///< candidates kept of each chunk
    Kokkos::View<Totals*, Space> totals;
    Kokkos::View<std::uint64_t*, Space> candidates;

    explicit Pass(const ThreadCells<Weight>& of)
        : chunks(of),
          window(of.cells),
          capacity(64 + 2 * of.cells_each * window.count / Quotas<Weight>::digits),
          totals("rivulet::share_totals", of.count),
          candidates(Kokkos::view_alloc("rivulet::candidates", Kokkos::WithoutInitializing),
                     of.count * capacity) {}

    KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
      Totals sum{};
      const DigitRange own = window;
      const std::uint64_t most = capacity;
      std::uint64_t* const to = candidates.data() + chunk * most;
      chunks.each_piece(chunk, [=, &sum](std::uint64_t cell, int n, const std::uint64_t* whole,
                                         const std::uint64_t* digit) {
        std::uint64_t sum_whole = 0;
        std::uint64_t above = 0;
        std::uint64_t inside = 0;
        for (int i = 0; i < n; ++i) {
          sum_whole += whole[i];
          above += own.is_above(digit[i]) ? 1 : 0;
          inside += own.has(digit[i]) ? 1 : 0;
        }
        sum.whole += sum_whole;
        sum.above += above;
        for (int i = 0; inside != 0 && i < n; ++i) {
          if (!own.has(digit[i])) continue;
          if (sum.found < most) to[sum.found] = cell + static_cast<std::uint64_t>(i);
          ++sum.found;
        }
      });
      totals(chunk) = sum;
    }
  };

  struct Rests {
    Pass pass;
    SumView rests;
    KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
      const std::uint64_t begin = chunk * pass.capacity;
      for (std::uint64_t i = begin; i < begin + pass.totals(chunk).found; ++i) {
        rests(i) = pass.chunks.quotas.exact(pass.candidates(i)).rest;
      }
    }
  };

 private:
  Space space_;
  ThreadCells<Weight> chunks_;
  Pass pass_;
  std::uint64_t given_ = 0;
  std::uint64_t above_ = 0;
  std::uint64_t found_ = 0;
  bool complete_ = true;
};

}  // namespace rivulet::detail

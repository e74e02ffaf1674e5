// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "rivulet/detail/alias_builder.hpp"
#include "rivulet/detail/alias_precision.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/stream_store.hpp"

namespace rivulet {

/// Indices 0 .. n - 1 with the probabilities of a DiscreteTable, which must outlive this object:
/// `table.distribution()(rng)`. A draw needs 64 random bits (96 with 64-bit thresholds) and one
/// access to the table's memory.
class Discrete {
 public:
  using result_type = std::uint32_t;

  KOKKOS_FORCEINLINE_FUNCTION Discrete(const detail::AliasEntry* entries, std::uint32_t cells)
      : entries_(entries), cells_(cells), wide_(false) {}
  KOKKOS_FORCEINLINE_FUNCTION Discrete(const detail::WideAliasEntry* entries, std::uint32_t cells)
      : entries_(entries), cells_(cells), wide_(true) {}

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Rng& rng) const {
    // For 32-bit engines, the first word drawn is the upper half, as in the alias job.
    constexpr int number = detail::EngineBits<Rng>::value;
    const auto bits = detail::draw_number_of<number, std::uint64_t, Interval::closed_open>(rng);
    const auto first = static_cast<std::uint32_t>(bits >> 32);
    const auto second = static_cast<std::uint32_t>(bits);
    if (wide_) {
      const auto third = detail::draw_number<std::uint32_t>(rng);
      const auto at = detail::wide_alias_position(first, second, third, cells_);
      const auto entry = static_cast<const detail::WideAliasEntry*>(entries_)[at.bucket];
      return at.coin < entry.threshold ? at.bucket : entry.alias;
    }
    const std::uint64_t at = detail::alias_position(first, second, cells_);
    const auto bucket = static_cast<std::uint32_t>(at >> 32);
    const auto entry = static_cast<const detail::AliasEntry*>(entries_)[bucket];
    return static_cast<std::uint32_t>(at) < entry.threshold ? bucket : entry.alias;
  }

 private:
  const void* entries_;
  std::uint32_t cells_;
  bool wide_;  ///< true for 64-bit thresholds; the same in all threads
};

/// A table of weights from which kernels of an execution space draw indices, by Walker's alias
/// method (docs/alias.md). The table equals the alias job's table for one axis, with the same
/// choice of thresholds.
/// \code
/// const DiscreteTable<Exec> table(exec, weights);
/// const Discrete distribution = table.distribution();  // for kernels
/// \endcode
/// Masses are integers in units of 2^-32 of a bucket (2^-64 with wide thresholds), so the table is
/// bitwise the same everywhere. With n cells, the error of a cell's probability is below 1 / (n
/// 2^32) + n / 2^64 (wide: 1 / (n 2^64) + n / 2^96). A cell of weight 0 is never drawn. Kernels of
/// the execution space build the table. One host thread then computes its probabilities, in about
/// 0.05 us per cell (0.1 us with wide thresholds). Copies share the memory.
template <class Exec = Kokkos::DefaultExecutionSpace>
class DiscreteTable {
  static_assert(Kokkos::is_execution_space<Exec>::value,
                "rivulet::DiscreteTable<Exec>: Exec must be a Kokkos execution space");

 public:
  /// `weights` is a std::vector, std::span, array or view in host memory. Its elements are double
  /// or std::uint64_t, on any scale. Throws Error if a weight is negative, infinite or not a
  /// number, if all weights are 0, or if the number of weights is 0 or at least 2^32. If the
  /// relative error of a cell's probability exceeds 10^-6, the constructor warns on standard error,
  /// unless Kokkos' warnings are off.
  template <class Weights>
  DiscreteTable(const Exec& exec, const Weights& weights,
                ThresholdBits bits = ThresholdBits::automatic) {
    detail::require_kokkos("a DiscreteTable");
    if constexpr (Kokkos::is_view<Weights>::value) {
      make(exec, copied(weights), bits);
    } else {
      make(exec, weights, bits);
    }
  }
  template <class Weights>
  requires(!std::is_same_v<Weights, DiscreteTable>) explicit DiscreteTable(
      const Weights& weights, ThresholdBits bits = ThresholdBits::automatic)
      : DiscreteTable(Exec(), weights, bits) {}

  /// Returns the distribution for kernels, valid as long as this table or a copy lives.
  Discrete distribution() const {
    return is_wide() ? Discrete(wide_.data(), cells()) : Discrete(narrow_.data(), cells());
  }
  /// The number of weights.
  std::uint32_t cells() const {
    return static_cast<std::uint32_t>(is_wide() ? wide_.extent(0) : narrow_.extent(0));
  }
  /// Bits of the thresholds: 32 or 64.
  int bits() const { return is_wide() ? 64 : 32; }
  /// Returns the largest relative error of a cell's probability, |drawn / requested - 1|, among the
  /// cells of weight > 0. The result is at least 1 if such a cell is never drawn.
  double largest_change() const { return largest_change_; }

 private:
  template <class Entry>
  using Entries = Kokkos::View<Entry*, typename Exec::memory_space>;

  bool is_wide() const { return wide_.data() != nullptr; }

  template <class Weights>
  void make(const Exec& exec, const Weights& given, ThresholdBits bits) {
    using Weight = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(given))>>;
    static_assert(std::is_same_v<Weight, double> || std::is_same_v<Weight, std::uint64_t>,
                  "rivulet::DiscreteTable takes weights of type double or std::uint64_t");
    const std::span<const Weight> weights(given);
    detail::require_cells(weights.size());
    const double largest = detail::require_weights(weights);
    if (bits != ThresholdBits::wide) {
      const auto precision = make(exec, weights, largest, narrow_);
      const bool may_be_wide =
          bits == ThresholdBits::automatic && weights.size() <= detail::most_wide_cells;
      if (!may_be_wide || largest_change_ <= detail::most_cell_change) {
        return warn(precision.warnings(32, "ThresholdBits::wide"));
      }
      narrow_ = {};
    }
    warn(make(exec, weights, largest, wide_).warnings(64, ""));
  }

  template <class Weight, class Entry>
  detail::AliasPrecision make(const Exec& exec, std::span<const Weight> weights, double largest,
                              Entries<Entry>& entries) {
    const detail::HostArray<const Weight> given(weights.data(), weights.size());
    const auto own = Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), given);
    const int exponent =
        std::is_same_v<Weight, double> ? detail::weight_exponent(largest, weights.size()) : 0;
    entries = Entries<Entry>(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "rivulet::discrete_table"),
        weights.size());
    const auto sums = detail::build_tables(
        exec, detail::WholeWeights<Weight>{own.data(), exponent}, {1, weights.size()},
        detail::LineMemory<Entry, Exec>::allocate(exec, weights.size()), entries.data());
    const auto made = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entries);
    const auto precision = detail::precision_of<Entry>(std::span(made.data(), made.size()), weights,
                                                       {largest, sums.total(), exponent});
    largest_change_ = precision.largest_change();
    return precision;
  }

  static void warn(const std::vector<std::string>& warnings) {
    if (!Kokkos::show_warnings()) return;
    for (const std::string& warning : warnings) {
      std::fprintf(stderr, "rivulet: warning: DiscreteTable: %s\n", warning.c_str());
    }
  }

  /// Copies a view of any stride to contiguous memory.
  template <class View>
  static std::vector<typename View::non_const_value_type> copied(const View& view) {
    static_assert(View::rank == 1, "rivulet::DiscreteTable takes views of one dimension");
    static_assert(
        Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible,
        "rivulet::DiscreteTable needs a view that the host can read: copy it with "
        "Kokkos::create_mirror_view_and_copy");
    std::vector<typename View::non_const_value_type> weights(view.extent(0));
    for (std::size_t cell = 0; cell < weights.size(); ++cell) weights[cell] = view(cell);
    return weights;
  }

  Entries<detail::AliasEntry> narrow_;
  Entries<detail::WideAliasEntry> wide_;  ///< only one of narrow_ and wide_ has memory
  double largest_change_ = 0;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_deck_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "machine/out_of_memory.hpp"
#include "rivulet/detail/cumulative_rounding.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

using io::Phase;

namespace {

using detail::ExtremeCell;

/// Returns the cell with the largest value among the ranks' extreme cells. If several cells have
/// this value, returns the first one. Collective.
ExtremeCell extreme_over_ranks(const io::Communicator& ranks, const ExtremeCell& own) {
  ExtremeCell all;
  all.value = ranks.max(own.value);
  const bool here = own.value == all.value;
  all.cell = ranks.min(here ? own.cell : std::numeric_limits<std::uint64_t>::max());
  const bool mine = here && own.cell == all.cell;
  all.requested = ranks.max(mine ? own.requested : 0);
  all.drawn = ranks.max(mine ? own.drawn : 0);
  return all;
}

}  // namespace

void replace_by_probabilities(std::span<double> weights, double largest, Uint128 sum,
                              int exponent) {
  const detail::RequestedProbability to_probability(largest, sum, exponent);
  in_stretches("rivulet::alias_asked", weights.size(), [&](std::uint64_t first, std::uint64_t end) {
    const auto part = weights.subspan(first, end - first);
    std::ranges::transform(part, part.begin(), to_probability);
  });
}

AliasPrecision alias_precision(const io::Communicator& ranks, std::uint64_t first_cell,
                               std::span<const double> requested, std::span<const double> drawn) {
  std::vector<AliasPrecision> stretches(ceil_divide(requested.size(), stretch_length));
  in_stretches("rivulet::alias_precision", requested.size(),
               [&](std::uint64_t first, std::uint64_t end) {
                 AliasPrecision stretch_precision;
                 for (std::uint64_t cell = first; cell < end; ++cell) {
                   stretch_precision.see(first_cell + cell, requested[cell], drawn[cell]);
                 }
                 stretches[first / stretch_length] = stretch_precision;
               });
  AliasPrecision all;
  for (const AliasPrecision& stretch : stretches) all.see(stretch);
  return {extreme_over_ranks(ranks, all.changed), extreme_over_ranks(ranks, all.lost),
          ranks.sum(all.lost_cells)};
}

struct AliasDeckTable::TableInput {
  Kokkos::View<double*, Space> weights;
  std::vector<std::uint64_t> extents;  ///< one extent if the layout is flat, else one per axis
  double largest = 0;
  int exponent = 0;
  Uint128 sum = 0;

  ExactWeights exact() const { return {weights, exponent}; }
};

AliasDeckTable::AliasDeckTable(const AliasOptions& options, AliasWeights& weights, StreamRange part,
                               const io::Communicator& ranks, io::PhaseTimer& timer)
    : options_(options), part_(part), ranks_(ranks), cells_(weights.cells()) {
  ranks_.together([&] { require_table_memory(options.table, cells_, ranks_); });
  const ThresholdBits bits = options.table.bits;
  const bool may_be_wide = options.table.may_be_wide(cells_);
  if (bits == ThresholdBits::wide && !may_be_wide) {
    ranks_.together([this] {
      throw Error(fmt::format("table.bits=64 with a table of {} cells", cells_),
                  fmt::format("64-bit thresholds are for tables of up to {} cells",
                              detail::most_wide_cells),
                  "Set table.bits=auto, which reports what 32 bits change, or join "
                  "neighbouring cells.");
    });
  }
  const TableInput input = read_weights(weights, timer);
  compute_requested(input);
  build(input, bits == ThresholdBits::wide);
  if (may_be_wide && !is_wide() && precision_.largest_change() > detail::most_cell_change) {
    build(input, true);
  }
}

AliasDeckTable::TableInput AliasDeckTable::read_weights(AliasWeights& weights,
                                                        io::PhaseTimer& timer) {
  TableInput input;
  const bool flat = options_.table.layout == TableLayout::flat;
  input.extents = flat ? std::vector{cells_} : weights.extents();
  {
    const io::Stopwatch watch;
    input.weights = weights.take();
    const double seconds = watch.seconds();
    timer.add(Phase::io, seconds);
    timer.add(Phase::setup, -seconds);  // the caller also adds this time to set-up
  }
  ranks_.barrier();
  ranks_.together([&] {
    input.largest = largest_weight(Space(), input.weights);
    require_weight(input.largest);
    input.exponent = detail::weight_exponent(input.largest, cells_);
    input.sum = weight_sum(Space(), input.exact());
  });
  return input;
}

void AliasDeckTable::compute_requested(const TableInput& input) {
  const auto part =
      Kokkos::subview(input.weights, Kokkos::make_pair(part_.first, part_.first + part_.count));
  requested_.resize(part_.count);
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(requested_.data(), requested_.size()),
                    part);
  replace_by_probabilities(requested_, input.largest, input.sum, input.exponent);
}

void AliasDeckTable::build(const TableInput& input, bool wide) {
  table_.reset();
  const io::Stopwatch watch;
  ranks_.together([&] {
    table_ = require_memory_for(
        fmt::format("a table of {} cells", cells_),
        cells_ * alias_bytes_per_cell(options_.table, cells_), smaller_table(ranks_),
        [&]() -> std::variant<AliasTable, WideAliasTable> {
          if (wide) return make_alias_table<WideAliasEntry>(Space(), input.exact(), input.extents);
          return make_alias_table<AliasEntry>(Space(), input.exact(), input.extents);
        });
  });
  Space().fence();
  seconds_ += ranks_.max(watch.seconds());
  ranks_.together([&] { drawn_ = probabilities_of_part(); });
  precision_ = alias_precision(ranks_, part_.first, requested_, drawn_);
}

std::vector<double> AliasDeckTable::probabilities_of_part() const {
  return std::visit(
      [&](const auto& table) -> std::vector<double> {
        const auto part =
            Kokkos::subview(cell_probabilities(Space(), table),
                            Kokkos::make_pair(part_.first, part_.first + part_.count));
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
        return {host.data(), host.data() + host.extent(0)};
      },
      *table_);
}

std::unique_ptr<AliasSampler> AliasDeckTable::sampler(const StreamPlan& plan,
                                                      StreamRange range) const {
  AliasMapping mapping{options_.streams.mapping()};
  mapping.segments = options_.streams.segments;
  return std::visit(
      [&](const auto& table) { return make_alias_sampler(Space(), plan, range, table, mapping); },
      *table_);
}

std::uint64_t AliasDeckTable::words_per_sample() const {
  return std::visit(
      [&](const auto& table) {
        return static_cast<std::uint64_t>(table.levels().count * bits()) / 32 +
               static_cast<std::uint64_t>(table.levels().count);
      },
      *table_);
}

std::uint64_t AliasDeckTable::bytes() const {
  return std::visit([](const auto& table) { return table.bytes(); }, *table_);
}

std::vector<std::string> AliasDeckTable::warnings() const {
  const bool has_more = !is_wide() && cells_ <= detail::most_wide_cells;
  return precision_.warnings(bits(), has_more ? "table.bits=64" : "");
}

}  // namespace rivulet

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
ExtremeCell of_all(const io::Communicator& ranks, const ExtremeCell& own) {
  ExtremeCell all;
  all.value = ranks.max(own.value);
  const bool here = own.value == all.value;
  all.cell = ranks.min(here ? own.cell : std::numeric_limits<std::uint64_t>::max());
  const bool mine = here && own.cell == all.cell;
  all.asked = ranks.max(mine ? own.asked : 0);
  all.drawn = ranks.max(mine ? own.drawn : 0);
  return all;
}

}  // namespace

void ask_for(std::span<double> weights, double largest, Uint128 sum, int exponent) {
  const detail::AskedProbability asked(largest, sum, exponent);
  in_stretches("rivulet::alias_asked", weights.size(), [&](std::uint64_t first, std::uint64_t end) {
    const auto part = weights.subspan(first, end - first);
    std::ranges::transform(part, part.begin(), asked);
  });
}

AliasPrecision alias_precision(const io::Communicator& ranks, std::uint64_t first_cell,
                               std::span<const double> asked, std::span<const double> drawn) {
  std::vector<AliasPrecision> stretches((asked.size() + stretch_length - 1) / stretch_length);
  in_stretches("rivulet::alias_precision", asked.size(),
               [&](std::uint64_t first, std::uint64_t end) {
                 AliasPrecision own;
                 for (std::uint64_t cell = first; cell < end; ++cell) {
                   own.see(first_cell + cell, asked[cell], drawn[cell]);
                 }
                 stretches[first / stretch_length] = own;
               });
  AliasPrecision all;
  for (const AliasPrecision& one : stretches) all.see(one);
  return {of_all(ranks, all.changed), of_all(ranks, all.lost), ranks.sum(all.lost_cells)};
}

struct AliasDeckTable::Given {
  Kokkos::View<double*, Space> weights;
  std::vector<std::uint64_t> extents;  ///< extents of the table in its layout
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
  const Given given = take(weights, timer);
  ask(given);
  build(given, bits == ThresholdBits::wide);
  if (may_be_wide && !is_wide() && precision_.largest_change() > detail::most_cell_change) {
    build(given, true);
  }
}

AliasDeckTable::Given AliasDeckTable::take(AliasWeights& weights, io::PhaseTimer& timer) {
  Given given;
  const bool flat = options_.table.layout == TableLayout::flat;
  given.extents = flat ? std::vector{cells_} : weights.extents();
  {
    const io::Stopwatch watch;
    given.weights = weights.take();
    const double seconds = watch.seconds();
    timer.add(Phase::io, seconds);
    timer.add(Phase::setup, -seconds);  // the caller also adds this time to set-up
  }
  ranks_.barrier();
  ranks_.together([&] {
    given.largest = largest_weight(Space(), given.weights);
    require_weight(given.largest);
    given.exponent = detail::weight_exponent(given.largest, cells_);
    given.sum = weight_sum(Space(), given.exact());
  });
  return given;
}

void AliasDeckTable::ask(const Given& given) {
  const auto part =
      Kokkos::subview(given.weights, Kokkos::make_pair(part_.first, part_.first + part_.count));
  asked_.resize(part_.count);
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(asked_.data(), asked_.size()), part);
  ask_for(asked_, given.largest, given.sum, given.exponent);
}

void AliasDeckTable::build(const Given& given, bool wide) {
  table_.reset();
  const io::Stopwatch watch;
  ranks_.together([&] {
    table_ = require_memory_for(
        fmt::format("a table of {} cells", cells_),
        cells_ * alias_bytes_per_cell(options_.table, cells_), smaller_table(ranks_),
        [&]() -> std::variant<AliasTable, WideAliasTable> {
          if (wide) return make_alias_table<WideAliasEntry>(Space(), given.exact(), given.extents);
          return make_alias_table<AliasEntry>(Space(), given.exact(), given.extents);
        });
  });
  Space().fence();
  seconds_ += ranks_.max(watch.seconds());
  ranks_.together([&] { drawn_ = probabilities_of_part(); });
  precision_ = alias_precision(ranks_, part_.first, asked_, drawn_);
}

std::vector<double> AliasDeckTable::probabilities_of_part() const {
  return std::visit(
      [&](const auto& table) -> std::vector<double> {
        const auto own = Kokkos::subview(cell_probabilities(Space(), table),
                                         Kokkos::make_pair(part_.first, part_.first + part_.count));
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own);
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

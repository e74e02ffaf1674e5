// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_deck_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/alias/wide_alias_sampler.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"
#include "sampling/exact_weights.hpp"

namespace rivulet {

using io::Phase;

/// The weights of the rows that this rank keeps, and of all what every rank must know.
struct AliasDeckTable::Given {
  Kokkos::View<double*, Space> weights;
  RowRange rows;
  std::vector<std::uint64_t> extents;  ///< as the layout has it
  double largest = 0;
  int exponent = 0;
  std::vector<Uint128> row_sums;  ///< where ranks share the table
  Uint128 sum = 0;

  ExactWeights<double> exact() const { return {weights, exponent}; }
};

AliasDeckTable::AliasDeckTable(const AliasOptions& options, AliasWeights& weights,
                               const AliasLayout& layout, const io::Communicator& ranks,
                               io::PhaseTimer& timer)
    : options_(options), layout_(layout), ranks_(ranks), cells_(weights.cells()) {
  const ThresholdBits bits = options.table.bits;
  const bool may_be_wide = options.table.may_be_wide(cells_);
  if (bits == ThresholdBits::wide && !may_be_wide) {
    ranks_.together([this] {
      throw Error(
          fmt::format("table.bits=64 with a table of {} cells", cells_),
          fmt::format("such thresholds are for tables of up to {} cells", detail::most_wide_cells),
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
  given.rows = layout_.spread ? layout_.part : RowRange{0, weights.extents()[0]};
  const bool flat = options_.table.layout == TableLayout::flat;
  given.extents = flat ? std::vector{cells_} : weights.extents();
  {
    const io::Stopwatch watch;
    given.weights = weights.take_rows(given.rows);
    const double seconds = watch.seconds();
    timer.add(Phase::io, seconds);
    timer.add(Phase::setup, -seconds);  // within whose time it was
  }
  ranks_.barrier();
  ranks_.together([&] {
    given.largest = largest_weight(Space(), given.weights, given.rows.first * layout_.row_cells);
  });
  given.largest = ranks_.max(given.largest);
  ranks_.together([&] { require_weight(given.largest); });
  given.exponent = weight_exponent(given.largest, cells_);
  std::vector<Uint128> own;
  const std::uint64_t rows = layout_.spread ? given.rows.count : 1;
  ranks_.together([&] { own = row_sums(Space(), given.exact(), rows); });
  if (layout_.spread) {
    own = ranks_.gather(std::span<const Uint128>(own));
    own.resize(weights.extents()[0]);
    ranks_.broadcast(std::as_writable_bytes(std::span(own)));
    given.row_sums = own;
  }
  for (const Uint128 one : own) given.sum += one;
  return given;
}

void AliasDeckTable::ask(const Given& given) {
  const std::uint64_t first = layout_.first_cell() - given.rows.first * layout_.row_cells;
  const auto part =
      Kokkos::subview(given.weights, Kokkos::make_pair(first, first + layout_.cells()));
  asked_.resize(layout_.cells());
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(asked_.data(), asked_.size()), part);
  ask_for(asked_, given.largest, given.sum, given.exponent);
}

void AliasDeckTable::build(const Given& given, bool wide) {
  table_.reset();
  const io::Stopwatch watch;
  ranks_.together([&] {
    table_ = require_memory_for(
        fmt::format("a table of {} cells", layout_.spread ? layout_.cells() : cells_),
        (layout_.spread ? layout_.cells() : cells_) * alias_bytes_per_cell(options_.table, cells_),
        "Start more ranks, on more nodes, lower table.memory, or join neighbouring cells.",
        [&] { return made(given, wide); });
  });
  Space().fence();
  seconds_ += ranks_.max(watch.seconds());
  ranks_.together([&] { drawn_ = own_probabilities(); });
  precision_ = alias_precision(ranks_, layout_, asked_, drawn_);
}

std::variant<AliasTable, WideAliasTable> AliasDeckTable::made(const Given& given, bool wide) const {
  const Space space;
  if (layout_.spread && wide) {
    return make_wide_alias_table(space, given.exact(), given.extents, given.rows, given.row_sums);
  }
  if (layout_.spread) {
    return make_alias_table(space, given.exact(), given.extents, given.rows, given.row_sums);
  }
  if (wide) return make_wide_alias_table(space, given.exact(), given.extents);
  return make_alias_table(space, Kokkos::View<const double*, Space>(given.weights), given.extents);
}

std::vector<double> AliasDeckTable::own_probabilities() const {
  const auto part_of = [this](const auto& table) {
    const std::uint64_t first = layout_.first_cell() - table.first_cell();
    return Kokkos::make_pair(first, first + layout_.cells());
  };
  if (is_wide()) {
    const auto& table = std::get<WideAliasTable>(*table_);
    const std::vector<double> all = cell_probabilities(table);
    const auto [begin, end] = part_of(table);
    return {all.data() + begin, all.data() + end};
  }
  const auto& table = std::get<AliasTable>(*table_);
  const auto own = Kokkos::subview(cell_probabilities(Space(), table), part_of(table));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own);
  return {host.data(), host.data() + host.extent(0)};
}

std::unique_ptr<AliasSampler> AliasDeckTable::sampler(const StreamPlan& plan,
                                                      StreamRange range) const {
  AliasMapping mapping{options_.streams.mapping()};
  mapping.segments = options_.streams.segments;
  if (is_wide()) {
    return make_wide_alias_sampler(Space(), plan, range, std::get<WideAliasTable>(*table_),
                                   mapping);
  }
  return make_alias_sampler(Space(), plan, range, std::get<AliasTable>(*table_), mapping);
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

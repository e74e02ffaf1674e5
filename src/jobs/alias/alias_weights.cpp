// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/alias/alias_layout.hpp"
#include "machine/out_of_memory.hpp"
#include "machine/views.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Cells per message from root.
constexpr std::uint64_t piece_cells = std::uint64_t{1} << 22;

template <class T>
void broadcast(const io::Communicator& ranks, std::vector<T>& values) {
  values.resize(ranks.max(ranks.is_root() ? values.size() : std::uint64_t{0}));
  ranks.broadcast(std::as_writable_bytes(std::span(values)));
}

std::vector<double> named_weights(const TableOptions& options) {
  switch (options.weights) {
    case WeightsKind::exponential:
      return exponential_weights(options.cells, options.rate);
    case WeightsKind::power:
      return power_law_weights(options.cells, options.exponent);
    case WeightsKind::zipf:
      return zipf_weights(options.cells, options.exponent);
    default:
      return weights_of(options.gaussian);
  }
}

AliasAxis axis_of(const std::string& name, std::vector<double> values, std::uint64_t cells) {
  if (values.size() != cells && values.size() != cells + 1) {
    throw Error(fmt::format("axis '{}' has {} values", name, values.size()),
                fmt::format("the table has {} cells along it", cells),
                fmt::format("Give {} points, or {} edges.", cells, cells + 1));
  }
  const auto invalid = std::find_if_not(values.begin(), values.end(),
                                        [](double value) { return std::isfinite(value); });
  if (invalid != values.end()) {
    throw Error(
        fmt::format("value {} of axis '{}' is {}", invalid - values.begin(), name, *invalid),
        "coordinates must be finite", "Correct the axis.");
  }
  AliasAxis axis{name, false, std::move(values)};
  if (axis.points.size() == cells) return axis;
  axis.edges.swap(axis.points);
  const auto descent = std::adjacent_find(axis.edges.begin(), axis.edges.end(),
                                          [](double a, double b) { return !(a < b); });
  if (descent != axis.edges.end()) {
    throw Error(fmt::format("edge {} of axis '{}' is not above the one before it",
                            descent - axis.edges.begin() + 1, name),
                fmt::format("{} follows {}", descent[1], descent[0]),
                "Give edges in ascending order.");
  }
  for (std::uint64_t i = 0; i < cells; ++i) {
    axis.points.push_back(0.5 * axis.edges[i] + 0.5 * axis.edges[i + 1]);
  }
  return axis;
}

}  // namespace

AliasGrid named_grid(const TableOptions& options) {
  if (options.weights != WeightsKind::gaussian) return {{options.cells}, {AliasAxis{"axis0"}}};
  return {{options.gaussian.rows, options.gaussian.columns},
          {AliasAxis{"row"}, AliasAxis{"column"}}};
}

AliasWeights::AliasWeights(const TableOptions& options, const io::Communicator& ranks)
    : options_(options), ranks_(ranks) {
  ranks_.on_root([&] {
    open();
    cells_ = cells_of(shape_.extents);
    read_axes();
  });
  broadcast(ranks_, shape_.extents);
  cells_ = cells_of(shape_.extents);
  shape_.axes.resize(shape_.extents.size());
  for (AliasAxis& axis : shape_.axes) {
    axis.name = ranks_.broadcast(axis.name);
    axis.unit = ranks_.broadcast(axis.unit);
    broadcast(ranks_, axis.points);
    broadcast(ranks_, axis.edges);
    axis.unit_cells = axis.points.empty();
  }
}

void AliasWeights::open() {
  shape_ = named_grid(options_);
  if (options_.weights != WeightsKind::file) return;
  file_ = io::open_weights(options_.file, options_.dataset);
  shape_.extents = file_->extents();
}

void AliasWeights::read_axes() {
  if (!file_) return;
  const std::vector<std::string> names = options_.axis_names();
  if (!names.empty() && names.size() != shape_.extents.size()) {
    throw Error(fmt::format("table.axes names {} axes", names.size()),
                fmt::format("the table has {} dimensions", shape_.extents.size()),
                "Name one axis for each dimension, in order, or omit table.axes.");
  }
  shape_.axes.clear();
  for (std::size_t i = 0; i < shape_.extents.size(); ++i) {
    if (!names.empty()) {
      shape_.axes.push_back(axis_of(names[i], file_->axis(names[i]), shape_.extents[i]));
      shape_.axes.back().unit = file_->unit(names[i]);
    } else {
      shape_.axes.push_back({fmt::format("axis{}", i)});
    }
  }
}

void AliasWeights::read(std::uint64_t first, std::uint64_t rows, double* to) const {
  if (file_) return file_->read(first, rows, to);
  std::copy_n(named_.begin() + static_cast<std::ptrdiff_t>(first * row_cells()), rows * row_cells(),
              to);
}

Kokkos::View<double*, Space> AliasWeights::take() {
  ranks_.on_root([&] {
    if (file_) return;
    named_ = require_memory_for(fmt::format("the weights of {} cells", cells()),
                                cells() * sizeof(double), smaller_table(ranks_),
                                [this] { return named_weights(options_); });
  });
  const std::uint64_t row = row_cells();
  Kokkos::View<double*, Space> weights;
  ranks_.together([&] {
    weights = require_memory_for(
        fmt::format("the weights of {} cells", cells()), cells() * sizeof(double),
        smaller_table(ranks_),
        [&] { return large_view<Kokkos::View<double*, Space>>("rivulet::weights", cells()); });
  });
  const std::uint64_t piece_rows =
      std::clamp<std::uint64_t>(piece_cells / row, 1, shape_.extents[0]);
  std::vector<double> piece(piece_rows * row);
  for (std::uint64_t first = 0; first < shape_.extents[0]; first += piece_rows) {
    const std::uint64_t rows = std::min(piece_rows, shape_.extents[0] - first);
    ranks_.on_root([&] { read(first, rows, piece.data()); });
    ranks_.broadcast(std::as_writable_bytes(std::span(piece).first(rows * row)));
    const Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        from(piece.data(), rows * row);
    Kokkos::deep_copy(
        Kokkos::subview(weights, Kokkos::make_pair(first * row, (first + rows) * row)), from);
  }
  file_.reset();
  named_ = {};
  return weights;
}

}  // namespace rivulet

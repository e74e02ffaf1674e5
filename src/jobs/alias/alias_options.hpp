// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "rivulet/detail/alias_precision.hpp"
#include "sampling/distributions.hpp"

namespace rivulet {

enum class WeightsKind { gaussian, exponential, power, zipf, file };
enum class TableLayout {
  conditional,  ///< one level per axis, conditional on the indices of earlier axes
  flat          ///< one table of all cells
};
enum class WithinCell { discrete, uniform };
enum class KeepSamples { none, indices, coordinates };

struct TableOptions {
  WeightsKind weights = WeightsKind::gaussian;
  CorrelatedGaussian gaussian;
  std::uint64_t cells = 100;
  double rate = 0.05;
  double exponent = 1;
  std::string file;
  std::string dataset = "weights";
  std::string axes;
  TableLayout layout = TableLayout::conditional;
  ThresholdBits bits = ThresholdBits::automatic;
  std::uint64_t memory = 0;  ///< bytes; 0 for the limit of the machine

  io::SectionSchema schema();
  /// Returns the names in the deck's list of axes.
  std::vector<std::string> axis_names() const;
  /// True if a table of `table_cells` cells may have 64-bit thresholds.
  bool may_be_wide(std::uint64_t table_cells) const;
};

struct AliasOptions {
  StreamOptions streams;
  TableOptions table;
  std::uint64_t samples = 1000000000;
  WithinCell within = WithinCell::discrete;
  KeepSamples keep = KeepSamples::none;
  std::uint64_t memory = 0;  ///< bytes; with 0, the job chooses
  std::uint64_t iterations = 1;
  CheckpointOptions checkpoint;
  OutputOptions output{"alias.h5"};

  io::Schema schema();
  void check() const;
  /// True if the job draws a position within its cell for each sample.
  bool draws_positions() const { return within == WithinCell::uniform; }
  /// Returns the deck's streams, which draw the cells. If draws_positions() is true, equally many
  /// streams follow, which draw the positions within cells.
  StreamOptions all_streams() const;
};

std::string name_of(TableLayout layout);
std::string name_of(WithinCell within);
std::string name_of(KeepSamples keep);

}  // namespace rivulet

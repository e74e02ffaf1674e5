// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/communicator.hpp"
#include "jobs/alias_layout.hpp"
#include "jobs/alias_weights.hpp"

namespace rivulet {

/// What an estimate, the table's own value and the estimate's standard error are; deviation is
/// their difference in errors.
struct AliasMoment {
  double sample = 0;
  double table = 0;
  double error = 0;

  double deviation() const { return error > 0 ? (sample - table) / error : 0; }
};

/// How well samples fit their table. Matrices are of axes by axes, row by row.
struct AliasResult {
  std::uint64_t zero_cells = 0;         ///< cells that the table never draws
  std::uint64_t zero_cell_samples = 0;  ///< samples in them
  std::uint64_t pooled_cells = 0;       ///< cells of expectation below 5, which count as one
  double chi_square = 0;
  double degrees_of_freedom = 0;
  double p_value = 1;
  std::vector<AliasMoment> means;
  std::vector<AliasMoment> covariances;
  std::vector<AliasMoment> correlations;  ///< 0 where an axis has no spread

  /// Of means and covariances, in standard errors.
  double largest_deviation() const;
};

/// Sums over the bundles of a layout in their order, so the same on any ranks and threads.
/// `counts` and `probabilities` are of this rank's part. Collective.
AliasResult alias_result(const io::Communicator& ranks, const AliasLayout& layout,
                         const AliasWeights& table, std::uint64_t samples,
                         std::span<const std::uint64_t> counts,
                         std::span<const double> probabilities);

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_weights.hpp"

namespace rivulet {

/// A moment as estimated from samples and as requested by the weights.
struct AliasMoment {
  double sample = 0;  ///< estimate from the samples
  double table = 0;   ///< value that the weights request
  double error = 0;   ///< standard error of the estimate

  double deviation() const { return error > 0 ? (sample - table) / error : 0; }
};

/// Results of the comparison of samples with the weights of their table. Matrices have axes x axes
/// elements, row by row.
struct AliasResult {
  std::uint64_t zero_cells = 0;         ///< cells that the table never draws, whatever their weight
  std::uint64_t zero_cell_samples = 0;  ///< samples in these cells; 0 in a correct run
  std::uint64_t pooled_cells = 0;       ///< cells with expectations below 5, pooled into one cell
  double chi_square = 0;
  double degrees_of_freedom = 0;
  double p_value = 1;
  std::vector<AliasMoment> means;
  std::vector<AliasMoment> covariances;
  std::vector<AliasMoment> correlations;  ///< 0 if an axis has zero variance

  /// Returns the largest absolute deviation of a mean or covariance, in standard errors.
  double largest_deviation() const;
};

/// The samples in this rank's cells, and the probabilities of these cells. The samples are compared
/// with the requested probabilities, so the comparison detects a wrong table.
struct AliasDrawn {
  std::uint64_t samples = 0;     ///< samples of all ranks
  std::uint64_t first_cell = 0;  ///< this rank's first cell, where a bundle begins
  std::span<const std::uint64_t> counts;
  std::span<const double> requested;  ///< probabilities that the weights request
  std::span<const double> drawn;      ///< probabilities at which the table draws the cells
};

/// Compares samples with the weights. Sums over bundles (alias_layout.hpp) are added in order, so
/// the results are the same on any number of ranks and threads. Collective.
AliasResult alias_result(const io::Communicator& ranks, const AliasGrid& shape,
                         const AliasDrawn& drawn);

}  // namespace rivulet

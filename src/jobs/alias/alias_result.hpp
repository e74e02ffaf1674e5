// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_weights.hpp"

namespace rivulet {

/// An estimate from samples, the value that the weights request, and the estimate's standard error.
/// The deviation is the difference in standard errors.
struct AliasMoment {
  double sample = 0;
  double table = 0;
  double error = 0;

  double deviation() const { return error > 0 ? (sample - table) / error : 0; }
};

/// Agreement of samples with the weights of their table. Matrices are of axes by axes, row by row.
struct AliasResult {
  std::uint64_t zero_cells = 0;         ///< cells that the table never draws, whatever their weight
  std::uint64_t zero_cell_samples = 0;  ///< samples in them
  std::uint64_t pooled_cells = 0;       ///< cells of expectation below 5, which count as one
  double chi_square = 0;
  double degrees_of_freedom = 0;
  double p_value = 1;
  std::vector<AliasMoment> means;
  std::vector<AliasMoment> covariances;
  std::vector<AliasMoment> correlations;  ///< 0 where an axis has no spread

  /// The largest deviation of means and covariances, in standard errors.
  double largest_deviation() const;
};

/// The samples in this rank's cells, and the probabilities of these cells. Comparisons use the
/// requested probabilities, which detects a wrong table.
struct AliasDrawn {
  std::uint64_t samples = 0;     ///< of all ranks
  std::uint64_t first_cell = 0;  ///< begins a bundle
  std::span<const std::uint64_t> counts;
  std::span<const double> asked;  ///< probabilities that the weights request
  std::span<const double> drawn;  ///< the table's own probabilities
};

/// Compares samples with the weights. Sums are in the order of bundles, and so are the same on any
/// number of ranks and threads. Collective.
AliasResult alias_result(const io::Communicator& ranks, const AliasGrid& shape,
                         const AliasDrawn& drawn);

}  // namespace rivulet

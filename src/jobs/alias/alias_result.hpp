// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_weights.hpp"

namespace rivulet {

/// An estimate, the value that the weights request, and the estimate's standard error; deviation is
/// the difference in standard errors.
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

/// The samples, and the probabilities of this rank's cells, which begin with a bundle: those that
/// the weights request, with which everything is compared, so that a wrong table is detected, and
/// the table's own.
struct AliasDrawn {
  std::uint64_t samples = 0;
  std::uint64_t first_cell = 0;
  std::span<const std::uint64_t> counts;
  std::span<const double> asked;
  std::span<const double> drawn;
};

/// Sums over bundles in their order: the same on any ranks and threads. Collective.
AliasResult alias_result(const io::Communicator& ranks, const AliasGrid& shape,
                         const AliasDrawn& drawn);

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/inputs/weights_file.hpp"
#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_options.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

/// Coordinates along one axis of a table. Without coordinates from a file, the edges of cell i are
/// i - 1/2 and i + 1/2.
struct AliasAxis {
  std::string name;
  bool unit_cells = true;
  std::vector<double> points = {};  ///< one per cell: the file's points, or the cells' centres
  std::vector<double> edges = {};   ///< one more than cells; empty if the file has points
  std::string unit = {};            ///< unit of points and edges, such as "MeV"; may be empty

  bool has_edges() const { return unit_cells || !edges.empty(); }
  double point(std::uint64_t cell) const {
    return unit_cells ? static_cast<double>(cell) : points[cell];
  }
  /// Returns the lower edge of a cell. edge(number of cells) is the upper edge of the last cell.
  double edge(std::uint64_t cell) const {
    return unit_cells ? static_cast<double>(cell) - 0.5 : edges[cell];
  }
};

/// The shape and the axes of a table. The statistics of the samples use them to compute coordinates
/// of cells.
struct AliasGrid {
  std::vector<std::uint64_t> extents;  ///< cells along each axis; the last axis varies fastest
  std::vector<AliasAxis> axes;
};

/// Returns the grid of a table with named weights. (For a table from a file, the deck does not
/// state the shape.)
AliasGrid named_grid(const TableOptions& options);

/// The weights of a deck's table. Root computes or reads the weights and sends them to all ranks,
/// so the weights are bitwise equal on all ranks.
class AliasWeights {
 public:
  /// Throws Error if the file of weights cannot be read, has no cells, or does not match the deck.
  /// Collective.
  AliasWeights(const TableOptions& options, const io::Communicator& ranks);

  const AliasGrid& shape() const { return shape_; }
  const std::vector<std::uint64_t>& extents() const { return shape_.extents; }
  const std::vector<AliasAxis>& axes() const { return shape_.axes; }
  std::uint64_t cells() const { return cells_; }
  /// Returns the number of cells per index of the first axis.
  std::uint64_t row_cells() const { return cells_ / shape_.extents[0]; }

  /// Returns all weights. Can be called only once, because root frees its copy. Collective.
  Kokkos::View<double*, Space> take();

 private:
  void open();
  void read_axes();
  void read(std::uint64_t first, std::uint64_t rows, double* to) const;

  TableOptions options_;
  io::Communicator ranks_;
  AliasGrid shape_;
  std::uint64_t cells_ = 0;
  std::unique_ptr<io::WeightsFile> file_;  ///< on root
  std::vector<double> named_;              ///< on root
};

}  // namespace rivulet

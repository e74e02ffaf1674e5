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

/// Coordinates along one dimension of a table. Without a file's coordinates, cell i reaches from
/// i - 1/2 to i + 1/2.
struct AliasAxis {
  std::string name;
  bool unit_cells = true;
  std::vector<double> points = {};  ///< of each cell: the file's points, or the cells' middles
  std::vector<double> edges = {};   ///< of the cells, one more; empty if the file gives points
  std::string unit = {};            ///< of both, such as "MeV"; empty if the file names none

  bool has_edges() const { return unit_cells || !edges.empty(); }
  double point(std::uint64_t cell) const {
    return unit_cells ? static_cast<double>(cell) : points[cell];
  }
  /// The lower edge of a cell. edge(number of cells) is the last cell's upper edge.
  double edge(std::uint64_t cell) const {
    return unit_cells ? static_cast<double>(cell) - 0.5 : edges[cell];
  }
};

/// The properties of a table that statistics need besides its probabilities.
struct AliasGrid {
  std::vector<std::uint64_t> extents;  ///< cells along each axis; the last axis varies fastest
  std::vector<AliasAxis> axes;
};

/// The grid of a deck's table with named weights. The deck does not give the shape of a file's
/// table.
AliasGrid named_grid(const TableOptions& options);

/// The weights of a deck's table. Root computes or reads them, and sends them to every rank: all
/// ranks then have the same bits.
class AliasWeights {
 public:
  /// Collective. Throws Error for a file that cannot be read, has no cells, or does not match the
  /// deck.
  AliasWeights(const TableOptions& options, const io::Communicator& ranks);

  const AliasGrid& shape() const { return shape_; }
  const std::vector<std::uint64_t>& extents() const { return shape_.extents; }
  const std::vector<AliasAxis>& axes() const { return shape_.axes; }
  std::uint64_t cells() const { return cells_; }
  /// Cells of each index of the first axis.
  std::uint64_t row_cells() const { return cells_ / shape_.extents[0]; }

  /// Returns all weights. May be called once, because root frees its own. Collective.
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

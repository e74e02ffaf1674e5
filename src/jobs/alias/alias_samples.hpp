// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/mpi/timing.hpp"
#include "io/results/results_file.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kokkos_compat.hpp"

namespace rivulet {

/// Writes the samples of one rank's streams to the results file, batch by batch. In the file, the
/// samples are ordered by stream.
class AliasSampleWriter {
 public:
  /// The number of samples per stream in a batch is a multiple of round_samples, and is equal on
  /// all ranks. If the deck requests positions within cells, `plan` must have a second stream for
  /// each stream. Throws Error if the streams cannot be created, or if the deck's memory limit is
  /// too small for a round. Also throws Error if the deck requests positions along an axis without
  /// edges.
  AliasSampleWriter(const Space& space, const AliasOptions& options, const StreamPlan& plan,
                    const io::Communicator& ranks, const AliasWeights& table,
                    std::uint64_t round_samples);

  /// Allocates memory for a batch. If a rank lacks memory for the deck's batch length, all ranks
  /// use shorter batches, of at least one round. Throws Error on all ranks if memory is
  /// insufficient for a round. Must be called before the functions below. Collective.
  void allocate();

  void restart();
  /// Skips the first `samples` samples of every stream. Must be called after restart().
  void resume(std::uint64_t samples);

  /// Returns the number of samples per stream in every batch except the last. The number is the
  /// same on all ranks.
  std::uint64_t batch_samples() const { return stride_; }
  AliasSamples cells() const { return {cells_, stride_}; }
  /// Writes the batch that cells() holds. Collective.
  void write(io::ResultsFile& file, const std::string& group, const Work& batch,
             io::PhaseTimer& timer);

  std::uint64_t bytes() const;

 private:
  using CellView = Kokkos::View<std::uint32_t*, Space>;
  using NumberView = Kokkos::View<double*, Space>;
  template <class T>
  using PinnedView = Kokkos::View<T*, PinnedSpace>;

  bool with_coordinates() const { return options_.keep == KeepSamples::coordinates; }
  std::uint64_t sample_bytes() const;
  void allocate_batch();
  std::vector<std::uint32_t> batch_cells(const Work& batch) const;
  std::vector<io::StridedRanges> file_ranges(const Work& batch) const;
  std::vector<double> positions_in_cells(const Work& batch);
  std::vector<double> coordinates(std::size_t axis, const std::vector<std::uint32_t>& cells,
                                  const std::vector<double>& positions) const;

  Space space_;
  const AliasOptions& options_;
  const AliasWeights& table_;
  io::Communicator ranks_;
  std::uint64_t round_samples_;
  std::uint64_t rounds_ = 1;  ///< rounds per batch
  StreamRange range_;         ///< streams whose samples this rank writes
  std::uint64_t stride_ = 0;
  CellView cells_;
  std::unique_ptr<NumberSource> source_;
  std::uint64_t source_offset_ = 0;  ///< numbers per stream that precede number 0 of source_
  NumberView numbers_;
  PinnedView<std::uint32_t> host_cells_;  ///< copy of cells_ from a device
  PinnedView<double> host_numbers_;       ///< copy of numbers_ from a device
};

}  // namespace rivulet

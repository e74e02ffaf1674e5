// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "kernels/correlation/correlation_input.hpp"

namespace rivulet {

enum class CorrelationMethod { automatic, direct, fft };

/// How a rank goes about it.
struct CorrelationLayout {
  InputSizes window;
  std::uint64_t workers = 1;  ///< of the FFT correlator: threads, or segments of a batch
};

/// The deck of the correlate job.
struct CorrelateOptions {
  StreamOptions streams;
  std::uint64_t numbers = 100000000;
  std::uint64_t lags = 1000;
  Across across = Across::none;
  std::uint64_t bit = 0;
  CorrelationMethod method = CorrelationMethod::automatic;
  std::uint64_t memory = 0;  ///< bytes; 0 chooses what keeps all threads busy
  CheckpointOptions checkpoint;
  OutputOptions output{"correlate.h5"};

  CorrelateOptions() { streams.count = 64; }
  io::Schema schema();

  /// Throws Error for what the deck says that cannot be.
  void check() const;
  std::uint64_t numbers_per_stream() const { return numbers / streams.family(); }
  CorrelatedBits bits() const { return CorrelatedBits::at(static_cast<int>(bit)); }
  static bool have_fft();
  bool with_fft() const;
  /// The layout for this rank's streams within a limit in bytes; 0 chooses what keeps all threads
  /// busy. Throws Error if the limit is too small.
  CorrelationLayout layout(std::uint64_t local_streams, std::uint64_t limit) const;
  /// What the smallest layout takes.
  std::uint64_t least_bytes(std::uint64_t local_streams) const;
  /// Bytes of numbers and sums that a layout takes.
  std::uint64_t bytes(const CorrelationLayout& layout) const;
  std::unique_ptr<Correlator> correlator(const CorrelationLayout& layout) const;
  /// Numbers of each stream after some of which a run with checkpoints may be left: the same by all
  /// methods, so that another build may go on.
  std::uint64_t step() const;
  /// What a number costs, compared with what it takes to draw it, or more.
  double cost() const;

 private:
  double cost_by_fft() const;
  std::uint64_t fft_bytes(std::uint64_t workers) const;
  std::uint64_t useful_workers(std::uint64_t local_streams) const;
  std::uint64_t useful_columns() const;
  std::uint64_t all_columns() const;
  CorrelationLayout least_layout(std::uint64_t local_streams) const;
  void require_memory_of(const CorrelationLayout& layout, std::uint64_t limit) const;
  template <class Enlarge>
  CorrelationLayout enlarged(CorrelationLayout layout, std::uint64_t most,
                             const Enlarge& enlarge) const;
  CorrelationLayout with_columns(const CorrelationLayout& layout, std::uint64_t most,
                                 std::uint64_t columns) const;
};

/// As decks and results files write it.
std::string name_of(Across across);

}  // namespace rivulet

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

/// Sizes of a rank's window and correlator.
struct CorrelationLayout {
  InputSizes window;
  std::uint64_t workers = 1;  ///< for the FFT correlator: threads, or segments per batch
};

struct CorrelateOptions {
  StreamOptions streams;
  std::uint64_t numbers = 100000000;
  std::uint64_t lags = 1000;
  Across across = Across::none;
  std::uint64_t bit = 0;
  CorrelationMethod method = CorrelationMethod::automatic;
  std::uint64_t memory = 0;  ///< bytes; 0 for the size that keeps all threads busy
  CheckpointOptions checkpoint;
  OutputOptions output{"correlate.h5"};

  CorrelateOptions() { streams.count = 64; }
  io::Schema schema();

  void check() const;
  std::uint64_t numbers_per_stream() const { return numbers / streams.family(); }
  CorrelatedBits bits() const { return CorrelatedBits::at(static_cast<int>(bit)); }
  static bool have_fft();
  bool with_fft() const;
  /// Returns a layout for local_streams streams within `limit` bytes. With a limit of 0,
  /// returns a layout that keeps all threads busy. Throws Error if the limit is too small.
  CorrelationLayout layout(std::uint64_t local_streams, std::uint64_t limit) const;
  std::uint64_t min_bytes(std::uint64_t local_streams) const;
  /// Returns the bytes of numbers and sums in a layout.
  std::uint64_t bytes(const CorrelationLayout& layout) const;
  std::unique_ptr<Correlator> correlator(const CorrelationLayout& layout) const;
  /// Returns the step in numbers per stream. The columns of a window are a multiple of the step.
  /// With checkpoints, a run can be interrupted at multiples of the step. The step is then the same
  /// for all methods, because another build may continue the run.
  std::uint64_t step() const;
  /// Returns the estimated cost per number. The unit is the time of one product in a dot product on
  /// one CPU core.
  double cost() const;

 private:
  double cost_by_fft() const;
  std::uint64_t fft_bytes(std::uint64_t workers) const;
  std::uint64_t useful_workers(std::uint64_t local_streams) const;
  std::uint64_t useful_columns() const;
  std::uint64_t all_columns() const;
  CorrelationLayout min_layout(std::uint64_t local_streams) const;
  void require_memory_of(const CorrelationLayout& layout, std::uint64_t limit) const;
  template <class Enlarge>
  CorrelationLayout enlarged(CorrelationLayout layout, std::uint64_t max_bytes,
                             const Enlarge& enlarge) const;
  CorrelationLayout with_columns(const CorrelationLayout& layout, std::uint64_t max_bytes,
                                 std::uint64_t columns) const;
};

std::string name_of(Across across);

}  // namespace rivulet

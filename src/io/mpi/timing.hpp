// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Measures wall-clock seconds since construction or restart().
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

enum class Phase { setup, rng, compute, reduction, transfer, io, total };

inline constexpr std::array<std::string_view, 7> phase_names{
    "setup", "rng", "compute", "reduction", "transfer", "io", "total"};

/// Spread of a time in seconds over the ranks of a communicator.
struct Spread {
  double min = 0;
  double avg = 0;
  double max = 0;
};

/// Accumulates this rank's seconds per phase.
class PhaseTimer {
 public:
  /// Adds the duration of its lifetime to a phase.
  class Scope {
   public:
    Scope(PhaseTimer& timer, Phase phase) : timer_(timer), phase_(phase) {}
    ~Scope() { timer_.add(phase_, watch_.seconds()); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PhaseTimer& timer_;
    Phase phase_;
    Stopwatch watch_;
  };

  [[nodiscard]] Scope scope(Phase phase) { return {*this, phase}; }
  void add(Phase phase, double seconds) { seconds_[static_cast<std::size_t>(phase)] += seconds; }
  double seconds(Phase phase) const { return seconds_[static_cast<std::size_t>(phase)]; }

  /// Returns the spread of every phase. Collective; needs two reductions for any number of phases.
  std::array<Spread, phase_names.size()> spreads(const Communicator& communicator) const {
    std::array<double, phase_names.size()> sums = seconds_;
    std::array<double, 2 * phase_names.size()> extrema{};  // maxima and negated minima
    for (std::size_t i = 0; i < sums.size(); ++i) {
      extrema[2 * i] = seconds_[i];
      extrema[2 * i + 1] = -seconds_[i];
    }
    communicator.sum(std::span(sums));
    communicator.max(std::span(extrema));
    std::array<Spread, phase_names.size()> result;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = {-extrema[2 * i + 1], sums[i] / communicator.size(), extrema[2 * i]};
    }
    return result;
  }

 private:
  std::array<double, phase_names.size()> seconds_{};
};

}  // namespace rivulet::io

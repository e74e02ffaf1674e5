// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/pi/pi_result.hpp"

namespace rivulet {

/// A rank's hits in each batch of a run that is counted in pieces, which end anywhere. Positions
/// are points of each stream.
class PiPieces {
 public:
  PiPieces() = default;
  /// Batches that end there, ascending.
  explicit PiPieces(std::vector<std::uint64_t> ends)
      : ends_(std::move(ends)), hits_(ends_.size()) {}
  /// Resumes at `at` with `hits` over all ranks. `ended` batches are already complete; the other
  /// batches end behind `counted`, which is `at` or a little more.
  PiPieces(const std::vector<std::uint64_t>& ends, std::uint64_t at, std::uint64_t counted,
           PiRunning ended, std::uint64_t hits);

  std::uint64_t at() const { return at_; }
  /// Ends of stretches up to `end`: groups that are to be counted one after the other, each of
  /// whole batches alike or of one part of a batch.
  std::vector<std::vector<std::uint64_t>> marks_to(std::uint64_t end) const;
  /// What stretches of such a group gave; they end at these marks.
  void add(const std::vector<std::uint64_t>& marks, const std::vector<std::uint64_t>& hits);

  /// Of the batches that were counted since: ends, and this rank's hits up to these.
  std::vector<std::uint64_t> ends_so_far() const;
  std::vector<std::uint64_t> hits_so_far() const;
  /// This rank's in all since.
  std::uint64_t all_hits() const;

  const PiRunning& ended() const { return ended_; }
  std::uint64_t hits_before() const { return hits_before_; }

 private:
  std::uint64_t at_ = 0;
  PiRunning ended_;
  std::uint64_t hits_before_ = 0;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint64_t> hits_;
};

}  // namespace rivulet

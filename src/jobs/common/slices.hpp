// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "io/terminal/timing.hpp"

namespace rivulet {

/// Cuts work into launches of about half a second, so that progress is seen on runs of hours. It
/// learns how much that is as it goes.
class Slices {
 public:
  /// Calls launch(from, to) for stretches of begin .. end, one after the other; all but the last
  /// are whole rounds, of which each draws so many numbers. launch() waits for its work.
  template <class Launch>
  void run(std::uint64_t begin, std::uint64_t end, std::uint64_t round, std::uint64_t numbers,
           const Launch& launch) {
    rounds_ = std::max(rounds_, numbers_at_first / std::max(numbers, std::uint64_t{1}));
    while (begin < end) {
      const std::uint64_t slice = rounds_ * round;
      const std::uint64_t upto = std::min(end, begin + slice);
      const io::Stopwatch watch;
      launch(begin, upto);
      if (upto - begin == slice && watch.seconds() < seconds_per_launch / 2) rounds_ *= 2;
      begin = upto;
    }
  }

 private:
  static constexpr double seconds_per_launch = 0.5;
  /// What a core draws in a tenth of a second, and a GPU in a quarter of a millisecond.
  static constexpr std::uint64_t numbers_at_first = std::uint64_t{1} << 28;

  std::uint64_t rounds_ = 1;  ///< of a launch
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "draw/work.hpp"
#include "io/mpi/timing.hpp"

namespace rivulet {

/// Cuts work into launches of about half a second, so that a long run can show progress between
/// launches. The length of launches doubles until a launch takes at least half of that time.
class Launches {
 public:
  /// Divides begin .. end - 1 into consecutive ranges, and calls launch(first, end) for each range.
  /// The length of every range but the last is a multiple of `round`. A round draws `numbers`
  /// numbers. launch() must block until its work is done.
  template <class Launch>
  void run(std::uint64_t begin, std::uint64_t end, std::uint64_t round, std::uint64_t numbers,
           const Launch& launch) {
    rounds_ = std::max(rounds_, numbers_at_first / std::max(numbers, std::uint64_t{1}));
    while (begin < end) {
      const std::uint64_t length =
          std::min(rounds_, std::max(max_items / round, std::uint64_t{1})) * round;
      const std::uint64_t launch_end = std::min(end, begin + length);
      const io::Stopwatch watch;
      launch(begin, launch_end);
      if (launch_end - begin == length && watch.seconds() < seconds_per_launch / 2) rounds_ *= 2;
      begin = launch_end;
    }
  }

 private:
  static constexpr double seconds_per_launch = 0.5;
  static constexpr std::uint64_t max_items = Work::max_items;
  /// Numbers drawn in the first launch, which takes about 0.1 s on a CPU core or 0.25 ms on a GPU.
  static constexpr std::uint64_t numbers_at_first = std::uint64_t{1} << 28;

  std::uint64_t rounds_ = 1;  ///< rounds per launch
};

}  // namespace rivulet

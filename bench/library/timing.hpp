// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

// Times cases in turn, so that other load on the machine affects all cases alike.

namespace timing {

struct Case {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};

  double median() const {
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

/// Formats a value; 0 becomes an empty text.
inline std::array<char, 16> text(const char* format, double value) {
  std::array<char, 16> to{};
  if (value > 0) std::snprintf(to.data(), to.size(), format, value);
  return to;
}

inline void measure(std::vector<Case>& cases, int repetitions) {
  for (int repetition = -1; repetition < repetitions; ++repetition) {  // the first is a warm-up
    for (Case& timed : cases) {
      Kokkos::fence();
      const Kokkos::Timer timer;
      timed.run();
      Kokkos::fence();
      if (repetition >= 0) timed.seconds.push_back(timer.seconds());
    }
  }
}

}  // namespace timing

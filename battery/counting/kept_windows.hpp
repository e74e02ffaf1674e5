// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "battery/words/interleaving.hpp"

namespace rivulet {

/// A window (four successive words of a stream), represented by a hash of its 128 bits.
struct KeptWindow {
  std::uint64_t hash = 0;
  std::uint64_t packed = 0;  ///< position of the first word, level and repeat, packed

  static constexpr int position_bits = 50;  ///< BatteryOptions allows sequences of 10^15 words
  static constexpr int level_bits = 5;
  static constexpr std::uint64_t max_repeats = std::uint64_t{1}
                                               << (64 - position_bits - level_bits);

  std::uint64_t position() const { return packed & ((std::uint64_t{1} << position_bits) - 1); }
  /// Returns the number of trailing zero bits (at most 31) of a second hash of the window, which is
  /// not stored.
  int level() const { return static_cast<int>(packed >> position_bits & ((1U << level_bits) - 1)); }
  std::uint64_t repeat() const { return packed >> (position_bits + level_bits); }
  static std::uint64_t repeat_bits(std::uint64_t repeat) {
    return repeat << (position_bits + level_bits);
  }
};

/// The kept windows of a sequence. A fraction 2^-k of all windows has level k or higher.
/// window_level() returns the minimum level of the windows to keep. About 2^20 to 2^21 of the
/// windows in `words` words have this level or a higher one. Below 2^21 words, the level is 0,
/// which keeps all windows.
using KeptWindows = std::vector<KeptWindow>;
inline int window_level(std::uint64_t words) {
  constexpr int kept_bits = 21;
  const auto bits = static_cast<int>(std::bit_width(words));
  return bits > kept_bits ? bits - kept_bits : 0;
}
inline void thin(KeptWindows& windows, int level) {
  std::erase_if(windows, [=](const KeptWindow& window) { return window.level() < level; });
}

}  // namespace rivulet

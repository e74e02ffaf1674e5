// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/pi/pi_point.hpp"

namespace rivulet {

enum class PiKernel {
  fused,  ///< generate and count in one kernel
  stored  ///< generate into memory, then count
};
enum class PointMapping { centred, published };
enum class PointKind {
  packed,  ///< 16 + 16 bits of one word
  pair     ///< two words
};

/// What is counted and how, but for the mapping, which belongs to the streams.
struct PiChoice {
  PiKernel kernel = PiKernel::fused;
  PointMapping mapping = PointMapping::centred;
  PointKind point = PointKind::packed;
  /// Bytes that the stored kernel may keep words in; 0 chooses what is fastest.
  std::uint64_t memory = 0;
  /// Segments that each stream is cut into; 0 for as many as are fastest.
  std::uint64_t segments = 0;
};

/// Random words of 32 bits that make a point.
inline int words_of(const PiChoice& choice) { return choice.point == PointKind::packed ? 1 : 2; }

/// Calls use(point) with a point of the chosen kind (pi_point.hpp).
template <class Use>
void with_point(const PiChoice& choice, const Use& use) {
  if (choice.mapping == PointMapping::centred) {
    choice.point == PointKind::packed ? use(PackedCentred{}) : use(PairCentred{});
  } else {
    choice.point == PointKind::packed ? use(PackedPublished{}) : use(PairPublished{});
  }
}

}  // namespace rivulet

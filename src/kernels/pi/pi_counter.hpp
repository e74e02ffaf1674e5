// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/pi/hit_counter.hpp"
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

/// The kind of points, and the kernel that counts the points.
struct PiChoice {
  PiKernel kernel = PiKernel::fused;
  PointMapping mapping = PointMapping::centred;
  PointKind point = PointKind::packed;
  /// Maximum size of the stored kernel's buffer, in bytes; 0 chooses the fastest size.
  std::uint64_t memory = 0;
  /// Segments per stream; 0 chooses the fastest number.
  std::uint64_t segments = 0;
};

/// Returns the number of 32-bit random words per point.
inline int words_of(const PiChoice& choice) { return choice.point == PointKind::packed ? 1 : 2; }

/// Calls use(point) with an object of the chosen point type (pi_point.hpp).
template <class Use>
void with_point(const PiChoice& choice, const Use& use) {
  if (choice.mapping == PointMapping::centred) {
    choice.point == PointKind::packed ? use(PackedCentred{}) : use(PairCentred{});
  } else {
    choice.point == PointKind::packed ? use(PackedPublished{}) : use(PairPublished{});
  }
}

/// Creates a counter of points in the quarter circle for one rank's streams of any generator.
/// Throws Error if the streams do not fit in memory, if choice.memory is too small for one period
/// of a tile of streams, or if the generator lacks the mapping. `plan` must outlive the counter.
std::unique_ptr<HitCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                            StreamRange range, StreamMapping mapping,
                                            const PiChoice& choice);

}  // namespace rivulet

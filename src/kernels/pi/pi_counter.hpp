// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "kernels/pi/hit_counter.hpp"
#include "kernels/pi/pi_choice.hpp"

namespace rivulet {

/// Creates a counter of points in the quarter circle for one rank's streams of any generator.
/// Throws Error if the streams do not fit in memory, if choice.memory is too small for one period
/// of a tile of streams, or if the generator lacks the mapping. `plan` must outlive the counter.
std::unique_ptr<HitCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                            StreamRange range, StreamMapping mapping,
                                            const PiChoice& choice);

}  // namespace rivulet

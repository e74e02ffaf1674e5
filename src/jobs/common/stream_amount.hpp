// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/launching/stream_batch.hpp"

namespace rivulet {

/// What the streams of a range make together of what a share splits over all.
inline std::uint64_t amount_of(const StreamShare& share, StreamRange range) {
  const std::uint64_t extra = share.total % share.streams;
  const std::uint64_t longer =
      std::clamp(extra, range.first, range.first + range.count) - range.first;
  return range.count * (share.total / share.streams) + longer;
}

}  // namespace rivulet

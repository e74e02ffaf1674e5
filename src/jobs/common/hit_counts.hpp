// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "draw/work.hpp"
#include "jobs/common/counts.hpp"

namespace rivulet {

/// The counts of a job that counts points inside a body: the hits per stream.
struct HitCounts {
  static constexpr const char* message_name = "hits";
  static constexpr bool is_in_rows = true;
  static constexpr bool may_grow = true;  ///< a resumed run may have more points

  StreamShare share;                ///< each stream's share of the family's points
  NumbersById<std::uint64_t> hits;  ///< hits per stream

  template <class Io>
  void fields(Io& io) {
    if (io.in_checkpoint()) io.number("points", share.total, {"of the family", "points"});
    io.rows("hits", hits, {"points inside, stream by stream", "points"});
  }
  HitCounts& operator+=(const HitCounts& other) {
    hits += other.hits;
    return *this;
  }
  /// Returns the two words (points, hits) of each stream, in order of id.
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> words;
    words.reserve(2 * hits.values.size());
    for (std::uint64_t i = 0; i < hits.values.size(); ++i) {
      words.insert(words.end(), {share.items(hits.first + i), hits.values[i]});
    }
    return words;
  }
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "generators/rank_starter.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet {

/// Returns the words of a stream's state. `stream` is an index on this rank.
template <class Integer, class Streams>
std::vector<Integer> state_words(const Streams& streams, std::uint64_t stream) {
  const auto saved = streams.save();
  std::vector<Integer> words(saved.size() / sizeof(Integer) / streams.count());
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::size_t at = k * streams.count() + stream;
    std::memcpy(&words[k], saved.data() + at * sizeof(Integer), sizeof(Integer));
  }
  return words;
}

/// Moves all streams of a twister, each by the polynomial of its set.
template <class Streams>
void jump_all(const Streams& streams, const JumpTable& table) {
  detail::TwisterStarts::jump(detail::RankLaunch{{Space()}}, streams, table,
                              detail::JumpRange::all_of(0, streams.count()));
  Space().fence();
}

}  // namespace rivulet

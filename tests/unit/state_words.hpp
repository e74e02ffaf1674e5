// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace rivulet {

/// The words of a local stream's state.
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

}  // namespace rivulet

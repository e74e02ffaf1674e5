// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bit_rows.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// One word of a window: a stream's place in a table, and how many numbers after a window's begin.
struct Offset {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;

  friend bool operator==(const Offset&, const Offset&) = default;
};
using Window = std::vector<Offset>;

/// The words of a window whose exclusive-or is zero in the chosen bits wherever the window is laid,
/// or none. Each word is a row of its bits at some places, and a linear dependence of the rows is a
/// relation. There are 64 places' bits more than twice the words, so that it holds everywhere: bits
/// of one word are not as independent as could be where a twister's tempering is poor. Places are
/// spread over the table, whose numbers must reach that far.
inline Window xor_relation(const WordTable& table, const Window& window, Bits bits) {
  const auto count = static_cast<std::size_t>(bits.count);
  const std::size_t places = (2 * window.size() + 64 + count - 1) / count;
  std::uint64_t reach = 0;
  for (const Offset& one : window) reach = std::max(reach, one.number);
  const std::uint64_t step = (table.numbers() - reach) / places;
  BitRows rows(window.size(), places * count + window.size());
  for (std::size_t w = 0; w < window.size(); ++w) {
    for (std::size_t p = 0; p < places; ++p) {
      // In no progression, so that the places are in step with no period of a generator's.
      const std::uint64_t begin = p * step + splitmix64_mix(p) % step;
      rows.put(w, p * count, bits.of(table(window[w].stream, begin + window[w].number)), count);
    }
    rows.set(w, places * count + w);  // which words a row is the sum of
  }
  const std::size_t rank = rows.eliminate(places * count);
  Window relation;
  if (rank == window.size()) return relation;
  for (std::size_t w = 0; w < window.size(); ++w) {
    if (rows.get(rank, places * count + w)) relation.push_back(window[w]);
  }
  return relation;
}

/// All pairs of the streams in a table's places 0 .. streams-1 and numbers.
inline Window product_window(std::uint64_t streams, const std::vector<std::uint64_t>& numbers) {
  Window window;
  for (std::uint64_t s = 0; s < streams; ++s) {
    for (const std::uint64_t i : numbers) window.push_back({s, i});
  }
  return window;
}

/// The sums of the subsets of distinct powers of two, given by their sum.
inline std::vector<std::uint64_t> subset_sums(std::uint64_t powers) {
  std::vector<std::uint64_t> sums;
  std::uint64_t subset = 0;
  do {
    sums.push_back(subset);
    subset = (subset - powers) & powers;
  } while (subset != 0);
  return sums;
}

inline std::string text_of(const Window& relation) {
  std::string text;
  for (const Offset& one : relation) {
    text += "(" + std::to_string(one.stream) + ", " + std::to_string(one.number) + ") ";
  }
  return text;
}

}  // namespace rivulet::independence

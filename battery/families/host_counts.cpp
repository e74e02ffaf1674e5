// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>

#include "battery/counting/counting.hpp"
#include "battery/counting/histogram.hpp"
#include "rivulet/detail/algebra/berlekamp_massey.hpp"

namespace rivulet {
namespace {

/// The s bits of each word from bit r on, in a row, the first one lowest.
detail::Gf2Words bits_in_a_row(const std::uint32_t* words, std::uint64_t count, int r, int s) {
  const auto each = static_cast<std::uint64_t>(s);
  detail::Gf2Words bits(count / 64 + 1, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t bit = words[i / each] << r << i % each >> 31;
    bits[i / 64] |= std::uint64_t{bit} << i % 64;
  }
  return bits;
}

}  // namespace

std::vector<std::uint32_t> words_on_host(WordTiles& tiles, std::uint64_t position,
                                         std::uint64_t count) {
  std::vector<std::uint32_t> copy(count);
  copy_words(tiles, position, Borrowed<std::uint32_t, Kokkos::HostSpace>(copy.data(), count));
  return copy;
}

/// Words of a parse are the shortest ones that have not come before. An unfinished last one counts
/// if a word begins with it.
std::uint64_t count_parsed_words(const std::uint32_t* word, std::uint64_t bits, int r, int s) {
  // Of each word that has come, the two that are a bit longer; 0 is none, and the empty one.
  std::vector<std::array<std::uint32_t, 2>> longer{{0, 0}};
  std::uint32_t at = 0;
  std::uint64_t words = 0;
  for (std::uint64_t i = 0; i < bits;) {
    const std::uint32_t some = detail::strip_bits(*word++, r, s);
    for (int e = s - 1; e >= 0 && i < bits; --e, ++i) {
      std::uint32_t& next = longer[at][some >> e & 1];
      at = next;
      if (at != 0) continue;
      ++words;
      next = static_cast<std::uint32_t>(longer.size());
      longer.push_back({0, 0});
    }
  }
  return words + (at != 0 && longer[at] != std::array<std::uint32_t, 2>{0, 0} ? 1 : 0);
}

std::vector<std::uint64_t> count_complexity_jumps(const std::uint32_t* words, std::uint64_t bits,
                                                  int r, int s, std::uint64_t largest) {
  std::vector<std::uint64_t> found(largest + 1);
  const detail::BerlekampMassey profile(bits_in_a_row(words, bits, r, s), bits,
                                        [&](std::uint64_t size) {
                                          ++found[0];
                                          ++found[std::min(size, largest)];
                                        });
  return found;
}

std::vector<std::uint64_t> count_complexities(const std::uint32_t* words, std::uint64_t n,
                                              std::uint64_t bits, int r, int reach) {
  std::vector<std::uint64_t> found(static_cast<std::size_t>(2 * reach) + 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    const detail::BerlekampMassey profile(bits_in_a_row(words + i * bits, bits, r, 1), bits);
    const auto excess =
        static_cast<std::int64_t>(profile.order()) - static_cast<std::int64_t>(bits / 2) + reach;
    ++found[static_cast<std::size_t>(std::clamp<std::int64_t>(excess, 0, 2 * reach))];
  }
  return found;
}

}  // namespace rivulet

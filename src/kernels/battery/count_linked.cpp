// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "kernels/battery/counting_items.hpp"
#include "kernels/battery/linked_items.hpp"

namespace rivulet {

using detail::count_items;

TestCounts count_neighbour_weights(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                                   int s, int length) {
  const auto cells = static_cast<std::uint64_t>(length) + 1;
  return count_items(tiles, position, n, cells * cells, detail::NeighbourWeights{r, s, length});
}

TestCounts count_lagged_bits(WordTiles& tiles, std::uint64_t position, std::uint64_t words, int r,
                             int s, int lag) {
  const detail::LaggedBits item{r, s, lag};
  return count_items(tiles, position, words + item.history(), 1, item);
}

TestCounts count_lagged_products(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                                 std::uint64_t lag) {
  return count_items(tiles, position, n, detail::LaggedProducts::sums,
                     detail::LaggedProducts{r, lag});
}

TestCounts count_number_runs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                             bool is_up) {
  using detail::NumberRuns;
  // Neighbouring threads of a device read neighbouring numbers.
  return detail::count_grouped(tiles, position, n, NumberRuns::sums, NumberRuns{r, is_up, n},
                               device_build ? 1 : NumberRuns::most_grouped);
}

namespace {

/// The words up to the one in which the n-th run of ones begins, at most `most`; 0 if it is in none
/// of these.
std::uint64_t words_to_run(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                           std::uint64_t most) {
  const detail::RunsOfOnes item{r, s};
  std::uint64_t at = 0;
  std::uint64_t runs = 0;
  std::uint64_t step = tiles.most() / 2;
  while (step > 0) {
    const std::uint64_t words = std::min(step, most - at);
    if (words == 0) return 0;
    const detail::Histogram histogram(tiles.space(), 1);
    detail::add_items(tiles, position, at, words, item, histogram);
    const std::uint64_t more = histogram.sums(tiles.space())[0];
    if (runs + more < n) {
      runs += more;
      at += words;
    } else if (words == 1) {
      return at + 1;
    } else {
      step = words / 2;
    }
  }
  return 0;
}

}  // namespace

BitRunCounts count_bit_runs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                            int longest) {
  // Four bits a run of ones are usual; TestU01 ends without a result once a run is of n bits.
  const std::uint64_t most = 16 * n / static_cast<std::uint64_t>(s) + 1;
  const std::uint64_t words = words_to_run(tiles, position, n, r, s, most);
  const auto cells = 2 * (static_cast<std::uint64_t>(longest) + 1);
  const detail::BitRuns item{r, s, longest};
  BitRunCounts found{detail::count_grouped(tiles, position, words == 0 ? most : words, cells, item,
                                           item.most_grouped())};
  for (std::size_t i = 2; i + 2 < found.counts.size(); ++i) found.counts[i] -= found.counts[i + 2];
  found.ended = words == 0;
  return found;
}

}  // namespace rivulet

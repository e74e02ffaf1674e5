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

TestCounts count_weight_trits(WordTiles& tiles, std::uint64_t position, std::uint64_t words,
                              int length, int spread) {
  using detail::WeightTrits;
  const WeightTrits item{length, spread, weight_trits_grouped(length)};
  return count_items(tiles, position, words / item.words(), WeightTrits::cells, item);
}

BitRunCounts count_bit_runs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                            int longest) {
  // Four bits a run of ones are usual; TestU01 ends without a result once a run is of n bits.
  const std::uint64_t most = 16 * n / static_cast<std::uint64_t>(s) + 1;
  const Space& space = tiles.space();
  const detail::Histogram histogram(space, 2 * (static_cast<std::uint64_t>(longest) + 1));
  const detail::BitRuns runs{r, s, longest};
  const detail::RunsOfOnes begin{r, s, runs.history()};
  BitRunCounts found;
  std::uint64_t begun = 0;
  // The last word is the one in which the n-th run of ones begins. Words are counted while they are
  // in memory.
  for (std::uint64_t step = tiles.most() / 2; begun < n && found.words < most;) {
    const std::uint64_t words = std::min(step, most - found.words);
    const detail::Histogram ones(space, 1);
    detail::add_items(tiles, position, found.words, words, begin, ones);
    const std::uint64_t more = ones.sums(space)[0];
    if (begun + more >= n && words > 1) {
      step = words / 2;
      continue;
    }
    detail::add_grouped(tiles, position, found.words, words, runs, runs.most_grouped(), histogram);
    begun += more;
    found.words += words;
  }
  found.counts = histogram.sums(space);
  for (std::size_t i = 2; i + 2 < found.counts.size(); ++i) found.counts[i] -= found.counts[i + 2];
  found.ended = begun < n;
  return found;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "alias_reference.hpp"
#include "generators/generators.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/numbers/number_source.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"

// Makes streams and draws samples, for tests of alias samplers.

namespace rivulet {

inline std::unique_ptr<StreamPlan> plan_of(const Generator& generator, std::uint64_t streams,
                                           std::uint64_t seed = 1) {
  return generator.plan({.streams = streams, .seed = seed}, io::Communicator::self());
}

inline std::vector<double> rough_weights(std::size_t cells) {
  std::mt19937_64 engine(cells);
  std::vector<double> weights(cells);
  for (double& weight : weights) {
    weight = engine() % 4 == 0 ? 0.0 : static_cast<double>(engine() % 1000);
  }
  weights[cells / 2] = 3000;
  return weights;
}

/// Returns the first `words` words of each stream of a range, stream after stream.
inline std::vector<std::uint32_t> words_of(const StreamPlan& plan, StreamRange range,
                                           std::uint64_t words) {
  const Space space;
  const auto source = make_number_source(
      space, plan, range,
      {NumberType::uint32, Interval::closed_open, plan.generator().mappings.front(), 1});
  source->restart();
  const Kokkos::View<std::uint32_t*, Space> to("rivulet::test_words", range.count * words);
  source->draw({0, range.count, 0, words}, {words, 1}, to.data());
  return host_copy(to);
}

/// The histogram of all samples, and the cells that each stream drew, in order.
struct Drawn {
  std::vector<std::uint64_t> histogram;
  std::vector<std::vector<std::uint32_t>> cells;
};
/// Draws the samples of a range's streams in batches of `rounds` rounds.
inline Drawn draw(AliasSampler& sampler, const StreamShare& share, StreamRange range,
                  std::uint64_t rounds) {
  sampler.restart();
  Drawn drawn{{}, std::vector<std::vector<std::uint32_t>>(range.count)};
  const std::uint64_t length = rounds * sampler.round_samples();
  const Kokkos::View<std::uint32_t*, Space> cells("rivulet::test_cells", range.count * length);
  for (std::uint64_t begin = 0; begin < share.max_items(); begin += length) {
    const Work batch = sampler.uncut(share, begin, begin + length);
    sampler.sample(batch, {cells, length});
    const auto host = host_copy(cells);
    for (std::uint64_t s = 0; s < range.count; ++s) {
      const auto from = host.begin() + static_cast<std::ptrdiff_t>(s * length);
      const auto count = static_cast<std::ptrdiff_t>(batch.count(s));
      drawn.cells[s].insert(drawn.cells[s].end(), from, from + count);
    }
  }
  drawn.histogram = host_copy(sampler.histogram());
  return drawn;
}

inline std::vector<AliasMapping> mappings_of(const Generator& generator) {
  std::vector<AliasMapping> all;
  for (const StreamMapping mapping : generator.mappings) all.push_back({mapping});
  return all;
}

/// Returns the histogram of samples drawn in batches of `rounds` rounds, without storing the cells.
inline std::vector<std::uint64_t> histogram_alone(AliasSampler& sampler, const StreamShare& share,
                                                  std::uint64_t rounds) {
  sampler.restart();
  const std::uint64_t length = rounds * sampler.round_samples();
  for (std::uint64_t begin = 0; begin < share.max_items(); begin += length) {
    sampler.sample(sampler.uncut(share, begin, begin + length));
  }
  return host_copy(sampler.histogram());
}

}  // namespace rivulet

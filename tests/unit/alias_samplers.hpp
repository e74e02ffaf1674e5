// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "alias_reference.hpp"
#include "kernels/alias_sampler.hpp"
#include "parameters/shipped.hpp"

// What tests of samplers draw from, and how.

namespace rivulet {

inline std::unique_ptr<StreamPlan> plan_of(const Generator& generator, std::uint64_t streams,
                                           std::uint64_t seed = 1) {
  StreamRequest request;
  request.streams = streams;
  request.seed = seed;
  return make_stream_plan(
      generator, request,
      generator.family == GeneratorFamily::dcmt ? shipped_dcmt(generator.exponent) : DcmtSets{});
}

inline AliasTable table_of(const std::vector<double>& weights,
                           const std::vector<std::uint64_t>& extents) {
  return make_alias_table(Space(), device_copy(weights), extents);
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

/// Counts of samples in batches of `blocks` blocks, where cells are not kept.
inline std::vector<std::uint64_t> histogram_alone(AliasSampler& sampler, const PointShare& share,
                                                  std::uint64_t blocks) {
  sampler.restart();
  const std::uint64_t length = blocks * sampler.block_samples();
  for (std::uint64_t begin = 0; begin < share.most(); begin += length) {
    sampler.sample({share, begin, begin + length});
  }
  return host_copy(sampler.histogram());
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/counts.hpp"

#include <algorithm>

namespace rivulet {

std::vector<std::int64_t> uppers_of(const std::vector<Int128>& values) {
  std::vector<std::int64_t> words(values.size());
  std::ranges::transform(values, words.begin(), upper_of);
  return words;
}

std::vector<std::uint64_t> lowers_of(const std::vector<Int128>& values) {
  std::vector<std::uint64_t> words(values.size());
  std::ranges::transform(values, words.begin(), lower_of);
  return words;
}

std::vector<Int128> joined(const std::vector<std::int64_t>& uppers,
                           const std::vector<std::uint64_t>& lowers) {
  std::vector<Int128> values(std::min(uppers.size(), lowers.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = joined(uppers[i], lowers[i]);
  return values;
}

/// Sums the bits as unsigned integers. In two's complement, such sums are correct for either sign.
void SumOverRanks::sum(std::span<Int128> values) {
  constexpr std::size_t limbs = 4;  // 32 bits per 64-bit word; the upper halves collect carries
  std::vector<std::uint64_t> parts(limbs * values.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto bits = static_cast<Uint128>(values[i / limbs]);
    parts[i] = static_cast<std::uint32_t>(bits >> (32 * (i % limbs)));
  }
  ranks_.sum(std::span(parts));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Uint128 bits = 0;
    for (std::size_t limb = 0; limb < limbs; ++limb) {
      bits += static_cast<Uint128>(parts[limbs * i + limb]) << (32 * limb);
    }
    values[i] = static_cast<Int128>(bits);
  }
}

}  // namespace rivulet

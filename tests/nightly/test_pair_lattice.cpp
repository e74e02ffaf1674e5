// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/pi/pi_point.hpp"

namespace rivulet {
namespace {

__extension__ using Wide = unsigned __int128;

std::string decimal(Wide value) {
  std::string digits;
  for (; value > 0; value /= 10) digits.insert(digits.begin(), static_cast<char>('0' + value % 10));
  return digits;
}

/// Points inside among all 2^64 pairs of words, column by column: as u grows, the greatest v inside
/// only falls.
template <class Point>
Wide pair_lattice_hits() {
  const auto is_inside = [](std::uint32_t u, std::uint32_t v) {
    const std::uint32_t words[]{u, v};
    std::uint32_t one = 0;
    Point::count(words, one);
    return one == 1;
  };
  constexpr std::uint64_t words = std::uint64_t{1} << 32;
  Wide hits = 0;
  std::uint64_t inside = words;  // v = 0 .. inside - 1 are
  for (std::uint64_t u = 0; u < words && inside > 0; ++u) {
    while (inside > 0 &&
           !is_inside(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(inside - 1))) {
      --inside;
    }
    hits += inside;
  }
  return hits;
}

// The counts that docs/pi.md states.
TEST(PairLattice, CentredIsCountedExactly) {
  EXPECT_EQ(decimal(pair_lattice_hits<PairCentred>()), "14488038916154288230");
}

TEST(PairLattice, PublishedIsCountedExactly) {
  EXPECT_EQ(decimal(pair_lattice_hits<PairPublished>()), "14488038384032417766");
}

}  // namespace
}  // namespace rivulet

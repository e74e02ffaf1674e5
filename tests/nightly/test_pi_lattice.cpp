// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Enumerates all points that one word, or a pair of words, can encode. At -O1, these tests take
// minutes instead of seconds.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/pi/pi_point.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

/// Counts hits among all 2^32 words, lanes<Word> words at a time.
template <class Point>
std::uint64_t lattice_hits() {
  constexpr std::uint64_t rows = 1 << 16;
  std::uint64_t hits = 0;
  Kokkos::parallel_reduce(
      "rivulet::test_lattice", Kokkos::RangePolicy<Space>(0, rows),
      KOKKOS_LAMBDA(const std::uint64_t row, std::uint64_t& sum) {
        Word count(0u);
        for (std::uint32_t column = 0; column < rows; column += lanes<Word>) {
          const Word word = WordTraits<Word>::generate([&](int l) {
            return (static_cast<std::uint32_t>(row) << 16) + column + static_cast<std::uint32_t>(l);
          });
          Point::count(&word, count);
        }
        for (int l = 0; l < lanes<Word>; ++l) sum += WordTraits<Word>::lane(count, l);
      },
      hits);
  return hits;
}

YAML::Node lattice() { return test_data("pi_lattice.json"); }

TEST(PiLattice, CentredIsCountedExactly) {
  EXPECT_EQ(lattice_hits<PackedCentred>(),
            lattice()["midpoint_i_plus_half_over_65536"].as<std::uint64_t>());
}

TEST(PiLattice, PublishedIsUnfusedSinglePrecision) {
  EXPECT_EQ(lattice_hits<PackedPublished>(),
            lattice()["float32_no_fma_i_over_65535"].as<std::uint64_t>());
}

__extension__ using Wide = unsigned __int128;

std::string decimal(Wide value) {
  std::string digits;
  for (; value > 0; value /= 10) digits.insert(digits.begin(), static_cast<char>('0' + value % 10));
  return digits;
}

/// Counts, among all 2^64 pairs of words, the points inside the circle, column by column. The
/// largest v inside never increases with u, so one walk along the border suffices.
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
  std::uint64_t inside = words;  // v = 0 .. inside - 1 are inside
  for (std::uint64_t u = 0; u < words && inside > 0; ++u) {
    while (inside > 0 &&
           !is_inside(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(inside - 1))) {
      --inside;
    }
    hits += inside;
  }
  return hits;
}

// docs/pi.md states these counts.
TEST(PairLattice, CentredIsCountedExactly) {
  EXPECT_EQ(decimal(pair_lattice_hits<PairCentred>()), "14488038916154288230");
}

TEST(PairLattice, PublishedIsCountedExactly) {
  EXPECT_EQ(decimal(pair_lattice_hits<PairPublished>()), "14488038384032417766");
}

}  // namespace
}  // namespace rivulet

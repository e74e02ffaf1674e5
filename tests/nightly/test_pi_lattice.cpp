// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <string>

#include "kernels/pi/pi_point.hpp"

// All points that a word can be, counted: at -O1 in minutes instead of seconds.

namespace rivulet {
namespace {

/// Hits among all 2^32 words, by lanes<Word> at a time.
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

YAML::Node lattice() { return YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/pi_lattice.json"); }

TEST(PiLattice, CentredIsCountedExactly) {
  EXPECT_EQ(lattice_hits<PackedCentred>(),
            lattice()["midpoint_i_plus_half_over_65536"].as<std::uint64_t>());
}

TEST(PiLattice, PublishedIsUnfusedSinglePrecision) {
  EXPECT_EQ(lattice_hits<PackedPublished>(),
            lattice()["float32_no_fma_i_over_65535"].as<std::uint64_t>());
}

}  // namespace
}  // namespace rivulet

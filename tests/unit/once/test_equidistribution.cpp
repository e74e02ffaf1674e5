// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bitset>
#include <vector>

#include "parameters/equidistribution.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Which of the P state bits each output bit depends on: entry 32 t + i for bit i (from the most
/// significant) of output t. Steps the generator itself from every basis state.
template <int P>
std::vector<std::bitset<P>> output_bits(const DcmtSet& set, std::size_t outputs) {
  constexpr DcmtShape shape = dcmt_shape(P);
  std::vector<std::bitset<P>> rows(32 * outputs);
  for (std::size_t bit = 0; bit < P; ++bit) {
    const std::size_t place = bit + shape.r;  // the r low bits of word 0 are not state
    typename Dcmt<P>::State state{};
    state.x[place / 32] = std::uint32_t{1} << (place % 32);
    Dcmt<P> engine({set.a, set.b, set.c}, state);
    for (std::size_t t = 0; t < outputs; ++t) {
      const std::uint32_t word = engine();
      for (std::size_t i = 0; i < 32; ++i) rows[32 * t + i][bit] = (word >> (31 - i) & 1) != 0;
    }
  }
  return rows;
}

/// The largest k such that the v leading bits of k outputs are independent, by plain elimination.
template <int P>
std::uint32_t brute_force_dimension(const std::vector<std::bitset<P>>& rows, std::size_t v) {
  std::vector<std::bitset<P>> reduced;
  std::vector<std::size_t> pivots;
  for (std::uint32_t t = 0; 32 * t < rows.size(); ++t) {
    for (std::size_t i = 0; i < v; ++i) {
      std::bitset<P> row = rows[32 * t + i];
      for (std::size_t j = 0; j < reduced.size(); ++j) {
        if (row[pivots[j]]) row ^= reduced[j];
      }
      if (row.none()) return t;
      reduced.push_back(row);
      pivots.push_back(row._Find_first());
    }
  }
  return static_cast<std::uint32_t>(rows.size() / 32);
}

template <int P>
void expect_brute_force(const DcmtSet& set) {
  const Equidistribution k = dimensions_of_equidistribution(dcmt_shape(P), set);
  const auto rows = output_bits<P>(set, P + 1);
  for (std::size_t v = 1; v <= 32; ++v) {
    EXPECT_EQ(k[v - 1], brute_force_dimension<P>(rows, v)) << "p = " << P << ", v = " << v;
  }
}

TEST(Equidistribution, AgreesWithTheGeneratorsBits) {
  expect_brute_force<521>(published_dcmt521().sets[0]);
  expect_brute_force<521>(published_dcmt521().sets[31]);
  expect_brute_force<607>({0, 3918397440u, 3723391872u, 1870299136u});
}

TEST(Equidistribution, AgreesWithTheGeneratorsBitsForOtherMasks) {
  expect_brute_force<521>({0, published_dcmt521().sets[5].a, 0, 0});
  expect_brute_force<521>({0, published_dcmt521().sets[5].a, 0xffffffffu, 0xffffffffu});
  expect_brute_force<607>({1, 4030595073u, 0x12345678u, 0x9abcdef0u});
}

TEST(Equidistribution, RefusesOtherExponents) {
  EXPECT_THROW(dimensions_of_equidistribution(dcmt_shape(2281), {}), Error);
}

}  // namespace
}  // namespace rivulet

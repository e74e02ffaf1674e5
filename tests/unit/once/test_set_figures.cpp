// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <vector>

#include "parameters/equidistribution.hpp"
#include "parameters/linear_relations.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Returns, for each output bit, the state bits on which it depends, as a set of P bits. Entry 32 t
/// + i is for bit i (from the most significant) of output t. The function runs the generator itself
/// from every basis state.
template <int P>
std::vector<std::bitset<P>> output_bits(const DcmtSet& set, std::size_t outputs) {
  constexpr DcmtShape shape = dcmt_shape(P);
  std::vector<std::bitset<P>> rows(32 * outputs);
  for (std::size_t bit = 0; bit < P; ++bit) {
    const std::size_t place = bit + shape.r;  // the state lacks the r low bits of word 0
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

/// Returns, by Gaussian elimination, the largest k for which the v leading bits of k outputs are
/// linearly independent.
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

// The library computes relations from the matrices of the recurrence. The tests below search
// numbers that are drawn from this many random start states. The bits of a relation sum to zero for
// every start state. Other bits do so with a probability of at most 2^-40.
constexpr std::size_t states = 320;

/// The values of one bit of a number, one value per start state.
using Signature = std::bitset<states>;
/// Signatures of all bits. Entry 32 k + i is for bit i of number k.
using Signatures = std::vector<Signature>;

template <int P>
Signatures signatures(const DcmtSet& set, std::size_t numbers) {
  Signatures all(32 * numbers);
  for (std::size_t s = 0; s < states; ++s) {
    DcmtState<P, std::uint32_t> start;
    for (std::size_t k = 0; k < start.words; ++k) {
      start.x[k] = static_cast<std::uint32_t>(splitmix64_mix(1000 * s + k + 1));
    }
    Dcmt<P> twister({set.a, set.b, set.c}, start);
    for (std::size_t k = 0; k < numbers; ++k) {
      const std::uint32_t number = twister();
      for (std::size_t i = 0; i < 32; ++i) all[32 * k + i][s] = (number >> i & 1) != 0;
    }
  }
  return all;
}

Signatures signatures(int p, const DcmtSet& set, std::size_t numbers) {
  if (p == 521) return signatures<521>(set, numbers);
  if (p == 607) return signatures<607>(set, numbers);
  if (p == 1279) return signatures<1279>(set, numbers);
  return signatures<2203>(set, numbers);
}

bool are_dependent(Signatures rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t column = 0;
    while (column < states && !rows[i][column]) ++column;
    if (column == states) return true;
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      if (rows[j][column]) rows[j] ^= rows[i];
    }
  }
  return false;
}

/// Returns the first bit of a window of four adjacent bits that are dependent across n + 1 numbers.
/// Returns -1 if there is no such window.
int dependent_window(int p, const DcmtSet& set) {
  const auto numbers = static_cast<std::size_t>(dcmt_shape(p).n) + 1;
  const Signatures all = signatures(p, set, numbers);
  for (std::size_t first = 0; first + 4 <= 32; ++first) {
    Signatures window;
    for (std::size_t k = 0; k < numbers; ++k) {
      for (std::size_t i = first; i < first + 4; ++i) window.push_back(all[32 * k + i]);
    }
    if (are_dependent(window)) return static_cast<int>(first);
  }
  return -1;
}

/// Returns true if three bits of successive numbers sum to zero, at any lags. At least one of the
/// three is a bit of the first number.
bool three_sum_to_zero(const Signatures& all) {
  std::vector<std::uint64_t> sorted;
  const auto low = [](const Signature& s) { return (s & Signature(~0ULL)).to_ullong(); };
  for (const Signature& one : all) sorted.push_back(low(one));
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (std::ranges::binary_search(sorted, low(all[i] ^ all[j]))) return true;
    }
  }
  return false;
}

/// A parameter set with known relations.
struct Known {
  const char* what;
  int p;
  DcmtSet set;
  std::uint32_t weight;
  bool has_window;
};

// Returns some of the sets 0 .. 511 of seed 20261120, from a creator that did not check relations.
std::vector<Known> known() {
  return {
      {"the recurrence's, in a window", 607, {0, 0xf3630000, 0x4cd5bb80, 0xf7558000}, 3, true},
      {"its square's", 607, {4, 0xec520004, 0xcf555b80, 0x7b978000}, 3, false},
      {"its 4th power's", 607, {9, 0x82850009, 0x9d575c80, 0x77cb8000}, 3, false},
      {"its 8th power's", 607, {424, 0x8d8e01a8, 0x995b6680, 0x6fd58000}, 3, false},
      {"in a window, of more bits", 607, {44, 0x8dcd002c, 0x9d97b380, 0x774b8000}, 4, true},
      {"none short", 607, {30, 0xd0bb001e, 0xd4fcec80, 0xefd78000}, 5, false},
      {"the recurrence's, in a window", 521, {115, 0xcc510073, 0x8b64db80, 0xffc58000}, 3, true},
      {"its square's", 521, {341, 0xef580155, 0xdb955e80, 0xfdd58000}, 3, false},
      {"none short", 521, {12, 0xc6d9000c, 0x2af53b80, 0xffd78000}, 4, false},
      {"none short", 521, {0, 0x81710000, 0x79655b80, 0xffd58000}, 6, false},
      {"its square's", 1279, {0, 0xe21e0000, 0x33557780, 0xeed58000}, 3, false},
      {"none short", 1279, {10, 0xe998000a, 0xcff57780, 0xed658000}, 4, false},
      {"its square's", 2203, {1, 0xcb140001, 0x9d77b780, 0x6fd50000}, 3, false},
      {"none short", 2203, {0, 0x9c710000, 0xccb2df80, 0xf7d48000}, 5, false},
  };
}

TEST(LinearRelations, OfKnownSets) {
  for (const Known& one : known()) {
    SCOPED_TRACE(one.what);
    const LinearRelations found = linear_relations(dcmt_shape(one.p), one.set);
    EXPECT_EQ(found.least_weight, one.weight);
    EXPECT_EQ(found.in_window, one.has_window);
    EXPECT_EQ(found.are_short(), one.has_window || one.weight <= 3);
  }
}

TEST(LinearRelations, AreThoseOfTheNumbers) {
  for (const Known& one : known()) {
    SCOPED_TRACE(one.what);
    const auto n = static_cast<std::size_t>(dcmt_shape(one.p).n);
    EXPECT_EQ(dependent_window(one.p, one.set) >= 0, one.has_window);
    EXPECT_EQ(three_sum_to_zero(signatures(one.p, one.set, 8 * n + 1)), one.weight == 3);
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "bit_matrix_rank.hpp"
#include "hamming_weights.hpp"
#include "known_words.hpp"

namespace rivulet::independence {
namespace {

// What short linear relations of a parameter set do to its numbers, from random states.

constexpr double threshold = 1e-8;

/// Streams on each set of a source.
template <int P>
WordTable words_of_sets(const std::vector<DcmtSet>& sets, std::uint64_t numbers) {
  return twisters_of_random_states<P>("sets", {P, "test", sets}).draw(ids(sets.size()), numbers);
}

/// The lags at which powers of the recurrence relate three numbers.
template <int P>
std::vector<LagPair> lags_of_powers() {
  constexpr auto shape = dcmt_shape(P);
  constexpr auto n = static_cast<std::size_t>(shape.n);
  constexpr auto m = static_cast<std::size_t>(shape.m);
  std::vector<LagPair> pairs;
  for (std::size_t q = 1; q <= 8; q *= 2) {
    for (std::size_t j = 0; j <= q; ++j) pairs.push_back({q * (n - m), q * n - j});
  }
  return pairs;
}

template <int P>
double least_weights_p_value(WordTable table) {
  double least = 1;
  for (const LagPair lags : lags_of_powers<P>()) {
    HammingWeightTriples triples(lags);
    for (std::uint64_t s = 0; s < table.streams(); ++s) triples.add(table.stream(s));
    least = std::min(least, normal_p_value(triples.z()));
  }
  return least;
}

/// TestU01's MatrixRank of L = 60, s = 3, for all r.
double least_rank_p_value(std::span<const std::uint32_t> words) {
  double least = 1;
  for (int first = 0; first + 3 <= 32; ++first) {
    least = std::min(least, rank_p_value(words, 60, {first, 3}));
  }
  return least;
}

constexpr std::uint64_t rank_words = 120 * 60 * 20;

// Sets shipped before the creator looked at relations.
const DcmtSet former_607_0{0, 0xf3630000, 0x4cd5bb80, 0xf7558000};  // of three bits, in a window
const DcmtSet former_607_4{4, 0xec520004, 0xcf555b80, 0x7b978000};  // of the recurrence's square
const DcmtSet former_521_115{115, 0xcc510073, 0x8b64db80, 0xffc58000};  // in a window

template <int P>
double rank_p_value_of(const DcmtSet& set) {
  WordTable table = words_of_sets<P>({set}, rank_words);
  return least_rank_p_value(table.stream(0));
}

TEST(SetRelations, ThoseInWindowsFailMatrixRanks) {
  EXPECT_LT(rank_p_value_of<607>(former_607_0), 1e-20);
  EXPECT_LT(rank_p_value_of<521>(former_521_115), 1e-20);
  EXPECT_GT(rank_p_value_of<607>(former_607_4), threshold);
}

TEST(SetRelations, ThoseOfThreeBitsFailHammingWeights) {
  constexpr std::uint64_t numbers = 4000000;
  EXPECT_LT(least_weights_p_value<607>(words_of_sets<607>({former_607_0}, numbers)), 1e-20);
  EXPECT_LT(least_weights_p_value<607>(words_of_sets<607>({former_607_4}, numbers)), 1e-20);
  EXPECT_LT(least_weights_p_value<521>(words_of_sets<521>({former_521_115}, numbers)), 1e-15);
}

/// All sets together: as most of dcmt607's had relations of three bits once, they failed.
template <int P>
void expect_unrelated(const DcmtSets& shipped) {
  EXPECT_GT(least_weights_p_value<P>(words_of_sets<P>(shipped.sets, 8000)), threshold);
  for (std::size_t i = 0; i < shipped.sets.size(); i += 40) {
    EXPECT_GT(rank_p_value_of<P>(shipped.sets[i]), threshold) << "set " << i;
  }
}

TEST(SetRelations, ShippedSetsHaveNone) {
  expect_unrelated<521>(shipped_dcmt(521));
  expect_unrelated<607>(shipped_dcmt(607));
}

}  // namespace
}  // namespace rivulet::independence

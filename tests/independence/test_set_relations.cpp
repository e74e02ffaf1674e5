// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "known_words.hpp"

namespace rivulet::independence {
namespace {

// Short linear relations of a parameter set show in the weights of its numbers, from random states.
// The battery's products of weights look at other lags.

/// How many numbers before another one two others are.
struct LagPair {
  std::size_t a;
  std::size_t b;
};

/// Numbers of ones, h = popcount - 16, of three numbers: the sum of h(t) h(t-a) h(t-b) over streams
/// has the variance 8^3 a term, and is far from zero where bits of the three have a linear
/// relation. After Blackman & Vigna, "A New Test for Hamming-Weight Dependencies", ACM TOMACS 32
/// (2022) 19.
class HammingWeightTriples {
 public:
  explicit HammingWeightTriples(LagPair lags) : lags_(lags) {}

  void add(std::span<const std::uint32_t> stream) {
    std::vector<int> weights;
    weights.reserve(stream.size());
    for (const std::uint32_t word : stream) weights.push_back(std::popcount(word) - 16);
    for (std::size_t t = std::max(lags_.a, lags_.b); t < weights.size(); ++t) {
      sum_ += weights[t] * weights[t - lags_.a] * weights[t - lags_.b];
      ++terms_;
    }
  }
  /// A standard normal variable.
  double z() const {
    return static_cast<double>(sum_) / std::sqrt(512 * static_cast<double>(terms_));
  }

 private:
  LagPair lags_;
  std::int64_t sum_ = 0;
  std::uint64_t terms_ = 0;
};

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

/// The largest |z| at all lags, of a stream on each set.
template <int P>
double largest_z(const std::vector<DcmtSet>& sets, std::uint64_t numbers) {
  WordTable table = twisters_of_random_states<P>({P, "test", sets})(ids(sets.size()), numbers);
  double largest = 0;
  for (const LagPair lags : lags_of_powers<P>()) {
    HammingWeightTriples triples(lags);
    for (std::uint64_t s = 0; s < table.streams(); ++s) triples.add(table.stream(s));
    largest = std::max(largest, std::abs(triples.z()));
  }
  return largest;
}

// Sets shipped before the creator looked at relations.
const DcmtSet former_607_0{0, 0xf3630000, 0x4cd5bb80, 0xf7558000};  // of three bits, in a window
const DcmtSet former_607_4{4, 0xec520004, 0xcf555b80, 0x7b978000};  // of the recurrence's square
const DcmtSet former_521_115{115, 0xcc510073, 0x8b64db80, 0xffc58000};  // in a window

TEST(SetRelations, ThoseOfThreeBitsFailHammingWeights) {
  constexpr std::uint64_t numbers = 4000000;
  EXPECT_GT(largest_z<607>({former_607_0}, numbers), 9);
  EXPECT_GT(largest_z<607>({former_607_4}, numbers), 9);
  EXPECT_GT(largest_z<521>({former_521_115}, numbers), 8);
}

/// Most of dcmt607's former sets had relations of three bits, and failed together. A normal
/// variable is beyond 5.7 with a chance of 1e-8.
TEST(SetRelations, ShippedSetsHaveNone) {
  EXPECT_LT(largest_z<521>(shipped_dcmt(521).sets, 8000), 5.7);
  EXPECT_LT(largest_z<607>(shipped_dcmt(607).sets, 8000), 5.7);
}

}  // namespace
}  // namespace rivulet::independence

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The C++ library's own powers of t over GF(2), which make the starts and jumps of its twisters,
// against NTL's.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "algebra/gf2_polynomial.hpp"
#include "parameters/characteristic_polynomial.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/twister_jump.hpp"
#include "streams/jump_polynomials.hpp"

namespace rivulet {
namespace {

using detail::Gf2PowersOfT;
using detail::Gf2Words;

struct Twister {
  DcmtShape shape;
  std::vector<std::uint32_t> twists;
};

/// Coefficients that twisters have, and some more: the arithmetic asks for no irreducible ones.
Twister twister_of(int p) {
  if (p == Mt19937Recurrence::shape.p) return {Mt19937Recurrence::shape, {Mt19937Recurrence::a}};
  std::vector<std::uint32_t> twists{0x80000000u, 0x00000001u, 0xffffffffu, 0xdeadbeefu};
  if (p == 521 || p == 607) {
    for (const DcmtSet& set : shipped_dcmt(p).sets) twists.push_back(set.a);
    twists.resize(20);
  }
  return {dcmt_shape(p), twists};
}

class LibraryPolynomials : public testing::TestWithParam<int> {
 public:
  /// Calls use(own, phi) for each of the exponent's twisters: powers of t, and what they are
  /// modulo.
  template <class Use>
  static void for_each_twister(const Use& use) {
    const Twister twister = twister_of(GetParam());
    const detail::TwisterPolynomials polynomials(twister.shape);
    for (const std::uint32_t a : twister.twists) {
      use(polynomials.of(a), dcmt_characteristic_polynomial(twister.shape, a));
    }
  }
};

Gf2Words padded(const Gf2Polynomial& polynomial, std::size_t words) {
  Gf2Words all = polynomial.words();
  EXPECT_LE(all.size(), words);
  all.resize(words);
  return all;
}

std::vector<std::uint64_t> words_of(Uint128 exponent) {
  return {static_cast<std::uint64_t>(exponent), static_cast<std::uint64_t>(exponent >> 64)};
}

TEST_P(LibraryPolynomials, PowersAreNtls) {
  std::mt19937_64 random(1);
  const auto p = static_cast<Uint128>(GetParam());
  std::vector<Uint128> exponents{
      0, 1, 2, 63, 64, 65, p - 1, p, p + 1, 2 * p, p / 64 * 64, Uint128{1} << 64, ~Uint128{0}};
  for (int i = 0; i < 10; ++i) exponents.push_back(Uint128{random()} << 64 | random());
  for_each_twister([&](const Gf2PowersOfT& own, const Gf2Polynomial& phi) {
    for (const Uint128 exponent : exponents) {
      EXPECT_EQ(own.power(words_of(exponent)), padded(power_of_t(exponent, phi), own.words()))
          << static_cast<std::uint64_t>(exponent >> 64) << " 2^64 + "
          << static_cast<std::uint64_t>(exponent);
    }
  });
}

TEST_P(LibraryPolynomials, StartsAreNtls) {
  const IrregularStarts starts(128);
  for_each_twister([&](const Gf2PowersOfT& own, const Gf2Polynomial& phi) {
    const JumpPolynomials ntl(phi, starts, ~std::uint64_t{0});
    ASSERT_EQ(ntl.bits(), 64U);
    const std::vector<Gf2Words> jumps = detail::start_jumps(own, starts, 64);
    ASSERT_EQ(jumps.size(), 64U);
    for (unsigned r = 0; r < 64; ++r) {
      EXPECT_EQ(jumps[r], padded(ntl.bit(r), own.words())) << r;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Exponents, LibraryPolynomials,
                         testing::Values(521, 607, 1279, 2203, Mt19937Recurrence::shape.p),
                         testing::PrintToStringParamName());

TEST(LibraryPolynomials, ExponentsAreAllThatAreOffered) {
  EXPECT_EQ(dcmt_exponents, (std::array<int, 4>{521, 607, 1279, 2203}));
}

/// Degrees that are multiples of 64, or just beside them, whose top word is full or nearly empty.
TEST(LibraryPolynomials, EveryDegreeWorks) {
  std::mt19937_64 random(2);
  for (const std::size_t degree : {65U, 127U, 128U, 129U, 191U, 192U, 193U, 256U}) {
    Gf2Words lower((degree + 63) / 64);
    for (std::uint64_t& word : lower) word = random();
    if (degree % 64 != 0) lower.back() &= (std::uint64_t{1} << degree % 64) - 1;
    Gf2Words all = lower;
    all.resize(degree / 64 + 1);
    all[degree / 64] |= std::uint64_t{1} << degree % 64;
    const Gf2PowersOfT own(degree, lower);
    const Gf2Polynomial phi(all);
    for (int i = 0; i < 20; ++i) {
      const Uint128 exponent = (Uint128{random()} << 64 | random()) >> 6 * i;
      const Gf2Words power = own.power(words_of(exponent));
      EXPECT_EQ(power, padded(power_of_t(exponent, phi), own.words())) << degree;
      const Gf2Words half = own.power(words_of(exponent / 2));
      const Gf2Words rest = own.power(words_of(exponent - exponent / 2));
      EXPECT_EQ(own.product(half, rest), power) << degree;
    }
  }
}

}  // namespace
}  // namespace rivulet

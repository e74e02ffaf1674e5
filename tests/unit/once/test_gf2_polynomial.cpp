// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks polynomials over GF(2). The starts and jumps of twisters are computed from such
// polynomials. The references are published polynomials, results of NTL, and products computed bit
// by bit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "parameters/small_factor_sieve.hpp"
#include "power_of_t.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/error.hpp"
#include "sha1.hpp"
#include "start_steps.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

/// Parses hexadecimal digits, the most significant coefficient first.
Gf2Polynomial polynomial_of(const std::string& digits) {
  std::vector<std::uint64_t> words((digits.size() + 15) / 16);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::string digit = digits.substr(digits.size() - 1 - i, 1);
    words[i / 16] |= std::uint64_t{std::stoul(digit, nullptr, 16)} << (4 * (i % 16));
  }
  return Gf2Polynomial(words);
}

void expect_reference_polynomials(const std::string& name, std::size_t count) {
  const YAML::Node data = test_data(name);
  const DcmtShape shape = dcmt_shape(data["p"].as<int>());
  ASSERT_EQ(data["sets"].size(), count);
  for (const auto& set : data["sets"]) {
    const Gf2Polynomial phi = dcmt_characteristic_polynomial(shape, set["aaa"].as<std::uint32_t>());
    EXPECT_EQ(phi, polynomial_of(set["charpoly"].as<std::string>()));
    EXPECT_EQ(phi.degree(), shape.p);
    EXPECT_TRUE(is_irreducible(phi));
  }
}

TEST(Gf2Polynomial, CharacteristicPolynomialsOfThePublishedSets) {
  expect_reference_polynomials("dc_p521_opencl_book_32sets.json", 32);
}

TEST(Gf2Polynomial, CharacteristicPolynomialsOfExponent607) {
  expect_reference_polynomials("dc_p607_8sets.json", 8);
}

/// Returns a * b, computed term by term.
std::uint64_t product_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 32; ++i) sum ^= (a >> i & 1) != 0 ? b << i : 0;
  return sum;
}

/// Checks prime and composite degrees, with factors of all degrees.
TEST(Gf2Polynomial, IrreducibleOnesAreNoProducts) {
  constexpr std::uint64_t end = 1u << 14;
  std::vector<bool> is_product(end, false);
  for (std::uint64_t a = 2; a < end / 2; ++a) {
    for (std::uint64_t b = 2; b <= a && product_of(a, b) < end; ++b) {
      is_product[product_of(a, b)] = true;
    }
  }
  int of_degree_13 = 0;
  for (std::uint64_t polynomial = 2; polynomial < end; ++polynomial) {
    const bool proved = is_irreducible(Gf2Polynomial({polynomial}));
    ASSERT_EQ(proved, !is_product[polynomial]) << polynomial;
    of_degree_13 += proved && polynomial >= end / 2 ? 1 : 0;
  }
  EXPECT_EQ(of_degree_13, 630);  // (2^13 - 2) / 13
}

/// Checks that every version of the product that this processor supports writes the requested words
/// of the product, and no word beyond them.
TEST(Gf2Polynomial, ProductsAreAlikeOnAllProcessors) {
  std::mt19937_64 random(4);
  std::vector<std::size_t> sizes{detail::gf2_most_direct_words,
                                 detail::gf2_karatsuba_size(detail::gf2_most_direct_words + 1)};
  for (std::size_t words = 2; words < 5 * detail::gf2_karatsuba_words;
       words = detail::gf2_karatsuba_size(words + 1)) {
    sizes.push_back(words);
  }
  for (const std::size_t words : sizes) {
    detail::Gf2Words a(words);
    detail::Gf2Words b(words);
    for (std::size_t i = 0; i < words; ++i) {
      a[i] = random();
      b[i] = random();
    }
    detail::Gf2Words sum(2 * words, 0);
    for (std::size_t i = 0; i < 64 * words; ++i) {
      if ((a[i / 64] >> i % 64 & 1) != 0) detail::gf2_add_shifted(sum, b, i);
    }
    const auto expect = [&](std::size_t first, std::size_t last, const auto& multiply) {
      detail::Gf2Words product(2 * words + 1, 1);
      multiply(product.data());
      EXPECT_TRUE(std::equal(&sum[first], &sum[first] + (last - first), &product[first]))
          << words << " from " << first << " to " << last;
      EXPECT_EQ(product.back(), 1u) << words;
    };
    detail::Gf2Words scratch(detail::gf2_karatsuba_scratch(words));
    for (const detail::Gf2Multiplier& base : detail::gf2_multipliers()) {
      const std::size_t parts[][2] = {{0, 2 * words}, {0, words}, {words, 2 * words}};
      for (const auto& [first, last] : parts) {
        expect(first, last, [&, from = first, upto = last](std::uint64_t* product) {
          detail::gf2_karatsuba(base, a.data(), b.data(), words, from, upto, product,
                                scratch.data());
        });
      }
      if (words > base.most_words) continue;
      for (std::size_t first = 0; first < 2 * words; first += 2) {
        for (std::size_t last = first + 2; last <= 2 * words; last += 2) {
          expect(first, last, [&](std::uint64_t* product) {
            base.product(a.data(), b.data(), words, first, last, product);
          });
        }
      }
    }
  }
}

TEST(Gf2Polynomial, PowersModuloTheLinearPolynomials) {
  EXPECT_EQ(power_of_t(5, 3, polynomial_of("3")), polynomial_of("1"));
  EXPECT_EQ(power_of_t(5, 3, polynomial_of("2")), polynomial_of("0"));
  EXPECT_EQ(power_of_t(0, 3, polynomial_of("2")), polynomial_of("1"));
  EXPECT_THROW(power_of_t(1, 1, polynomial_of("1")), Error);
  EXPECT_THROW(power_of_t(1, 1, Gf2Polynomial()), Error);
}

TEST(JumpPolynomials, AgreeWithPowers) {
  const Gf2Polynomial phi =
      dcmt_characteristic_polynomial(dcmt_shape(521), published_dcmt521().sets[7].a);
  const IrregularStarts starts(64);
  const JumpPolynomials jumps(phi, starts, 300);
  ASSERT_EQ(jumps.bits(), 9u);
  for (const std::uint64_t s : {0u, 1u, 2u, 3u, 255u, 300u}) {
    EXPECT_EQ(jumps.of(s), power_of_t(jumps_to(starts, s), phi)) << s;
  }
  EXPECT_THROW(jumps.of(301), Error);
}

TEST(JumpPolynomials, ReachBeyond128Bits) {
  // t^(2^521) = t modulo a primitive polynomial of degree 521.
  const Gf2Polynomial phi =
      dcmt_characteristic_polynomial(dcmt_shape(521), published_dcmt521().sets[3].a);
  const JumpPolynomials jumps(phi, IrregularStarts(519), 2);
  EXPECT_EQ(jumps.bit_jumps()[1],
            power_of_t(Uint128{1} + 2 * Uint128{IrregularStarts::distance_low} +
                           IrregularStarts::offset(1),
                       phi));
}

TEST(JumpPolynomials, NoJumpIsOne) {
  const JumpPolynomials jumps(polynomial_of("11b"), IrregularStarts(64), 0);
  EXPECT_EQ(jumps.bits(), 0u);
  EXPECT_EQ(jumps.of(0), polynomial_of("1"));
}

TEST(SmallFactorSieve, AgreesWithIrreducibility) {
  const DcmtShape shape = dcmt_shape(521);
  const SmallFactorSieve low(shape, 1, 9);
  const SmallFactorSieve high(shape, 10, 12);
  int stopped_low = 0;
  int stopped_high = 0;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t a = 0x80000000u | i * 2654435761u;
    if (low.has_factor(a)) {
      ++stopped_low;
    } else if (high.has_factor(a)) {
      ++stopped_high;
    } else {
      continue;
    }
    EXPECT_FALSE(is_irreducible(dcmt_characteristic_polynomial(shape, a)));
  }
  for (const DcmtSet& set : published_dcmt521().sets) {
    EXPECT_FALSE(low.has_factor(set.a));
    EXPECT_FALSE(high.has_factor(set.a));
  }
  // The shape excludes the factors T and T + 1. A random polynomial therefore passes with
  // probability near 4 exp(-gamma) / 9 = 0.25. A polynomial that passes has a factor of degree 10
  // .. 12 with probability 0.25.
  EXPECT_GT(stopped_low, 190);
  EXPECT_LT(stopped_low, 250);
  EXPECT_GT(stopped_high, 5);
}

/// A characteristic polynomial, and the checksums of NTL's results modulo this polynomial
/// (gf2_powers.json). Some polynomials belong to coefficients that no twister has, because the
/// arithmetic does not require irreducible polynomials.
struct Reference {
  Gf2Polynomial phi;
  std::string powers;
  std::string starts;
};

std::vector<Reference> references_of(int p) {
  const bool is_mt19937 = p == Mt19937Recurrence::shape.p;
  const DcmtShape shape = is_mt19937 ? Mt19937Recurrence::shape : dcmt_shape(p);
  std::vector<Reference> references;
  for (const auto& row : test_data("gf2_powers.json")["rows"]) {
    if (row[0].as<int>() != p) continue;
    references.push_back({dcmt_characteristic_polynomial(shape, row[1].as<std::uint32_t>()),
                          row[2].as<std::string>(), row[3].as<std::string>()});
  }
  return references;
}

std::string digits_of(const Gf2Polynomial& polynomial) {
  std::string digits;
  for (const std::uint64_t word : polynomial.words()) digits += fmt::format("{:016x}", word);
  return digits + '\n';
}

class LibraryPolynomials : public testing::TestWithParam<int> {
 public:
  LibraryPolynomials() : references(references_of(GetParam())) {
    EXPECT_EQ(references.size(), GetParam() < 700 ? 8U : GetParam() < 3000 ? 4U : 1U);
  }
  const std::vector<Reference> references;
};

TEST_P(LibraryPolynomials, PowersAreNtls) {
  std::mt19937_64 random(1);
  const auto p = static_cast<Uint128>(GetParam());
  std::vector<Uint128> exponents{
      0, 1, 2, 63, 64, 65, p - 1, p, p + 1, 2 * p, p / 64 * 64, Uint128{1} << 64, ~Uint128{0}};
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t high = random();
    exponents.push_back(Uint128{high} << 64 | random());
  }
  for (const Reference& reference : references) {
    std::string digits;
    for (const Uint128 exponent : exponents)
      digits += digits_of(power_of_t(exponent, reference.phi));
    EXPECT_EQ(sha1(digits), reference.powers);
  }
}

TEST_P(LibraryPolynomials, StartsAreNtls) {
  for (const Reference& reference : references) {
    const JumpPolynomials jumps(reference.phi, IrregularStarts(128), ~std::uint64_t{0});
    ASSERT_EQ(jumps.bits(), 64U);
    std::string digits;
    for (unsigned r = 0; r < 64; ++r) digits += digits_of(jumps.bit_jumps()[r]);
    EXPECT_EQ(sha1(digits), reference.starts);
  }
}

INSTANTIATE_TEST_SUITE_P(Exponents, LibraryPolynomials,
                         testing::Values(521, 607, 1279, 2203, Mt19937Recurrence::shape.p),
                         testing::PrintToStringParamName());

/// Returns a * b modulo phi, computed bit by bit.
std::vector<bool> product_by_bits(const std::vector<bool>& a, const std::vector<bool>& b,
                                  const Gf2Polynomial& phi) {
  const auto degree = static_cast<std::size_t>(phi.degree());
  std::vector<bool> product(2 * degree, false);
  for (std::size_t i = 0; i < degree; ++i) {
    for (std::size_t j = 0; a[i] && j < degree; ++j) product[i + j] = product[i + j] != b[j];
  }
  for (std::size_t i = 2 * degree; i-- > degree;) {
    for (std::size_t j = 0; product[i] && j < degree; ++j) {
      const bool has_term = phi.coefficient(static_cast<int>(j));
      product[i - degree + j] = product[i - degree + j] != has_term;
    }
  }
  product.resize(degree);
  return product;
}

/// Checks degrees at and next to multiples of 64, where the top word is full or nearly empty. The
/// degrees are below and above the threshold of Karatsuba's method. The test covers every version
/// of the product that this processor supports.
TEST(LibraryPolynomials, EveryDegreeWorks) {
  std::mt19937_64 random(2);
  for (const std::size_t degree :
       {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 191U, 192U, 193U, 256U, 2303U, 2304U, 4700U}) {
    detail::Gf2Words all(degree / 64 + 1);
    for (std::uint64_t& word : all) word = random();
    all.back() &= (std::uint64_t{1} << degree % 64) - 1;
    all.back() |= std::uint64_t{1} << degree % 64;
    const Gf2Polynomial phi(all);
    const auto bits_of = [&](const detail::Gf2Words& words) {
      std::vector<bool> bits(degree);
      for (std::size_t i = 0; i < degree; ++i) bits[i] = (words[i / 64] >> i % 64 & 1) != 0;
      return bits;
    };
    for (const detail::Gf2Multiplier& base : detail::gf2_multipliers()) {
      const Gf2Modulus modulus(phi, base);
      detail::Gf2Words a = modulus.power_of_t({random()});
      for (int i = 0; i < (degree < 300 ? 5 : 1); ++i) {
        const detail::Gf2Words b = modulus.power_of_t({random(), random()});
        const detail::Gf2Words product = modulus.product(a, b);
        EXPECT_LT(Gf2Polynomial(product).degree(), static_cast<int>(degree));
        EXPECT_EQ(bits_of(product), product_by_bits(bits_of(a), bits_of(b), phi)) << degree;
        detail::Gf2Words square = product;
        modulus.square(square);
        EXPECT_EQ(square, modulus.product(product, product)) << degree;
        a = product;
      }
    }
  }
}

}  // namespace
}  // namespace rivulet

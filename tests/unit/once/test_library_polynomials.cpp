// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Powers of t over GF(2), which make the starts and jumps of twisters, against what NTL computed,
// and against products bit by bit.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "sha1.hpp"

namespace rivulet {
namespace {

/// A characteristic polynomial, and the sums of what NTL computed modulo it (gf2_powers.json).
/// Some are of coefficients that no twister has: the arithmetic asks for no irreducible ones.
struct Reference {
  Gf2Polynomial phi;
  std::string powers;
  std::string starts;
};

std::vector<Reference> references_of(int p) {
  const bool is_mt19937 = p == Mt19937Recurrence::shape.p;
  const DcmtShape shape = is_mt19937 ? Mt19937Recurrence::shape : dcmt_shape(p);
  std::vector<Reference> references;
  for (const auto& row : YAML::LoadFile(RIVULET_TEST_DATA "/gf2_powers.json")["rows"]) {
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
    for (unsigned r = 0; r < 64; ++r) digits += digits_of(jumps.of_bits()[r]);
    EXPECT_EQ(sha1(digits), reference.starts);
  }
}

INSTANTIATE_TEST_SUITE_P(Exponents, LibraryPolynomials,
                         testing::Values(521, 607, 1279, 2203, Mt19937Recurrence::shape.p),
                         testing::PrintToStringParamName());

/// a * b modulo phi, bit by bit.
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

/// Degrees that are multiples of 64, or just beside them, whose top word is full or nearly empty;
/// below and above those for Karatsuba's method. By every product that this processor has.
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

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algebra/gf2_polynomial.hpp"

#include <NTL/GF2X.h>
#include <NTL/GF2XFactoring.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "algebra/gf2_modulus.hpp"
#include "error.hpp"

namespace rivulet {
namespace {

constexpr long word_bytes = sizeof(std::uint64_t);

NTL::GF2X to_ntl(const Gf2Polynomial& polynomial) {
  std::vector<unsigned char> bytes;
  bytes.reserve(polynomial.words().size() * word_bytes);
  for (const std::uint64_t word : polynomial.words()) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<unsigned char>(word >> shift));
    }
  }
  return NTL::GF2XFromBytes(bytes.data(), static_cast<long>(bytes.size()));
}

Gf2Polynomial from_ntl(const NTL::GF2X& polynomial) {
  const long count = (NTL::deg(polynomial) + 64) / 64;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count * word_bytes));
  NTL::BytesFromGF2X(bytes.data(), polynomial, count * word_bytes);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    words[i / word_bytes] |= std::uint64_t{bytes[i]} << (8 * (i % word_bytes));
  }
  return Gf2Polynomial(std::move(words));
}

NTL::GF2X binomial(int high, int low) {
  NTL::GF2X polynomial;
  NTL::SetCoeff(polynomial, high);
  NTL::SetCoeff(polynomial, low);
  return polynomial;
}

/// The characteristic polynomial is affine in the bits of a: entry i < 32 is what bit i of a adds,
/// the last entry is the polynomial of a = 0.
using AffineForm = std::array<Gf2Polynomial, 33>;

AffineForm affine_form(const DcmtShape& shape) {
  const NTL::GF2X upper = binomial(shape.n, shape.m);
  const NTL::GF2X lower = binomial(shape.n - 1, shape.m - 1);
  const NTL::GF2X upper_power = NTL::power(upper, 32 - shape.r);
  AffineForm form;
  for (int i = 0; i < 32; ++i) {
    form[static_cast<std::size_t>(i)] = from_ntl(
        i < shape.r ? upper_power * NTL::power(lower, shape.r - 1 - i) : NTL::power(upper, 31 - i));
  }
  form[32] = from_ntl(upper_power * NTL::power(lower, shape.r));
  return form;
}

/// The form of one of the exponents offered, or nullptr.
const AffineForm* cached_affine_form(const DcmtShape& shape) {
  static const auto forms = [] {
    std::array<AffineForm, dcmt_exponents.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = affine_form(dcmt_shape(dcmt_exponents[i]));
    return all;
  }();
  const auto found = std::find(dcmt_exponents.begin(), dcmt_exponents.end(), shape.p);
  if (found == dcmt_exponents.end()) return nullptr;
  return &forms[static_cast<std::size_t>(found - dcmt_exponents.begin())];
}

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  throw Error("bad hexadecimal polynomial", std::string("'") + digit + "' is not a digit",
              "Use the digits 0-9 and a-f only.");
}

void require_modulus(const Gf2Polynomial& modulus) {
  if (modulus.degree() < 1) {
    throw Error("no jump polynomial", "the modulus is constant",
                "Give the characteristic polynomial of a generator.");
  }
}

NTL::ZZ to_zz(Uint128 number) {
  NTL::ZZ whole = NTL::to_ZZ(static_cast<unsigned long>(number >> 64));
  whole <<= 64;
  return whole + NTL::to_ZZ(static_cast<unsigned long>(number));
}

Gf2Polynomial power_of_t(const NTL::ZZ& exponent, const Gf2Polynomial& modulus) {
  require_modulus(modulus);
  return from_ntl(Gf2Modulus(to_ntl(modulus)).power_of_t(exponent));
}

/// t^(2^i), i = 0 .. last.
std::vector<NTL::GF2X> squares_of_t(const Gf2Modulus& modulus, std::size_t last) {
  std::vector<NTL::GF2X> squares{modulus.t()};
  while (squares.size() <= last) {
    squares.push_back(squares.back());
    modulus.square(squares.back());
  }
  return squares;
}

}  // namespace

Gf2Polynomial::Gf2Polynomial(std::vector<std::uint64_t> words) : words_(std::move(words)) {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

int Gf2Polynomial::degree() const {
  if (words_.empty()) return -1;
  return static_cast<int>(64 * words_.size()) - 1 - std::countl_zero(words_.back());
}

bool Gf2Polynomial::coefficient(int i) const {
  return i >= 0 && i <= degree() && (words_[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1) != 0;
}

std::string to_hex(const Gf2Polynomial& polynomial) {
  std::string digits;
  for (int low = polynomial.degree() / 4 * 4; low >= 0; low -= 4) {
    const auto word = static_cast<std::size_t>(low / 64);
    const std::uint64_t nibble =
        word < polynomial.words().size() ? polynomial.words()[word] >> (low % 64) & 15 : 0;
    digits += "0123456789abcdef"[nibble];
  }
  return digits;
}

Gf2Polynomial gf2_polynomial_from_hex(std::string_view digits) {
  std::vector<std::uint64_t> words((digits.size() + 15) / 16);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto value = static_cast<std::uint64_t>(digit_value(digits[digits.size() - 1 - i]));
    words[i / 16] |= value << (4 * (i % 16));
  }
  return Gf2Polynomial(std::move(words));
}

Gf2Polynomial dcmt_characteristic_polynomial(const DcmtShape& shape, std::uint32_t a) {
  const AffineForm* const cached = cached_affine_form(shape);
  const AffineForm own = cached == nullptr ? affine_form(shape) : AffineForm{};
  const AffineForm& form = cached == nullptr ? own : *cached;
  std::vector<std::uint64_t> words = form[32].words();
  for (std::size_t i = 0; i < 32; ++i) {
    if ((a >> i & 1) == 0) continue;
    const std::vector<std::uint64_t>& term = form[i].words();
    for (std::size_t j = 0; j < term.size(); ++j) words[j] ^= term[j];
  }
  return Gf2Polynomial(std::move(words));
}

bool is_irreducible(const Gf2Polynomial& polynomial) {
  return polynomial.degree() >= 1 && NTL::IterIrredTest(to_ntl(polynomial)) != 0;
}

Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2, const Gf2Polynomial& modulus) {
  return power_of_t(to_zz(multiplier) << log2, modulus);
}

Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus) {
  return power_of_t(to_zz(exponent), modulus);
}

struct JumpPolynomials::Modulus {
  Gf2Modulus value;
};

JumpPolynomials::JumpPolynomials(const Gf2Polynomial& modulus, IrregularStarts starts,
                                 std::uint64_t most)
    : most_(most) {
  require_modulus(modulus);
  modulus_ = std::make_unique<Modulus>(Modulus{Gf2Modulus(to_ntl(modulus))});
  if (most == 0) return;
  const Gf2Modulus& phi = modulus_->value;
  const std::vector<NTL::GF2X> squares = squares_of_t(phi, IrregularStarts::most_exponent);
  const NTL::ZZ distance =
      (NTL::to_ZZ(1) << (starts.log2_distance() + 1)) + to_zz(IrregularStarts::distance_low);
  NTL::GF2X regular = phi.power_of_t(distance);
  for (unsigned r = 0; r < static_cast<unsigned>(std::bit_width(most)); ++r) {
    NTL::GF2X jump = regular;
    phi.multiply_by_t(jump);
    for (const unsigned exponent : IrregularStarts::offset_exponents(r)) {
      phi.multiply(jump, jump, squares[exponent]);
    }
    of_bits_.push_back(from_ntl(jump));
    phi.square(regular);
  }
}

JumpPolynomials::JumpPolynomials(JumpPolynomials&&) noexcept = default;
JumpPolynomials& JumpPolynomials::operator=(JumpPolynomials&&) noexcept = default;
JumpPolynomials::~JumpPolynomials() = default;

Gf2Polynomial JumpPolynomials::of(std::uint64_t s) const {
  if (s > most_) {
    throw Error("no jump polynomial for the start of index " + std::to_string(s),
                "the table was made for at most " + std::to_string(most_),
                "Ask for a larger table.");
  }
  NTL::GF2X product(NTL::INIT_MONO, 0);
  for (unsigned r = 0; r < bits(); ++r) {
    if ((s >> r & 1) != 0) modulus_->value.multiply(product, product, to_ntl(of_bits_[r]));
  }
  return from_ntl(product);
}

}  // namespace rivulet

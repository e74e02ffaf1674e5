// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/characteristic_polynomial.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "algebra/gf2_ntl.hpp"

namespace rivulet {
namespace {

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

}  // namespace

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

}  // namespace rivulet

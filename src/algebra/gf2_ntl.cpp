// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algebra/gf2_ntl.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rivulet {
namespace {

constexpr long word_bytes = sizeof(std::uint64_t);

}  // namespace

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

NTL::ZZ to_ntl(Uint128 number) {
  NTL::ZZ whole = NTL::to_ZZ(static_cast<unsigned long>(number >> 64));
  whole <<= 64;
  return whole + NTL::to_ZZ(static_cast<unsigned long>(number));
}

}  // namespace rivulet

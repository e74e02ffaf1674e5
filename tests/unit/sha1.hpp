// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rivulet {

/// Returns the SHA-1 of a text (FIPS 180-4, section 6.1) in hexadecimal, as in published tables of
/// twisters.
inline std::string sha1(std::string text) {
  const std::uint64_t bits = 8 * std::uint64_t{text.size()};
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xff);
  std::uint32_t h[] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::uint32_t w[80];
    for (std::size_t t = 0; t < 16; ++t) {
      w[t] = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        w[t] = w[t] << 8 | static_cast<unsigned char>(text[block + 4 * t + i]);
      }
    }
    for (std::size_t t = 16; t < 80; ++t) {
      w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
    std::uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (std::size_t t = 0; t < 80; ++t) {
      const std::uint32_t f = t < 20   ? (b & c) | (~b & d)
                              : t < 40 ? b ^ c ^ d
                              : t < 60 ? (b & c) | (b & d) | (c & d)
                                       : b ^ c ^ d;
      const std::uint32_t k = t < 20   ? 0x5a827999u
                              : t < 40 ? 0x6ed9eba1u
                              : t < 60 ? 0x8f1bbcdcu
                                       : 0xca62c1d6u;
      const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[t];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
  }
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", h[0], h[1], h[2], h[3], h[4]);
}

}  // namespace rivulet

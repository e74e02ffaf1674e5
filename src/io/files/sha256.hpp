// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace rivulet::io {

/// Computes the SHA-256 (FIPS 180-4) of bytes that arrive piece by piece.
class Sha256 {
 public:
  Sha256();

  void update(std::span<const std::byte> bytes);
  /// Adds the characters, without a length or a terminator.
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// Adds the elements as little-endian bytes.
  template <class T>
  requires std::is_arithmetic_v<T>
  void update(std::span<const T> values) {
    static_assert(std::endian::native == std::endian::little, "byte order to be swapped here");
    update(std::as_bytes(values));
  }

  /// Returns the digest of all bytes added so far: 64 lower-case hexadecimal digits. More updates
  /// may follow.
  std::string hex() const;

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

}  // namespace rivulet::io

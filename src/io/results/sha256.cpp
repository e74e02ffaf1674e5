// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace rivulet::io {

struct Sha256::Context {
  Context() : evp(EVP_MD_CTX_new()) {
    if (evp == nullptr) throw std::bad_alloc();
  }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  EVP_MD_CTX* evp;
};

namespace {

void require(int openssl_result) {
  if (openssl_result != 1) throw std::bad_alloc();  // SHA-256 fails for want of memory only
}

}  // namespace

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require(EVP_DigestInit_ex(context_->evp, EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()));
}

std::string Sha256::hex() const {
  const Context copy;
  require(EVP_MD_CTX_copy_ex(copy.evp, context_->evp));
  std::array<unsigned char, 32> digest{};
  require(EVP_DigestFinal_ex(copy.evp, digest.data(), nullptr));

  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const auto byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/files/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <new>

namespace rivulet::io {
namespace {

void require(int openssl_result) {
  if (openssl_result != 1) throw std::bad_alloc();  // SHA-256 fails only for lack of memory
}

std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> new_context() {
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  require(context == nullptr ? 0 : 1);
  return {context, EVP_MD_CTX_free};
}

}  // namespace

Sha256::Sha256() : context_(new_context()) {
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::hex() const {
  const auto copy = new_context();
  require(EVP_MD_CTX_copy_ex(copy.get(), context_.get()));
  std::array<unsigned char, 32> digest{};
  require(EVP_DigestFinal_ex(copy.get(), digest.data(), nullptr));
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace rivulet::io

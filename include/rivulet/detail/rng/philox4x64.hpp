// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/rng/philox.hpp"

namespace rivulet {

template <>
struct detail::PhiloxConstants<std::uint64_t> {
  static constexpr std::uint64_t m0 = 0xd2e7470ee14c6c93u;
  static constexpr std::uint64_t m1 = 0xca5a826395121157u;
  static constexpr std::uint64_t step0 = 0x9e3779b97f4a7c15u;
  static constexpr std::uint64_t step1 = 0xbb67ae8584caa73bu;
};

/// Philox4x64-10 (Salmon, Moraes, Dror & Shaw, SC11, 2011), Random123's and NumPy's.
struct Philox4x64 : detail::Philox4<std::uint64_t, 10> {
  static constexpr std::string_view name = "philox4x64";
  static constexpr std::string_view doc =
      "Philox4x64-10, Random123's and NumPy's, a function of a counter";
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/rng/philox.hpp"

namespace rivulet {

template <>
struct detail::PhiloxConstants<std::uint32_t> {
  static constexpr std::uint32_t m0 = 0xd2511f53u;
  static constexpr std::uint32_t m1 = 0xcd9e8d57u;
  static constexpr std::uint32_t step0 = 0x9e3779b9u;
  static constexpr std::uint32_t step1 = 0xbb67ae85u;
};

/// Philox4x32-10 (Salmon, Moraes, Dror & Shaw, SC11, 2011): a function of a counter, without
/// set-up.
struct Philox4x32 : detail::Philox4<std::uint32_t, 10> {
  static constexpr std::string_view name = "philox4x32";
  static constexpr std::string_view doc =
      "Philox4x32-10, Random123's and cuRAND's, a function of a counter";
};

/// Philox4x32-7 (Salmon, Moraes, Dror & Shaw, SC11, 2011): seven rounds, the fewest that passed
/// BigCrush in that paper; three tenths less work than ten, and less of a margin.
struct Philox4x32x7 : detail::Philox4<std::uint32_t, 7> {
  static constexpr std::string_view name = "philox4x32_7";
  static constexpr std::string_view doc = "Philox4x32-7, faster and with less of a margin";
};

}  // namespace rivulet

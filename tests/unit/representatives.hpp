// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace rivulet {

/// Representatives of the generators whose streams share one template. They cover words of 24, 32,
/// 48 and 64 bits, and states of few, many and no words. Tests of the template run for the
/// representatives. A separate nightly program runs them for all generators. Golden words,
/// mappings, starts and digests are tested for every generator.
inline constexpr std::string_view representatives[] = {
    "dcmt521",      "ranmar24",     "ranmar48x", "mt19937", "mtgp11213",        "philox4x32",
    "threefry4x64", "xoshiro256pp", "mrg32k3a",  "lfsr113", "hybrid_tausworthe"};

constexpr bool is_tested([[maybe_unused]] std::string_view name) {
#ifdef RIVULET_TEST_ALL_GENERATORS
  return true;
#else
  return std::ranges::find(representatives, name) != std::ranges::end(representatives);
#endif
}

/// Types for typed tests; operator+ appends.
template <class... G>
struct TypeList {
  using Types = testing::Types<G...>;
  template <class... More>
  TypeList<G..., More...> operator+(TypeList<More...>) const;
};

}  // namespace rivulet

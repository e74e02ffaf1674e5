// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/numbers/store_format.hpp"
#include "number_reference.hpp"
#include "rivulet/detail/rng/number_format.hpp"

namespace rivulet {
namespace {

template <class Out>
constexpr NumberType type_of = std::is_same_v<Out, std::uint32_t>   ? NumberType::uint32
                               : std::is_same_v<Out, std::uint64_t> ? NumberType::uint64
                               : std::is_same_v<Out, float>         ? NumberType::float32
                                                                    : NumberType::float64;

/// Returns triples of raw numbers: the extremes, their neighbours, other fixed values and random
/// ones.
std::vector<std::array<std::uint64_t, 3>> samples(int bits) {
  const std::uint64_t most = (std::uint64_t{1} << std::min(bits, 32 + bits % 32)) - 1;
  const std::uint64_t some[] = {0, 1, 2, 255, 256, most / 2, most / 2 + 1, most - 1, most};
  std::vector<std::array<std::uint64_t, 3>> all;
  for (const auto a : some) {
    for (const auto b : some) {
      for (const auto c : {std::uint64_t{0}, most}) all.push_back({a, b, c});
    }
  }
  std::mt19937_64 random(5);
  for (int i = 0; i < 10000; ++i)
    all.push_back({random() & most, random() & most, random() & most});
  return all;
}

template <class Real>
void expect_in(Interval interval, NumberInteger whole, Real number) {
  const bool has_zero = interval == Interval::closed_open || interval == Interval::closed;
  const bool has_one = interval == Interval::open_closed || interval == Interval::closed;
  ASSERT_TRUE(has_zero ? number >= 0 : number > 0) << whole.n;
  ASSERT_TRUE(has_one ? number <= 1 : number < 1) << whole.n;
  const std::uint64_t most = (std::uint64_t{1} << whole.k) - 1;
  if (has_zero && whole.n == 0) {
    ASSERT_EQ(number, 0);
  }
  if (has_one && whole.n == most) {
    ASSERT_EQ(number, 1);
  }
  const long double exact = number_in(interval, type_of<Real>, whole);
  const long double half_a_place = std::numeric_limits<Real>::epsilon() / 2;
  ASSERT_LE(std::abs(number - exact), exact * half_a_place) << whole.n;
}

template <int bits, class Out, Interval interval>
void check() {
  using Format = NumberFormat<bits, Out, interval>;
  constexpr NumberType type = type_of<Out>;
  ASSERT_EQ(Format::raw, raw_numbers(type, bits));
  ASSERT_EQ(number_bytes(type), sizeof(Out));
  for (const auto& raw : samples(bits)) {
    // The numbers are stored with a stride of two.
    typename Format::Integer spread[6] = {};
    for (std::size_t i = 0; i < 3; ++i) {
      spread[2 * i] = static_cast<typename Format::Integer>(raw[i]);
    }
    const Out number = Format::make(spread, 2);
    std::uint64_t got = 0;
    std::memcpy(&got, &number, sizeof number);
    ASSERT_EQ(got, number_bits(type, interval, bits, raw.data())) << raw[0] << ' ' << raw[1];
    if constexpr (std::is_floating_point_v<Out>) {
      ASSERT_EQ((AnyIntervalFormat<bits, Out>(interval).make(spread, 2)), number) << raw[0];
      expect_in(interval, number_integer(type, bits, raw.data()), number);
    }
  }
}

template <int bits, class Out>
void check_intervals() {
  check<bits, Out, Interval::closed_open>();
  check<bits, Out, Interval::open>();
  check<bits, Out, Interval::open_closed>();
  check<bits, Out, Interval::closed>();
  check<bits, Out, Interval::zero_replaced>();
}

template <int bits>
void check_types() {
  check_intervals<bits, std::uint32_t>();
  check_intervals<bits, std::uint64_t>();
  check_intervals<bits, float>();
  check_intervals<bits, double>();
}

TEST(NumberFormat, OfTwentyFourBits) { check_types<24>(); }
TEST(NumberFormat, OfThirtyTwoBits) { check_types<32>(); }
TEST(NumberFormat, OfFortyEightBits) { check_types<48>(); }
TEST(NumberFormat, OfHalvesOfSixtyFourBits) { check_types<64>(); }

}  // namespace
}  // namespace rivulet

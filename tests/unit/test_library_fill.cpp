// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares the elements that rivulet::fill writes with the numbers that engines draw one by one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

#include "message_of.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Returns numbers first .. first + count - 1 that a distribution draws from stream s.
template <class Distribution>
std::vector<double> numbers_of(std::uint64_t s, int first, int count,
                               const Distribution& distribution) {
  Stream<Philox4x32> rng(7, s);
  std::vector<double> numbers;
  for (int i = 0; i < first; ++i) distribution(rng);
  for (int i = 0; i < count; ++i) numbers.push_back(static_cast<double>(distribution(rng)));
  return numbers;
}

Streams<Philox4x32> streams_of(std::uint64_t count) { return Streams<Philox4x32>({count, 7}); }

TEST(LibraryFill, RowsAreStreams) {
  const auto streams = streams_of(5);
  const Kokkos::View<double**, Exec> view("test", 4, 9);
  fill(Exec(), streams, view);
  const auto host = on_host(view);
  for (std::size_t s = 0; s < 4; ++s) {
    const auto expected = numbers_of(s, 0, 9, StandardUniform<double>());
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(host(s, i), expected[i]) << s << ", " << i;
  }
}

TEST(LibraryFill, ElementsTakeTurnsAmongStreams) {
  const auto streams = streams_of(3);
  const Kokkos::View<std::uint32_t*, Exec> view("test", 11);
  fill(Exec(), streams, view);
  const auto host = on_host(view);
  for (std::size_t j = 0; j < 11; ++j) {
    const auto expected =
        numbers_of(j % 3, static_cast<int>(j / 3), 1, StandardUniform<std::uint32_t>());
    EXPECT_EQ(host(j), expected[0]) << j;
  }
}

TEST(LibraryFill, GoesOnWhereItEnded) {
  const auto streams = streams_of(3);
  const Kokkos::View<double*, Exec> view("test", 7);
  fill(Exec(), streams, view);  // draws 3, 2 and 2 numbers from the streams
  fill(Exec(), streams, view);
  const auto host = on_host(view);
  EXPECT_EQ(host(0), numbers_of(0, 3, 1, StandardUniform<double>())[0]);
  EXPECT_EQ(host(1), numbers_of(1, 2, 1, StandardUniform<double>())[0]);
  EXPECT_EQ(host(6), numbers_of(0, 5, 1, StandardUniform<double>())[0]);
}

TEST(LibraryFill, TakesDistributionsAndAnyLayout) {
  const auto streams = streams_of(6);
  const Kokkos::View<double***, Kokkos::LayoutRight, Exec> all("test", 6, 3, 5);
  const auto part = Kokkos::subview(all, Kokkos::ALL, 1, Kokkos::ALL);
  const Exponential<double> law(3);
  fill(Exec(), streams, part, law);
  const auto host = on_host(all);
  for (std::size_t s = 0; s < 6; ++s) {
    const auto expected = numbers_of(s, 0, 5, law);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(host(s, 1, i), expected[i]);
      EXPECT_EQ(host(s, 0, i), 0);
      EXPECT_EQ(host(s, 2, i), 0);
    }
  }
}

TEST(LibraryFill, FloatsAndIntegersOfEveryType) {
  const auto streams = streams_of(2);
  const Kokkos::View<float*, Exec> floats("test", 2);
  const Kokkos::View<std::uint64_t*, Exec> integers("test", 2);
  fill(Exec(), streams, floats);
  fill(Exec(), streams, integers);
  detail::CounterEngine<Philox4x32> rng(7, 1);
  EXPECT_EQ(on_host(floats)(1), static_cast<float>(rng() >> 8) * 0x1p-24F);
  const std::uint64_t high = rng();
  EXPECT_EQ(on_host(integers)(1), high << 32 | rng());
}

// Bits of Philox's first numbers for seed 7 and stream 1, computed with Python's struct and
// fractions.
constexpr std::size_t golden = 8;
template <class Number, Interval interval>
std::vector<int> bits_of_stream() {
  const Kokkos::View<Number**, Exec> view("test", 2, golden);
  fill(Exec(), streams_of(2), view, StandardUniform<Number, interval>());
  const auto host = on_host(view);
  std::vector<int> bits;
  for (std::size_t i = 0; i < golden; ++i) bits.push_back(host(1, i).bits);
  return bits;
}

TEST(LibraryFill, ShortFloatsAreTheUpperBitsOfANumber) {
  EXPECT_THAT((bits_of_stream<Half, Interval::closed_open>()),
              testing::ElementsAre(0x37ea, 0x317c, 0x34fa, 0x3334, 0x3b19, 0x3acc, 0x3a24, 0x358c));
  EXPECT_THAT((bits_of_stream<Half, Interval::open>()),
              testing::ElementsAre(0x37ea, 0x317c, 0x34fa, 0x3334, 0x3b19, 0x3acd, 0x3a25, 0x358e));
  EXPECT_THAT((bits_of_stream<Half, Interval::open_closed>()),
              testing::ElementsAre(0x37ec, 0x3180, 0x34fc, 0x3338, 0x3b1a, 0x3acd, 0x3a25, 0x358e));
  EXPECT_THAT((bits_of_stream<Half, Interval::closed>()),
              testing::ElementsAre(0x37eb, 0x317d, 0x34fb, 0x3335, 0x3b1a, 0x3acd, 0x3a25, 0x358d));
  EXPECT_THAT((bits_of_stream<BFloat16, Interval::closed_open>()),
              testing::ElementsAre(0x3efc, 0x3e2c, 0x3e9e, 0x3e64, 0x3f63, 0x3f59, 0x3f44, 0x3eb0));
  EXPECT_THAT((bits_of_stream<BFloat16, Interval::open>()),
              testing::ElementsAre(0x3efe, 0x3e2c, 0x3e9e, 0x3e64, 0x3f63, 0x3f59, 0x3f45, 0x3eb2));
  EXPECT_THAT((bits_of_stream<BFloat16, Interval::open_closed>()),
              testing::ElementsAre(0x3efe, 0x3e30, 0x3ea0, 0x3e68, 0x3f64, 0x3f5a, 0x3f45, 0x3eb2));
  EXPECT_THAT((bits_of_stream<BFloat16, Interval::closed>()),
              testing::ElementsAre(0x3efd, 0x3e2d, 0x3e9f, 0x3e65, 0x3f64, 0x3f5a, 0x3f45, 0x3eb1));
  const Kokkos::View<Half**, Exec> view("test", 2, golden);
  fill(Exec(), streams_of(2), view);
  EXPECT_EQ(on_host(view)(1, 0).bits, 0x37ea);
}

/// An engine of b-bit numbers. Their upper 11 bits count up; the other bits are set.
template <int b>
struct CountsUp {
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0} >> (64 - b); }
  std::uint64_t next = 0;
  std::uint64_t operator()() { return (next++ << (b - 11) | max() >> 11) & max(); }
};

/// Draws every number of [0, 1) equally often, so the moments are those of n / 2^k.
template <class Number, int b>
void expect_exact_moments() {
  constexpr int digits = StandardUniform<Number>::digits;
  constexpr std::int64_t size = 1 << digits;
  CountsUp<b> rng;
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  for (int i = 0; i < 2048; ++i) {
    const float u = StandardUniform<Number>()(rng);
    const auto n = static_cast<std::int64_t>(u * static_cast<float>(size));
    ASSERT_EQ(n, i * size / 2048);
    ASSERT_EQ(u, static_cast<float>(n) / static_cast<float>(size));
    sum += n;
    squares += n * n;
  }
  EXPECT_EQ(sum * 2, (size - 1) * 2048);                       // mean (1 - 2^-k) / 2
  EXPECT_EQ(squares * 6, (size - 1) * (2 * size - 1) * 2048);  // (1 - 2^-k) (2 - 2^-k) / 6
}

TEST(LibraryFill, ShortFloatsHaveExactMomentsOfAnyEngine) {
  expect_exact_moments<Half, 24>();
  expect_exact_moments<Half, 32>();
  expect_exact_moments<Half, 48>();
  expect_exact_moments<Half, 64>();
  expect_exact_moments<BFloat16, 24>();
  expect_exact_moments<BFloat16, 32>();
  expect_exact_moments<BFloat16, 48>();
  expect_exact_moments<BFloat16, 64>();
}

/// Checks every finite number, and the floats around the middle between it and the next.
template <class Number>
void expect_rounding_to_nearest(std::uint16_t infinity) {
  for (std::uint16_t bits = 0; bits < infinity; ++bits) {
    Number one(0.0F);
    Number next(0.0F);
    one.bits = bits;
    next.bits = static_cast<std::uint16_t>(bits + 1);
    ASSERT_EQ(Number(float{one}).bits, bits);
    ASSERT_EQ(Number(-float{one}).bits, bits | 0x8000);
    if (next.bits == infinity) break;
    const float middle = float{one} + (float{next} - float{one}) / 2;  // exact
    ASSERT_EQ(Number(middle).bits, bits + bits % 2) << bits;
    ASSERT_EQ(Number(std::nextafter(middle, 0.0F)).bits, bits);
    ASSERT_EQ(Number(std::nextafter(middle, HUGE_VALF)).bits, bits + 1);
  }
  EXPECT_EQ(Number(HUGE_VALF).bits, infinity);
  EXPECT_EQ(Number(-HUGE_VALF).bits, infinity | 0x8000);
  EXPECT_GT(Number(NAN).bits & 0x7fff, infinity);
  EXPECT_TRUE(std::isnan(float{Number(NAN)}));
  EXPECT_EQ(float{Number(HUGE_VALF)}, HUGE_VALF);
}

TEST(LibraryFill, ShortFloatsAreRoundedToNearest) {
  expect_rounding_to_nearest<Half>(0x7c00);
  expect_rounding_to_nearest<BFloat16>(0x7f80);
  EXPECT_EQ(Half(65519.996F).bits, 0x7bff);
  EXPECT_EQ(Half(65520).bits, 0x7c00);
  EXPECT_EQ(Half(0x1p-25F).bits, 0);
  EXPECT_EQ(Half(0x1.000002p-25F).bits, 1);
}

TEST(LibraryFill, ShortFloatsOfADistributionAreItsFloatsRounded) {
  const Kokkos::View<Half*, Exec> view("test", 9);
  fill(Exec(), streams_of(1), view, Normal<float>());
  const auto expected = numbers_of(0, 0, 9, Normal<float>());
  const auto host = on_host(view);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(host(i).bits, Half(static_cast<float>(expected[i])).bits);
  }
}

TEST(LibraryFill, OfNothingLeavesStreamsAlone) {
  const auto streams = streams_of(2);
  fill(Exec(), streams, Kokkos::View<double*, Exec>("test", 0));
  fill(Exec(), streams, Kokkos::View<double**, Exec>("test", 9, 0));  // empty rows need no streams
  const Kokkos::View<double*, Exec> view("test", 1);
  fill(Exec(), streams, view);
  EXPECT_EQ(on_host(view)(0), numbers_of(0, 0, 1, StandardUniform<double>())[0]);
}

TEST(LibraryFill, RefusesRowsWithoutStreams) {
  const auto streams = streams_of(2);
  EXPECT_EQ(message_of([&] { fill(Exec(), streams, Kokkos::View<double**, Exec>("test", 3, 1)); }),
            "3 rows cannot be filled from 2 streams (each row takes a stream of its own). Set "
            "StreamsOptions::count to 3 or more.");
  EXPECT_EQ(
      message_of([&] { fill(Exec(), streams_of(0), Kokkos::View<double*, Exec>("test", 1)); }),
      "a view cannot be filled from 0 streams (every number comes from a stream). Set "
      "StreamsOptions::count to 1 or more.");
}

}  // namespace
}  // namespace rivulet

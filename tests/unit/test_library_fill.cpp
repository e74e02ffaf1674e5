// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// rivulet::fill: which number goes where, beside engines that are asked one number at a time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// Numbers first .. first + count - 1 of stream s, as a distribution makes them.
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
  fill(Exec(), streams, view);  // 3, 2 and 2 numbers of the streams
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
  PhiloxEngine rng(7, 1);
  EXPECT_EQ(on_host(floats)(1), static_cast<float>(rng() >> 8) * 0x1p-24F);
  const std::uint64_t high = rng();
  EXPECT_EQ(on_host(integers)(1), high << 32 | rng());
}

TEST(LibraryFill, OfNothingLeavesStreamsAlone) {
  const auto streams = streams_of(2);
  fill(Exec(), streams, Kokkos::View<double*, Exec>("test", 0));
  fill(Exec(), streams, Kokkos::View<double**, Exec>("test", 9, 0));  // rows of nothing need none
  const Kokkos::View<double*, Exec> view("test", 1);
  fill(Exec(), streams, view);
  EXPECT_EQ(on_host(view)(0), numbers_of(0, 0, 1, StandardUniform<double>())[0]);
}

TEST(LibraryFill, RefusesRowsWithoutStreams) {
  const auto streams = streams_of(2);
  EXPECT_EQ(message_of([&] { fill(Exec(), streams, Kokkos::View<double**, Exec>("test", 3, 1)); }),
            "3 rows cannot be filled from 2 streams (each row takes a stream of its own). Make "
            "more streams, or fewer rows.");
  EXPECT_EQ(
      message_of([&] { fill(Exec(), streams_of(0), Kokkos::View<double*, Exec>("test", 1)); }),
      "a view cannot be filled from no streams (these Streams hold none). Make some with "
      "StreamsOptions::count.");
}

}  // namespace
}  // namespace rivulet

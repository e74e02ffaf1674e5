// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "birthday_spacings.hpp"
#include "library_words.hpp"

namespace rivulet::independence {
namespace {

// RANMAR's numbers of 48 bits in halves. The arithmetic sequence of ranmar48 has no lower half, so
// that those of all streams obey x(n) = x(n - 97) - x(n - 33) alone, and so do vectors of several
// streams'.

constexpr int half_bits = 24;
constexpr std::size_t samples = 32;
constexpr std::size_t pairs = 65536;  // of a sample

struct Half {
  std::string generator;
  int shift;  ///< bits below it
};

/// Birthday spacings of pairs of numbers' halves, as two coordinates of a day, in one row of
/// interleaved streams: the p-value of all samples together, of which 8 equal spacings are
/// expected.
double pairs_p_value(const Half& half, std::uint64_t streams) {
  const std::uint64_t numbers = 2 * pairs * samples / streams;
  const auto drawn = numbers_of<double>({half.generator}, {0, streams}, numbers);
  const auto day_of = [&](std::size_t place) {
    const double number = drawn[place % streams * numbers + place / streams];
    const auto raw = static_cast<std::uint64_t>(std::ldexp(number, 2 * half_bits));
    return raw >> half.shift & 0xffffff;
  };
  std::size_t equal = 0;
  std::vector<std::uint64_t> days(pairs);
  for (std::size_t begin = 0; begin < 2 * pairs * samples; begin += 2 * pairs) {
    for (std::size_t i = 0; i < pairs; ++i) {
      days[i] = day_of(begin + 2 * i) << half_bits | day_of(begin + 2 * i + 1);
    }
    equal += equal_spacings(days, 2 * half_bits);
  }
  return poisson_p_value(equal, samples * expected_spacings(pairs, 2 * half_bits));
}

TEST(LowerHalves, OfInterleavedRanmar48FailBirthdaySpacings) {
  for (const std::uint64_t streams : {2, 16, 64}) {
    EXPECT_LT(pairs_p_value({"ranmar48", 0}, streams), 1e-15) << streams;
  }
}

TEST(LowerHalves, OfRanmar48xPassThem) {
  for (const std::uint64_t streams : {2, 16, 64}) {
    EXPECT_GT(pairs_p_value({"ranmar48x", 0}, streams), 1e-4) << streams;
  }
}

TEST(LowerHalves, UpperOnesPassThem) {
  EXPECT_GT(pairs_p_value({"ranmar48", half_bits}, 16), 1e-4);
}

}  // namespace
}  // namespace rivulet::independence

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rivulet/sobol.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <boost/random/sobol.hpp>
#include <cstdint>
#include <random>
#include <string>

#include "io_test_support.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using HostSobol = Sobol<Host>;

constexpr std::uint64_t most_dimensions = 3667;

/// Returns the index, in Sobol's order, of point i in Gray-code order.
std::uint64_t gray(std::uint64_t i) { return i ^ i >> 1; }

TEST(Sobol, WordsAreBoosts) {
  const HostSobol sobol(most_dimensions);
  EXPECT_EQ(sobol.dimensions(), most_dimensions);
  boost::random::sobol boosts(most_dimensions);  // begins with point 1
  for (const std::uint64_t first : {1ULL, 65000ULL, (1ULL << 31) - 3, (1ULL << 32) - 6}) {
    boosts.seed(first - 1);
    for (std::uint64_t i = first; i < first + 6; ++i) {
      for (std::uint64_t d = 0; d < most_dimensions; ++d) {
        ASSERT_EQ(sobol.word(gray(i), d), boosts() >> 32) << i << ' ' << d;
      }
    }
  }
  for (std::uint64_t d = 0; d < most_dimensions; ++d) ASSERT_EQ(sobol.word(0, d), 0U);
}

class SobolFiles : public testing::Test {
 protected:
  std::string file(const std::string& lines) const {
    std::ofstream(folder_ / "table") << "d       s       a       m_i     \n" << lines;
    return folder_ / "table";
  }
  std::string refusal_of(const std::string& lines, std::uint64_t dimensions = 3) const {
    const std::string text = message_of([&] { HostSobol(dimensions, 1, file(lines)); });
    const std::string begin = "cannot read direction numbers '" + (folder_ / "table") + "' (";
    const std::string end =
        "). Use Joe and Kuo's file new-joe-kuo-6.21201 unchanged, or no file for up to 3667 "
        "dimensions.";
    if (!text.starts_with(begin) || !text.ends_with(end)) return text;
    return text.substr(begin.size(), text.size() - begin.size() - end.size());
  }
  test::TemporaryFolder folder_;
};

/// The first lines of the published file, from Joe and Kuo's notes.
const std::string four_lines =
    "2       1       0       1 \n3       2       1       1 3 \n4       3       1       1 3 1 \n"
    "5       3       2       1 1 1 \n";

TEST_F(SobolFiles, FirstLinesOfThePublishedFile) {
  const HostSobol sobol(5, 1, file(four_lines));
  const HostSobol boosts(5, 1);
  for (std::uint64_t i = 0; i < 32; ++i) {
    for (std::uint64_t d = 0; d < 5; ++d) {
      EXPECT_EQ(sobol.word(1ULL << i, d), boosts.word(1ULL << i, d));
    }
  }
}

TEST_F(SobolFiles, BoostsTableAsAFile) {
  using Table = boost::random::default_sobol_table;
  std::string lines;
  for (unsigned d = 2; d <= most_dimensions; ++d) {
    const unsigned polynomial = Table::polynomial(d - 2);
    const int s = std::bit_width(polynomial) - 1;
    lines += std::to_string(d) + ' ' + std::to_string(s) + ' ' +
             std::to_string(polynomial % (1U << s) / 2);
    for (int k = 0; k < s; ++k) {
      lines += ' ' + std::to_string(Table::minit(d - 2, static_cast<std::size_t>(k)));
    }
    lines += "\r\n";
  }
  const HostSobol sobol(most_dimensions, 1, file(lines));
  const HostSobol boosts(most_dimensions, 1);
  for (std::uint64_t i = 0; i < 32; ++i) {
    for (std::uint64_t d = 0; d < most_dimensions; ++d) {
      ASSERT_EQ(sobol.word(1ULL << i, d), boosts.word(1ULL << i, d)) << i << ' ' << d;
    }
  }
  EXPECT_EQ(refusal_of(lines, most_dimensions + 1), "line 3668: the table ends at dimension 3667");
}

TEST_F(SobolFiles, RefusesWhatIsNoTable) {
  EXPECT_EQ(refusal_of(four_lines, 6), "line 6: the table ends at dimension 5");
  EXPECT_EQ(refusal_of("", 2), "line 2: the table ends at dimension 1");
  EXPECT_EQ(refusal_of("2 1 0 1\n\n4 3 1 1 3 1\n", 4), "line 3: the table ends at dimension 2");
  EXPECT_EQ(refusal_of("2 1 0 1\n4 3 1 1 3 1\n"), "line 3: d is not 3");
  EXPECT_EQ(refusal_of("2 one 0 1\n"), "line 2: s is 'one', which is not a number");
  EXPECT_EQ(refusal_of("2 1 0\n"), "line 2: m_i is '', which is not a number");
  EXPECT_EQ(refusal_of("2 1 0 1.5\n"), "line 2: m_i is '1.5', which is not a number");
  EXPECT_EQ(refusal_of("2 1 -1 1\n"), "line 2: a is '-1', which is not a number");
  EXPECT_EQ(refusal_of("2 1 0 1 1\n"), "line 2: it has more than s = 1 numbers m_i");
  EXPECT_EQ(refusal_of("2 0 0 \n"), "line 2: s is 0, which is not from 1 to 31");
  EXPECT_EQ(refusal_of("2 32 0 1\n"), "line 2: s is 32, which is not from 1 to 31");
  EXPECT_EQ(refusal_of("2 1 0 1\n3 2 1 1 2\n"), "line 3: m_2 is 2, which is not odd and below 2^2");
  EXPECT_EQ(refusal_of("2 1 0 1\n3 2 1 1 5\n"), "line 3: m_2 is 5, which is not odd and below 2^2");
  // No polynomial here is primitive: t^2 + 1 is (t + 1)^2; a = 3 has too many bits; t^4 + t^3 + t^2
  // + t + 1 is irreducible, but t has order 5.
  EXPECT_EQ(refusal_of("2 2 0 1 1\n"), "line 2: s = 2 and a = 0 are not a primitive polynomial");
  EXPECT_EQ(refusal_of("2 2 3 1 1\n"), "line 2: s = 2 and a = 3 are not a primitive polynomial");
  EXPECT_EQ(refusal_of("2 4 7 1 1 1 1\n"),
            "line 2: s = 4 and a = 7 are not a primitive polynomial");
  std::ofstream(folder_ / "other") << four_lines;
  EXPECT_EQ(message_of([&] { HostSobol(3, 1, folder_ / "other"); }),
            "cannot read direction numbers '" + (folder_ / "other") +
                "' (line 1: it does not begin with the titles d, s, a and m_i). Use Joe and Kuo's "
                "file new-joe-kuo-6.21201 unchanged, or no file for up to 3667 dimensions.");
  EXPECT_EQ(message_of([&] { HostSobol(3, 1, folder_ / "none"); }),
            "cannot read direction numbers '" + (folder_ / "none") +
                "' (there is no such file). Check its name.");
}

TEST(Sobol, RefusesUnsupportedDimensions) {
  EXPECT_EQ(
      message_of([] { HostSobol(0); }),
      "a Sobol sequence cannot have 0 dimensions (a point has at least one number). Ask for 1 "
      "dimension or more.");
  EXPECT_EQ(message_of([] { HostSobol(3668); }),
            "a Sobol sequence cannot have 3668 dimensions (Boost's table of direction numbers "
            "ends at 3667). For up to 21201 dimensions, use Joe and Kuo's file "
            "new-joe-kuo-6.21201 of https://web.maths.unsw.edu.au/~fkuo/sobol/.");
}

/// Computes Owen's scrambling from its definition, digit by digit. The digits before a digit select
/// its node.
std::uint64_t scrambled(std::uint64_t seed, std::uint32_t dimension, std::uint32_t word) {
  const std::uint64_t key = seed ^ 0x736372616d626c65U;
  const std::uint32_t keys[] = {static_cast<std::uint32_t>(key),
                                static_cast<std::uint32_t>(key >> 32)};
  std::uint64_t sum = std::uint64_t{word} << 32;
  for (int k = 0; k < 32; ++k) {
    const auto level = static_cast<std::uint32_t>(k / 7);
    const std::uint64_t before = std::uint64_t{word} >> (32 - 7 * level);
    const std::uint64_t of_tree = std::uint64_t{word} >> (32 - k) & ((1U << k % 7) - 1);
    const std::uint64_t node = 1U << k % 7 | of_tree;
    std::uint32_t block[] = {static_cast<std::uint32_t>(before), level, dimension, 0};
    Philox4x32::block(keys, block);
    sum ^= std::uint64_t{block[node / 32] >> node % 32 & 1} << (63 - k);
  }
  std::uint32_t block[] = {word, 5, dimension, 0};
  Philox4x32::block(keys, block);
  return sum ^ block[0];
}

TEST(Sobol, ScramblingIsNested) {
  const std::uint64_t seed = 0x123456789abcdefU;
  const HostSobol sobol(300, seed);
  EXPECT_EQ(sobol.seed(), seed);
  std::mt19937 engine(1);
  for (std::uint64_t n = 0; n < 10000; ++n) {
    const std::uint64_t i = n < 1000 ? n : engine();
    const std::uint64_t d = engine() % 300;
    const auto x = sobol.uniform<std::uint64_t>(i, d);
    ASSERT_EQ(x, scrambled(seed, static_cast<std::uint32_t>(d), sobol.word(i, d))) << i << ' ' << d;
    ASSERT_EQ(sobol.uniform<std::uint32_t>(i, d), x >> 32);
    ASSERT_EQ(sobol.uniform<float>(i, d), static_cast<float>(x >> 40) * 0x1p-24F);
    ASSERT_EQ(sobol.uniform(i, d), static_cast<double>(x >> 11) * 0x1p-53);
    const auto open = sobol.uniform<float, Interval::open_closed>(i, d);
    ASSERT_EQ(open, static_cast<float>((x >> 40) + 1) * 0x1p-24F);
  }
}

/// Golden numbers must be the same on every machine and in every version.
TEST(Sobol, GoldenNumbers) {
  const HostSobol sobol(3667, 42);
  EXPECT_EQ(sobol.word(123456789, 0), 2830359264U);
  EXPECT_EQ(sobol.word(123456789, 3666), 2864511520U);
  EXPECT_EQ(sobol.uniform<std::uint64_t>(0, 0), 6304639194911937285U);
  EXPECT_EQ(sobol.uniform<std::uint64_t>(123456789, 3666), 2187704716169575960U);
}

TEST(Sobol, SeedsAreCopiesOfOneTable) {
  const HostSobol sobol(5, 1);
  const HostSobol other(5, 2);
  const HostSobol same = sobol.with_seed(2);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(same.uniform(i, 4), other.uniform(i, 4));
    EXPECT_NE(same.uniform(i, 4), sobol.uniform(i, 4));
  }
}

/// Kernel that writes point i in all dimensions.
struct WriteNumbers {
  Sobol<Exec> sobol;
  Kokkos::View<double**, Exec> to;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (std::size_t d = 0; d < to.extent(1); ++d) {
      to(i, d) = sobol.uniform(static_cast<std::uint64_t>(i), d);
    }
  }
};

TEST(Sobol, ThreadsAndOrderDoNotMatter) {
  const Kokkos::View<double**, Exec> numbers("numbers", 10000, 5);
  Kokkos::parallel_for("rivulet::test", Kokkos::RangePolicy<Exec>(0, 10000),
                       WriteNumbers{Sobol<Exec>(5, 8), numbers});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
  const Sobol<Kokkos::HostSpace> sobol(5, 8);
  for (std::size_t d = 0; d < 5; ++d) {
    for (std::size_t i = 10000; i-- > 0;) ASSERT_EQ(found(i, d), sobol.uniform(i, d));
  }
}

}  // namespace
}  // namespace rivulet

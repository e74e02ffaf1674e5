// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "alias_reference.hpp"
#include "distribution_bits.hpp"
#include "distribution_flags.hpp"

namespace rivulet {
namespace {

// Checks that draws are bitwise identical with any compiler and any flags, on any device. GCC 12 on
// x86-64 computed expected_bits. On a device, a kernel computes the bits.

constexpr int draws = 5000;

/// Has a row for each distribution and a column for each engine of 24, 32, 48 and 64 bits.
constexpr std::uint64_t expected_bits[bits_rows][bits_columns] = {
    {0xb7d137bf368b1d62, 0xf7c612d8467b4ba3, 0x8d93e49e56eb5f33, 0xd795d06c53de32c6},
    {0xe34c7ef70a8a6042, 0x53c022fc987dc934, 0x2430a754786f2333, 0x814f833f01c4b747},
    {0xfe661c0f7117998d, 0xe82abb78896f1ac3, 0x8c9a0473c53db82e, 0xe4aaf6110c510ea1},
    {0x609218cb33f6829e, 0x4e12a7de1e654c4f, 0x9eef1b2c3e246acc, 0x83c63343e6cd01c6},
    {0xbbcc75aa9e0b73b1, 0xe20374be1af52bb4, 0x26fe1de60eb8ae46, 0x7d217beb8503afc4},
    {0x88fa676df95bac94, 0x59a784822d03eff8, 0x5d1dadc33dc919d8, 0xa1e0724376e35020},
    {0x11329458a3e0d34c, 0x5c7f0830e2ee2ca9, 0x7ec672e6990c89f2, 0x95fe7d5e4a751ae6},
    {0xae22b0955af27473, 0xae22b0955af27473, 0xae22b0955af27473, 0xae22b0955af27473},
    {0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5},
    {0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd},
    {0x47228f434935658d, 0x47228f434935658d, 0x47228f434935658d, 0x47228f434935658d},
    {0xda221a963fc62cd3, 0xda221a963fc62cd3, 0xda221a963fc62cd3, 0xda221a963fc62cd3},
    {0xaf95243aed5da30a, 0xaf95243aed5da30a, 0xaf95243aed5da30a, 0xaf95243aed5da30a},
    {0x3f1bec90ec985c14, 0x3f1bec90ec985c14, 0x3f1bec90ec985c14, 0x3f1bec90ec985c14},
    {0x1d836de88b29271b, 0xdb963f5707e722e5, 0xdb963f5707e722e5, 0xdb963f5707e722e5},
    {0x9cf0cb17f10abb9d, 0xd41d0b23c4f4627a, 0xd41d0b23c4f4627a, 0xf9e117e1160aaf9b},
    {0x571c38e9f1339e45, 0x1c311b53dac22644, 0x1c311b53dac22644, 0x1c311b53dac22644},
    {0x148149057f3c8823, 0xa0361c474a84e9b8, 0x148149057f3c8823, 0x148149057f3c8823},
    {0xc2e9a874b8d712f5, 0x8abeae5ad27c69d3, 0xc2e9a874b8d712f5, 0xc2e9a874b8d712f5},
    {0x6d61ddc96b1e73b4, 0xdcb40720c034c7a6, 0xb678957bb05e5806, 0xb678957bb05e5806},
    {0x9a04c13dafdb79bd, 0x4266b527a5ab30ed, 0xa38c8f5614df275f, 0x617d340ff1cf5d2d},
    {0xd8bc1cd681ddca63, 0x484bae55b61e2481, 0x3c557d7fd06e3a36, 0x40443f23651775f6},
    {0xfe2ac68b2f879cd5, 0x6105861c180ba624, 0xc5c649ed15f8e28e, 0xe95644ef6b1510f4},
    {0x2ad853b66b08f79d, 0xaf2b8376ed8a840e, 0x0cb292019b485699, 0x4cb875586f7c1522},
    {0x454cb3ccef98f084, 0x23abdcbdfeb35e2c, 0x2d6f5926d1834bc1, 0x5da5e301690f58cd},
    {0xce2184ea54e909f1, 0x14c0e6e39948c9d1, 0x9b529763e4355c86, 0xb5da3d4005d2c1d8},
    {0xc63b853210262b5b, 0x40c31ad60a14832b, 0x58b72862357f0922, 0xe38a82c41996a2b7},
    {0x0a2e0cc80f150c24, 0x4635a363d4a94a16, 0x4dec8072403588db, 0x8ba0949d4d5a99b3},
    {0xc6d2822e383548e1, 0x9b6d36742fbf1145, 0xafa9a8ee0bc8cef1, 0x151294e92b272a91},
    {0xbabc4e0f92cfd7f8, 0x2d74adb5ccabe7d4, 0x3ef99e20b8d7c238, 0xa3135cf2b2ed8a7a},
    {0x31e2252920638caf, 0xc36a7d5876948633, 0x50dc4b452edb3771, 0x8913d205a410bfe9},
    {0x90117ae6c1562fba, 0x8d43de577a87ca7c, 0x8e46bbaddf888c0e, 0x25c3185a912bba08},
    {0xd6dabd9e4833dd8a, 0x1da268733543a00c, 0x0d4e2fbe2113ec63, 0x553838b564f2eae6},
    {0xeab821734cdcd0f3, 0x7237b10cd51a8609, 0xc7d33fe5b8c6da1e, 0xa1ca959e086b9e88},
    {0xdfe0492087279793, 0xdfe0492087279793, 0xdfe0492087279793, 0xdfe0492087279793},
    {0x9665bfdbf564bc73, 0x9665bfdbf564bc73, 0x9665bfdbf564bc73, 0x9665bfdbf564bc73},
    {0xe7b97e9ff7f83aec, 0xe7b97e9ff7f83aec, 0xe7b97e9ff7f83aec, 0xe7b97e9ff7f83aec},
    {0xcdddfaad8b9d4eb7, 0xcdddfaad8b9d4eb7, 0xcdddfaad8b9d4eb7, 0xcdddfaad8b9d4eb7},
    {0x5a2224b742844746, 0x5a2224b742844746, 0x5a2224b742844746, 0x5a2224b742844746},
    {0xc70f2e1e86490a57, 0xc70f2e1e86490a57, 0xc70f2e1e86490a57, 0xc70f2e1e86490a57},
    {0x4333595001cb5dc0, 0x4333595001cb5dc0, 0x4333595001cb5dc0, 0x4333595001cb5dc0},
    {0x1ed137b297c149b8, 0x1ed137b297c149b8, 0x1ed137b297c149b8, 0x1ed137b297c149b8},
    {0xfd9865a746cfc099, 0xfd9865a746cfc099, 0xfd9865a746cfc099, 0xfd9865a746cfc099},
    {0xf9f46c48fe36a645, 0xf9f46c48fe36a645, 0xf9f46c48fe36a645, 0xf9f46c48fe36a645},
    {0x5fce8dd610a03a76, 0x5fce8dd610a03a76, 0x5fce8dd610a03a76, 0x5fce8dd610a03a76},
    {0x7b8b467377209967, 0x7b8b467377209967, 0x7b8b467377209967, 0x7b8b467377209967},
    {0x75b486552f8b2aca, 0x75b486552f8b2aca, 0x75b486552f8b2aca, 0x75b486552f8b2aca},
    {0x16c314ad5634762f, 0x16c314ad5634762f, 0x16c314ad5634762f, 0x16c314ad5634762f},
    {0x91cb5a1acaad944a, 0x81ea7c175bacc576, 0x91cb5a1acaad944a, 0x91cb5a1acaad944a},
    {0xcc81da7486a31c42, 0x1e0140da7e18029a, 0xcc81da7486a31c42, 0xcc81da7486a31c42},
    {0xec06fb663ad5c102, 0xd49fcb7861fb6529, 0xec06fb663ad5c102, 0xec06fb663ad5c102},
    {0x73dbe59a72d959da, 0xa9294b30dc4f8def, 0x73dbe59a72d959da, 0x73dbe59a72d959da},
    {0x636d123d92316396, 0x42a0a79059877e5b, 0x636d123d92316396, 0x636d123d92316396}};

using BitsView = Kokkos::View<std::uint64_t[bits_rows][bits_columns], Space>;

BitsView bits_from_kernel(double a, double b) {
  const BitsView bits("rivulet::test_bits");
  Kokkos::parallel_for(
      "rivulet::test_bits", Kokkos::RangePolicy<Space>(0, bits_rows * bits_columns),
      KOKKOS_LAMBDA(int i) {
        const int row = i / bits_columns;
        const int column = i % bits_columns;
        bits(row, column) = distribution_bits(row, column, a, b, draws);
      });
  return bits;
}

TEST(DistributionBits, AreTheSameOnEveryDevice) {
  const auto bits = bits_from_kernel(bits_a, bits_b);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bits);
  for (int row = 0; row < bits_rows; ++row) {
    for (int column = 0; column < bits_columns; ++column) {
      EXPECT_EQ(host(row, column), expected_bits[row][column]) << row << ' ' << column;
    }
  }
}

#if defined(__x86_64__)
bool can_fuse() { return __builtin_cpu_supports("fma") != 0; }
#else
bool can_fuse() { return true; }
#endif

TEST(DistributionBits, AreTheSameWithAndWithoutFusedOperations) {
  constexpr double a = 1 + 0x1p-30;
  if (!can_fuse() || plain_with_fusing(a, a, -1) == plain_without_fusing(a, a, -1)) {
    GTEST_SKIP() << "this machine or build fuses no multiplications with additions";
  }
  EXPECT_EQ(by_product_with_fusing(a, a, -1), by_product_without_fusing(a, a, -1));
  EXPECT_EQ(by_sum_with_fusing(a, a, -1), by_sum_without_fusing(a, a, -1));
  std::vector<std::uint64_t> with(bits_rows * bits_columns);
  std::vector<std::uint64_t> without(with.size());
  bits_with_fusing(bits_a, bits_b, draws, with.data());
  bits_without_fusing(bits_a, bits_b, draws, without.data());
  EXPECT_EQ(with, without);
}

std::vector<std::uint64_t> table_bits_from_kernel(const Discrete& cell) {
  const Kokkos::View<std::uint64_t[bits_columns], Space> bits("rivulet::test_bits");
  Kokkos::parallel_for(
      "rivulet::test_bits", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        bits(0) = bits_of_draws<24>(cell, draws);
        bits(1) = bits_of_draws<32>(cell, draws);
        bits(2) = bits_of_draws<48>(cell, draws);
        bits(3) = bits_of_draws<64>(cell, draws);
      });
  return host_copy(bits);
}

TEST(DistributionBits, OfTablesAreTheSameOnEveryDevice) {
  std::vector<std::uint64_t> weights(1000);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i * i % 101;
  const DiscreteTable<Space> table(weights);
  const std::vector<std::uint64_t> expected{14025833370885928075U, 2891904179613405505U,
                                            2891904179613405505U, 6522330595440005325U};
  EXPECT_EQ(table_bits_from_kernel(table.distribution()), expected);
  const DiscreteTable<Space> wide(weights, ThresholdBits::wide);
  const std::vector<std::uint64_t> expected_of_wide{3684124555081988770U, 14025833370885928075U,
                                                    14025833370885928075U, 2891904179613405505U};
  EXPECT_EQ(table_bits_from_kernel(wide.distribution()), expected_of_wide);
}

}  // namespace
}  // namespace rivulet

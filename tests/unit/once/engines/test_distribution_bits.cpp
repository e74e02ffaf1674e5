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

// Draws are bitwise the same with any compiler, any flags and on any device: these are the bits of
// GCC 12 on x86-64. A device's come from its kernel.

constexpr int draws = 5000;

/// A row a distribution, a column an engine: of 24, 32, 48 and 64 bits.
constexpr std::uint64_t expected_bits[bits_rows][bits_columns] = {
    {0xb7d137bf368b1d62, 0xf7c612d8467b4ba3, 0x8d93e49e56eb5f33, 0xd795d06c53de32c6},
    {0xe34c7ef70a8a6042, 0x53c022fc987dc934, 0x2430a754786f2333, 0x814f833f01c4b747},
    {0xfe661c0f7117998d, 0xe82abb78896f1ac3, 0x8c9a0473c53db82e, 0xe4aaf6110c510ea1},
    {0x609218cb33f6829e, 0x4e12a7de1e654c4f, 0x9eef1b2c3e246acc, 0x83c63343e6cd01c6},
    {0xd4ed6988679c926a, 0x51296eb8222918f3, 0x074bd69875bc78da, 0xeb2cc2ceb111f847},
    {0x592f9f2fe0458bf0, 0x89c13a3f54959be2, 0x7cef6f49960c71aa, 0x9b3518d8151a1f40},
    {0x11329458a3e0d34c, 0x5c7f0830e2ee2ca9, 0x7ec672e6990c89f2, 0x95fe7d5e4a751ae6},
    {0xae22b0955af27473, 0xae22b0955af27473, 0xae22b0955af27473, 0xae22b0955af27473},
    {0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5, 0x6a91e1e331a0faa5},
    {0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd, 0xbe4b4ad610e04ebd},
    {0x47228f434935658d, 0x47228f434935658d, 0x47228f434935658d, 0x47228f434935658d},
    {0x0a7b122ad1eb0599, 0x0a7b122ad1eb0599, 0x0a7b122ad1eb0599, 0x0a7b122ad1eb0599},
    {0x8050225e41855093, 0x8050225e41855093, 0x8050225e41855093, 0x8050225e41855093},
    {0x3f1bec90ec985c14, 0x3f1bec90ec985c14, 0x3f1bec90ec985c14, 0x3f1bec90ec985c14},
    {0x1d836de88b29271b, 0xdb963f5707e722e5, 0xdb963f5707e722e5, 0xdb963f5707e722e5},
    {0x9cf0cb17f10abb9d, 0xd41d0b23c4f4627a, 0xd41d0b23c4f4627a, 0xf9e117e1160aaf9b},
    {0x571c38e9f1339e45, 0x1c311b53dac22644, 0x1c311b53dac22644, 0x1c311b53dac22644},
    {0x148149057f3c8823, 0xa0361c474a84e9b8, 0x148149057f3c8823, 0x148149057f3c8823},
    {0x3596898a0c0714dd, 0x9955b99a9ae6122f, 0x3596898a0c0714dd, 0x3596898a0c0714dd},
    {0x29e710c4b78783d4, 0x225651485865158f, 0x5d52e33a15e69543, 0x5d52e33a15e69543},
    {0x7eaccfa4edd1daff, 0x634b738e292a817f, 0xec8f08aa4f7edfb1, 0x836a28699b891212},
    {0xbb7c19c5734993fe, 0x1c32e59434a7a0b4, 0x1c6a20c623b571f2, 0xb1c5dda9899410f0},
    {0xe3a6107ae619198d, 0x692f01a1b91dc273, 0x36fca5e1a577849d, 0x2143c53ebeb4d248},
    {0x22e57e15d355d6a2, 0x00f508d967f4c9ff, 0x299ffd1731fd6182, 0x0d7b7af72f4bb9d1},
    {0x70f8e1943a2f9c22, 0xd8c52974a190d191, 0x444407fdf767f38a, 0x5c547ba0759a0380},
    {0xc2fd5ddf59fadd61, 0x7305ba78b3bbc4c4, 0x931db76cc0e04351, 0xacf72ff6cfce2a1b},
    {0xa4ae554a815c25a4, 0xfa470efdb4a739c8, 0x54efd1562f1b98c1, 0x7f27504e118ce7ca},
    {0xac1d7e463975c137, 0x4635a363d4a94a16, 0xe050ebb45bbea08f, 0x8e327faa0837d93e},
    {0xc6d2822e383548e1, 0x9b6d36742fbf1145, 0xafa9a8ee0bc8cef1, 0x151294e92b272a91},
    {0x3086dd46ccf4b7dc, 0x8f3717fbb81d6f5d, 0x58cad6feba5647d6, 0x95204f62c951b5a8},
    {0xbd930654595b2f37, 0x5c5637f71eba53a2, 0xf453e21f92b4f6be, 0x8907af27a7211c03},
    {0x90117ae6c1562fba, 0x8d43de577a87ca7c, 0x8e46bbaddf888c0e, 0x25c3185a912bba08},
    {0x72a1964312f81274, 0x3a8a2b3e1b9a6c4e, 0xf6ca1a52b9a6a5d2, 0xc9a47f7a4d88d9f3},
    {0x41dfb3b51e8fdca1, 0x5e4224a3d211108b, 0xac1bd6f212ec8819, 0x36e2970a44927698},
    {0x720370821647b5b2, 0x720370821647b5b2, 0x720370821647b5b2, 0x720370821647b5b2},
    {0x574e453a3098a742, 0x574e453a3098a742, 0x574e453a3098a742, 0x574e453a3098a742},
    {0x49a9f5e3ca627e95, 0x49a9f5e3ca627e95, 0x49a9f5e3ca627e95, 0x49a9f5e3ca627e95},
    {0x3b1036b4286f842e, 0x3b1036b4286f842e, 0x3b1036b4286f842e, 0x3b1036b4286f842e},
    {0xb8ddd87f3acc02ee, 0xb8ddd87f3acc02ee, 0xb8ddd87f3acc02ee, 0xb8ddd87f3acc02ee},
    {0xdbb6f7de54818298, 0xdbb6f7de54818298, 0xdbb6f7de54818298, 0xdbb6f7de54818298},
    {0xf6ec68101b34122e, 0xf6ec68101b34122e, 0xf6ec68101b34122e, 0xf6ec68101b34122e},
    {0x1ed137b297c149b8, 0x1ed137b297c149b8, 0x1ed137b297c149b8, 0x1ed137b297c149b8},
    {0xfd9865a746cfc099, 0xfd9865a746cfc099, 0xfd9865a746cfc099, 0xfd9865a746cfc099},
    {0xf9f46c48fe36a645, 0xf9f46c48fe36a645, 0xf9f46c48fe36a645, 0xf9f46c48fe36a645},
    {0x5fce8dd610a03a76, 0x5fce8dd610a03a76, 0x5fce8dd610a03a76, 0x5fce8dd610a03a76},
    {0x7b8b467377209967, 0x7b8b467377209967, 0x7b8b467377209967, 0x7b8b467377209967},
    {0x7252cd65331ca557, 0x7252cd65331ca557, 0x7252cd65331ca557, 0x7252cd65331ca557},
    {0x80017265e1184c8b, 0x80017265e1184c8b, 0x80017265e1184c8b, 0x80017265e1184c8b},
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

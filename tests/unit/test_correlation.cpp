// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "jobs/correlate/correlate_result.hpp"
#include "kernels/correlation/batch_transforms.hpp"
#include "kernels/correlation/correlation.hpp"
#include "kernels/correlation/correlation_moments.hpp"
#include "kernels/correlation/correlation_tiles.hpp"
#include "kokkos_events.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using Rows = std::vector<std::vector<std::uint32_t>>;
using Sums = std::vector<std::int64_t>;

constexpr CorrelatedBits upper_bits = CorrelatedBits::at(0);

Rows random_rows(std::size_t rows, std::size_t length, unsigned seed) {
  std::mt19937 generator(seed);
  Rows all(rows, std::vector<std::uint32_t>(length));
  for (auto& row : all) {
    for (auto& word : row) word = static_cast<std::uint32_t>(generator());
  }
  return all;
}

/// Computes the sums with plain loops.
Sums expected_sums(const Rows& x, const Rows& y, std::uint64_t lags, CorrelatedBits bits) {
  Sums sums(lags + 1, 0);
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (std::size_t m = 0; m <= lags; ++m) {
      for (std::size_t i = 0; i + m < x[row].size(); ++i) {
        sums[m] += std::int64_t{bits.number(x[row][i])} * bits.number(y[row][i + m]);
      }
    }
  }
  return sums;
}

/// Calls use(piece) for each piece of the rows, like CorrelationInput.
template <class Use>
void for_each_piece(const Rows& x, const Rows& y, std::uint64_t history, std::uint64_t columns,
                    const Use& use) {
  const std::uint64_t length = x[0].size();
  CorrelationPiece piece;
  piece.words = WordTable("words", x.size(), history + columns);
  piece.partners = &x == &y ? piece.words : WordTable("partners", x.size(), columns);
  piece.history = history;
  piece.partner_column = &x == &y ? history : 0;
  piece.rows = x.size();
  const auto words = Kokkos::create_mirror_view(piece.words);
  const auto partners = Kokkos::create_mirror_view(piece.partners);
  for (piece.begin = 0; piece.begin < length; piece.begin += columns) {
    piece.count = std::min(columns, length - piece.begin);
    Kokkos::deep_copy(words, 0xdeadbeefu);  // words outside of the stream must not count
    for (std::size_t row = 0; row < x.size(); ++row) {
      for (std::uint64_t c = 0; c < history + piece.count; ++c) {
        if (piece.begin + c >= history) words(row, c) = x[row][piece.begin + c - history];
      }
      for (std::uint64_t c = 0; &x != &y && c < piece.count; ++c) {
        partners(row, c) = y[row][piece.begin + c];
      }
    }
    Kokkos::deep_copy(piece.words, words);
    if (&x != &y) Kokkos::deep_copy(piece.partners, partners);
    use(piece);
  }
}

Sums sums_of(Correlator& correlator, std::uint64_t lags, const Rows& x, const Rows& y,
             std::uint64_t history, std::uint64_t columns) {
  for_each_piece(x, y, history, columns, [&](const auto& piece) { correlator.add(piece); });
  std::vector<Int128> products(lags + 1, 0);
  correlator.drain(products);
  Sums sums;
  for (const Int128 one : products) sums.push_back(static_cast<std::int64_t>(one));
  return sums;
}

Sums direct_sums(std::uint64_t lags, CorrelatedBits bits, const Rows& x, const Rows& y,
                 std::uint64_t columns) {
  return sums_of(*make_direct_correlator(lags, bits, columns), lags, x, y, lags, columns);
}

Sums tiled_sums(std::uint64_t lags, CorrelatedBits bits, const Rows& x, const Rows& y,
                std::uint64_t columns, std::uint64_t most = max_products) {
  return sums_of(*make_tiled_correlator(lags, bits, most), lags, x, y, lags, columns);
}

Sums fft_sums(std::uint64_t lags, CorrelatedBits bits, const Rows& x, const Rows& y,
              std::uint64_t segments, std::uint64_t workers) {
  const std::uint64_t segment = fft_segment(lags);
  return sums_of(*make_fft_correlator(lags, bits, workers), lags, x, y, segment,
                 segments * segment);
}

Sums batch_sums(std::uint64_t lags, CorrelatedBits bits, const Rows& x, const Rows& y,
                std::uint64_t segments, std::uint64_t batch) {
  const std::uint64_t segment = fft_segment(lags);
  return sums_of(*make_batch_correlator(lags, bits, batch, &x != &y), lags, x, y, segment,
                 segments * segment);
}

TEST(CorrelatedBits, AreOddAndSymmetric) {
  EXPECT_EQ(upper_bits.number(0x0000ffffu), -65535);
  EXPECT_EQ(upper_bits.number(0xffff0000u), 65535);
  EXPECT_EQ(upper_bits.number(0x80000000u), 1);
  EXPECT_EQ(upper_bits.number(0x7fff0000u), -1);
  EXPECT_EQ(CorrelatedBits::at(16).number(0x12340000u), -65535);
  EXPECT_EQ(CorrelatedBits::at(16).number(0x0000ffffu), 65535);
  EXPECT_EQ(CorrelatedBits::at(4).number(0x0ffff000u), 65535);
}

struct Size {
  std::uint64_t rows, length, lags;
};

/// Compares autocorrelations and cross-correlations of upper, middle and lower bits.
template <class Compare>
void for_each_kind(const Size& size, const Compare& compare) {
  const auto [rows, length, lags] = size;
  const Rows x = random_rows(rows, length, 1);
  const Rows y = random_rows(rows, length, 2);
  for (const int bit : {0, 5, 16}) {
    const CorrelatedBits bits = CorrelatedBits::at(bit);
    for (const Rows* partner : {&x, &y}) {
      compare(bits, x, *partner, expected_sums(x, *partner, lags, bits));
    }
  }
}

class Methods : public testing::TestWithParam<Size> {};

TEST_P(Methods, GiveWhatPlainLoopsGive) {
  const auto [rows, length, lags] = GetParam();
  for_each_kind(GetParam(), [&, length = length, lags = lags](CorrelatedBits bits, const Rows& x,
                                                              const Rows& y, const Sums& expected) {
    // Launching thousands of tiny dot products takes minutes on busy machines.
    for (const std::uint64_t columns : {std::max<std::uint64_t>(lags, 37), length + 5}) {
      if (lags > 100) break;
      EXPECT_EQ(direct_sums(lags, bits, x, y, columns), expected);
    }
    if (!have_fftw) return;
    for (const std::uint64_t workers : {1, 3}) {
      for (const std::uint64_t segments : {1, 2, 5}) {
        EXPECT_EQ(fft_sums(lags, bits, x, y, segments, workers), expected);
      }
    }
  });
}

/// Checks batches that end within rows or at the ends of rows, and batches with more segments than
/// exist.
TEST_P(Methods, GiveThatInBatchesToo) {
  if (!have_batch_transforms) GTEST_SKIP() << "no Fourier transforms where kernels run";
  const std::uint64_t lags = GetParam().lags;
  for_each_kind(GetParam(),
                [&](CorrelatedBits bits, const Rows& x, const Rows& y, const Sums& expected) {
                  for (const std::uint64_t segments : {1, 2, 5}) {
                    for (const std::uint64_t batch : {1, 2, 3, 40}) {
                      EXPECT_EQ(batch_sums(lags, bits, x, y, segments, batch), expected) << batch;
                    }
                  }
                });
}

INSTANTIATE_TEST_SUITE_P(Correlation, Methods,
                         testing::Values(Size{1, 1, 0}, Size{1, 2, 1}, Size{2, 101, 100},
                                         Size{3, 4099, 7}, Size{5, 6001, 40}, Size{1, 20011, 0},
                                         Size{2, 9001, 2049}, Size{1, 8192, 2048}));

class Tiles : public testing::TestWithParam<Size> {};

/// Compares sums with those of plain loops, for one piece and for pieces shorter than the largest
/// lag. The sums use one launch or one launch per block.
TEST_P(Tiles, GiveWhatPlainLoopsGive) {
  const std::uint64_t length = GetParam().length;
  const std::uint64_t lags = GetParam().lags;
  for_each_kind(GetParam(),
                [&](CorrelatedBits bits, const Rows& x, const Rows& y, const Sums& expected) {
                  for (const std::uint64_t columns : {lags / 2 + 29, length + 5}) {
                    EXPECT_EQ(tiled_sums(lags, bits, x, y, columns), expected) << columns;
                  }
                  EXPECT_EQ(tiled_sums(lags, bits, x, y, length, 1), expected);
                });
}

INSTANTIATE_TEST_SUITE_P(Correlation, Tiles,
                         testing::Values(Size{1, 1, 0}, Size{1, 2, 1}, Size{3, 4099, 2},
                                         Size{2, 8191, 31}, Size{5, 4097, 33}, Size{70, 77, 70},
                                         Size{1, 9001, 100}, Size{2, 4159, 300}, Size{1, 3001, 440},
                                         Size{2, 2003, 600}, Size{1, 9001, 1000},
                                         Size{3, 1501, 1001}, Size{1, 2600, 2500}));

/// Checks that five blocks need three launches if a launch has room for the products of two blocks.
TEST(CorrelationByTiles, EndsALaunchWhereSumsAreFull) {
  const Rows rows = random_rows(1, 5 * TileSizes::of(2, 100000).block(), 7);
  const KokkosEvents events;
  tiled_sums(1, upper_bits, rows, rows, rows[0].size(), 2 * rows[0].size() / 5);
  EXPECT_EQ(std::count_if(KokkosEvents::heard().begin(), KokkosEvents::heard().end(),
                          [](const auto& event) {
                            return event.is_kernel && event.label == "rivulet::correlate_tiles";
                          }),
            3);
}

/// Checks the largest possible sums, which have the largest rounding errors.
TEST(CorrelationByFft, IsExactForTheLargestNumbers) {
  if (!have_fftw) GTEST_SKIP() << "built without FFTW";
  constexpr std::uint64_t square = std::uint64_t{65535} * 65535;
  for (const std::uint64_t lags : {100u, 200000u}) {
    const std::uint64_t length = 20 * fft_segment(100) + 7 * lags + 1;
    const Rows rows(1, std::vector<std::uint32_t>(length, 0xffffffffu));
    const Sums sums = fft_sums(lags, upper_bits, rows, rows, 3, 2);
    for (std::uint64_t m = 0; m <= lags; ++m) {
      ASSERT_EQ(sums[m], static_cast<std::int64_t>((length - m) * square)) << m;
    }
    if (!have_batch_transforms) continue;
    EXPECT_EQ(batch_sums(lags, upper_bits, rows, rows, 3, 4), sums);
  }
}

TEST(CorrelationByFft, RoundingIsBoundedForAllSegments) {
  for (std::uint64_t lags = 1; lags <= 1000000; lags = 3 * lags + 1) {
    EXPECT_GE(fft_segment(lags), lags);
    EXPECT_LT(fft_rounding_bound(fft_segment(lags), 8), 0.25) << lags;
  }
  EXPECT_LT(fft_rounding_bound(fft_segment(1000000), 8), 0.25);
}

TEST(CorrelationByFft, IsRefusedWithoutFftw) {
  if (have_fftw) GTEST_SKIP() << "built with FFTW";
  EXPECT_THROW(make_fft_correlator(1, upper_bits, 1), Error);
}

/// Computes the sums of rows as the job does.
CorrelationSums all_sums(const Rows& x, const Rows& y, std::uint64_t lags, std::uint64_t columns) {
  CorrelationSums sums;
  sums.streams = x.size();
  sums.numbers = x[0].size();
  sums.is_autocorrelation = &x == &y;
  CorrelationMoments moments(lags, upper_bits, sums.numbers);
  for_each_piece(x, y, lags, columns, [&](const auto& piece) { moments.add(Space(), piece); });
  sums.sum = moments.sum();
  sums.squares = moments.squares();
  sums.ends = moments.ends();
  for (const std::int64_t one : expected_sums(x, y, lags, upper_bits)) sums.products.push_back(one);
  return sums;
}

/// Computes C_m from its definition. Each row is correlated with the row that is `next` rows later,
/// cyclically.
double defined_covariance(const Rows& x, std::uint64_t m, std::size_t next) {
  long double mean = 0;
  long double count = 0;
  for (const auto& row : x) {
    for (const std::uint32_t word : row) mean += upper_bits.number(word), ++count;
  }
  mean /= count;
  long double sum = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    const auto& partner = x[(row + next) % x.size()];
    for (std::size_t i = 0; i + m < partner.size(); ++i) {
      sum += (upper_bits.number(x[row][i]) - mean) * (upper_bits.number(partner[i + m]) - mean);
    }
  }
  return static_cast<double>(sum / count);
}

TEST(CorrelationResult, SubtractsTheMeans) {
  constexpr std::uint64_t lags = 150;  // more than half of a stream: the ends overlap
  Rows x = random_rows(3, 211, 4);
  for (auto& row : x) {
    for (auto& word : row) word = word % 3 == 0 ? word : 0xe0000000u | word;  // a mean far from 0
  }
  const Rows shifted{x[1], x[2], x[0]};
  for (const bool across : {false, true}) {
    const Rows& y = across ? shifted : x;
    const double variance = defined_covariance(x, 0, 0);
    for (const std::uint64_t columns : {150, 1000}) {
      const CorrelationResult result = correlation_result(all_sums(x, y, lags, columns));
      ASSERT_EQ(result.correlation.size(), lags + 1);
      for (std::uint64_t m = 0; m <= lags; ++m) {
        EXPECT_NEAR(result.correlation[m], defined_covariance(x, m, across ? 1 : 0) / variance,
                    1e-14);
      }
      EXPECT_NEAR(result.variance * 131072 * 131072, variance, 1e-9 * variance);
    }
  }
}

TEST(CorrelationResult, HasRoomForTheMostNumbers) {
  CorrelationSums sums;  // 10^13 numbers, nearly all 65535
  sums.streams = 1;
  sums.numbers = 10000000000000;
  const auto count = static_cast<Int128>(sums.numbers);
  sums.sum = 65535 * (count - 2);
  sums.squares = Int128{65535} * 65535 * count;
  sums.ends.assign(1000, 2 * 65535);
  sums.products.assign(1001, sums.squares);
  for (std::size_t m = 1; m < 1001; ++m) sums.products[m] -= Int128{65535} * 65535 * Int128(m);
  const CorrelationResult result = correlation_result(sums);
  for (const double one : result.correlation) EXPECT_NEAR(one, 1, 1e-9);
}

TEST(CorrelationResult, RefusesAConstant) {
  const Rows rows(1, std::vector<std::uint32_t>(100, 7u));
  EXPECT_THAT([&] { correlation_result(all_sums(rows, rows, 3, 100)); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("all numbers are equal")));
}

}  // namespace
}  // namespace rivulet

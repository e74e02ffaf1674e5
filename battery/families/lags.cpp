// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/family.hpp"
#include "kernels/correlation/batch_transforms.hpp"

// Computes correlations of words at all lags, with Fourier transforms of rows of words.

namespace rivulet::detail {
namespace {

constexpr double steps = 8;             ///< classes of |z| per unit
constexpr std::uint64_t classes = 129;  ///< the last class contains |z| >= 16
/// Numbers per batch of transforms.
constexpr std::uint64_t numbers_at_once = std::uint64_t{1} << (device_build ? 26 : 20);

/// Returns 2 (h + l) - 510, where h is the word's highest byte, and l its bit-reversed lowest byte.
/// The mean is 0. The bits at both ends of the word have the largest weights.
KOKKOS_FORCEINLINE_FUNCTION int number_of(std::uint32_t word) {
  std::uint32_t low = (word & 0x0f) << 4 | (word >> 4 & 0x0f);
  low = (low & 0x33) << 2 | (low >> 2 & 0x33);
  low = (low & 0x55) << 1 | (low >> 1 & 0x55);
  return 2 * static_cast<int>((word >> 24) + low) - 510;
}
constexpr double variance = 2 * (65536 - 1) / 3;  // variance of number_of(); the mean is 0

std::uint64_t rows_at_once(std::uint64_t n, std::uint64_t L) {
  return std::min(n, numbers_at_once / (2 * L) + 1);
}

/// Writes one number per word of each row of L words, in the layout of in-place real transforms.
/// Each row is padded with L zeros.
void put_numbers(const Space& space, std::uint64_t L, const std::uint32_t* words,
                 std::uint64_t rows, const Spectra& spectra) {
  auto* const to = reinterpret_cast<double*>(spectra.data());
  const std::uint64_t size = 2 * L;
  for_each(
      space, rows * size, "rivulet::battery_put_numbers", KOKKOS_LAMBDA(const std::uint64_t i) {
        const std::uint64_t row = i / size, at = i % size;
        to[row * (size + 2) + at] = at < L ? number_of(words[row * L + at]) : 0;
      });
}

/// Adds the squared amplitudes |F|^2 of all rows to `sum`, in row order.
void add_powers(const Space& space, const Spectra& spectra, std::uint64_t rows,
                const Spectra& sum) {
  const std::uint64_t room = sum.extent(0);
  for_each(
      space, room, "rivulet::battery_powers", KOKKOS_LAMBDA(const std::uint64_t i) {
        for (std::uint64_t row = 0; row < rows; ++row) {
          const Kokkos::complex<double> value = spectra(row * room + i);
          sum(i) += value.real() * value.real() + value.imag() * value.imag();
        }
      });
}

/// Counts the lags by class of |z|, and sums the lags in each class.
void add_lags(const Space& space, std::uint64_t n, std::uint64_t L, const Owned<double>& products,
              const Histogram& histogram) {
  const LaneItems share = lane_items(space, L / 2);
  for_each(
      space, share.lanes, "rivulet::battery_lags", KOKKOS_LAMBDA(const std::uint64_t lane) {
        for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
          const std::uint64_t lag = i + 1;
          const double deviation = variance * std::sqrt(static_cast<double>(n * (L - lag)));
          const double step = steps * (std::round(std::abs(products(lag))) / deviation);
          const std::uint64_t class_index =
              step < classes - 1 ? static_cast<std::uint64_t>(step) : classes - 1;
          histogram.add(lane, class_index);
          histogram.add(lane, classes + class_index, lag);
        }
      });
}

Replication count_lags(const Sample& sample, Test test) {
  const std::uint64_t L = to_u64(test.L);
  const Histogram histogram(sample.space(), 2 * classes);
  add_lags(sample.space(), sample.n, L, lag_products(sample, L), histogram);
  return {histogram.sums(sample.space()), sample.n * L};
}

/// Returns P(|z| >= the lower bound of a class) for a standard normal z.
double tail_from(std::size_t first_step) { return 2 * normal_p(to_double(first_step) / steps); }

std::vector<double> lags_expected(double lags) {
  std::vector<double> expected;
  for (std::size_t i = 0; i < classes; ++i) {
    expected.push_back(lags * (tail_from(i) - (i + 1 < classes ? tail_from(i + 1) : 0)));
  }
  return expected;
}

PValue largest_lag(double lags, Counters counts, Counters sums) {
  std::size_t top = classes - 1;
  while (top > 0 && counts[top] == 0) --top;
  const double left = top + 1 < classes ? 1 - any_p(tail_from(top + 1), lags) : 1;
  PValue found{"largest", to_double(top) / steps, discrete_p({left, any_p(tail_from(top), lags)})};
  const std::uint64_t count = std::max(counts[top], std::uint64_t{1});
  if (count > 1) found.note = std::to_string(count) + " lags, mean ";
  found.note += (count > 1 ? "" : "lag ") + std::to_string(sums[top] / count);
  return found;
}

/// Judges the largest |z|, and tests all |z| by chi-square. Sums of products at different lags are
/// uncorrelated, but they share numbers, so their squares have covariances of 1 / n. With few rows,
/// chi-square therefore varies too much and is omitted.
std::vector<PValue> judge_lags(Test test, Counters counters, Reals) {
  const std::vector<std::uint64_t> all = sum_over_rows(test, counters);
  const Counters counts = Counters(all).first(classes);
  const double lags = to_double(test.N * (to_u64(test.L) / 2));
  std::vector<PValue> found{largest_lag(lags, counts, Counters(all).last(classes))};
  if (lags < 10000 || test.n < 8) return found;
  const ChiSquare chi = chi_square(lags_expected(lags), counts);
  found.push_back({"Chi", chi.statistic, chi.p()});
  return found;
}

}  // namespace

Owned<double> lag_products(const Sample& sample, std::uint64_t L) {
  const Space& space = sample.space();
  const std::uint64_t at_once = std::min(rows_at_once(sample.n, L), sample.tiles.capacity() / L);
  const Spectra rows("rivulet::battery_spectra", at_once * (L + 1));
  const Spectra sum("rivulet::battery_powers", L + 1);
  const auto row_transforms = make_batch_transforms(space, 2 * L, at_once);
  for (std::uint64_t done = 0; done < sample.n; done += at_once) {
    const std::uint64_t some = std::min(at_once, sample.n - done);
    put_numbers(space, L, sample.read(done * L, some * L), some, rows);
    row_transforms->forward(rows);
    add_powers(space, rows, some, sum);
  }
  const auto sum_transform = make_batch_transforms(space, 2 * L, 1);
  sum_transform->backward(sum);
  const Owned<double> products("rivulet::battery_products", L / 2 + 1);
  const auto* const from = reinterpret_cast<const double*>(sum.data());
  const double scale = 0.5 / to_double(L);
  for_each(
      space, products.extent(0), "rivulet::battery_products",
      KOKKOS_LAMBDA(const std::uint64_t lag) { products(lag) = scale * from[lag]; });
  space.fence();  // the transforms must finish before their plans are destroyed
  return products;
}

/// Tests correlations of words at all lags 1 .. L / 2, in n rows of L words.
TestClass families::lags() {
  TestClass lags("Lags", "L = {L}");
  lags.counters = [](Test) { return 2 * classes; };
  lags.min_row_words = [](Test) { return std::uint64_t{4}; };
  lags.item_words = [](Test test) { return to_u64(test.L); };
  lags.bytes = [](Test test) {
    const std::uint64_t L = to_u64(test.L);
    return (rows_at_once(test.n, L) + 1) * (L + 1) * sizeof(Spectra::value_type) +
           (L / 2 + 1) * sizeof(double) + histogram_bytes(2 * classes);
  };
  lags.counted = count_lags;
  lags.judge = judge_lags;
  lags.pools = true;
  lags.min_items = [](Test) { return std::uint64_t{1}; };
  return lags;
}

}  // namespace rivulet::detail

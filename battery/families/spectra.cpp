// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/family.hpp"
#include "kernels/correlation/batch_transforms.hpp"

// Computes Fourier transforms of rows of bits. A set bit is transformed as 1, and a clear bit as
// -1.

namespace rivulet::detail {
namespace {

/// Rows of `size` bits, with s bits per word. Rows share no words.
struct RowsOfBits {
  std::uint64_t size;
  int r;
  int s;

  std::uint64_t words() const { return size / to_u64(s) + 1; }
  KOKKOS_FUNCTION bool bit(const std::uint32_t* word, std::uint64_t i) const {
    const auto each = to_u64(s);
    return (strip_bits(word[i / each], r, s) >> (each - 1 - i % each) & 1) != 0;
  }
};
RowsOfBits rows_of_bits(Test test) { return {std::uint64_t{1} << test.t, test.r, test.s}; }

/// Writes rows of 1 and -1 in the layout of in-place real transforms. Returns the number of ones.
/// Blocking.
std::uint64_t put_bits(const Space& space, const RowsOfBits& row, const std::uint32_t* words,
                       std::uint64_t rows, const Spectra& spectra) {
  auto* const to = reinterpret_cast<double*>(spectra.data());
  const std::uint64_t room = row.size + 2, row_words = row.words();
  return sum_over(
      space, rows * row.size, "rivulet::battery_put_bits",
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        const std::uint64_t at = i / row.size;
        const bool bit = row.bit(words + at * row_words, i % row.size);
        to[at * room + i % row.size] = bit ? 1 : -1;
        sum += bit ? 1 : 0;
      });
}

/// Adds |F|^2 / size of all rows to `sums`, for frequencies 1, 2, ..., in row order.
void add_squares(const Space& space, const Spectra& spectra, std::uint64_t rows, std::uint64_t size,
                 const Owned<double>& sums) {
  const std::uint64_t room = size / 2 + 1;
  const double scale = 1 / to_double(size);
  for_each(
      space, sums.extent(0), "rivulet::battery_squares", KOKKOS_LAMBDA(const std::uint64_t i) {
        for (std::uint64_t row = 0; row < rows; ++row) {
          const Kokkos::complex<double> value = spectra(row * room + i + 1);
          sums(i) += (value.real() * value.real() + value.imag() * value.imag()) * scale;
        }
      });
}

/// Returns one count: the number of ones. Also returns one real number per frequency 1 .. size / 4:
/// the sum of |F|^2 / size over n rows. Throws Error without a Fourier transform library.
Replication count_spectra(const Sample& sample, Test test) {
  const Space& space = sample.space();
  const RowsOfBits row = rows_of_bits(test);
  const std::uint64_t at_once =
      std::min({sample.n, sample.tiles.capacity() / row.words(),
                (std::uint64_t{device_build ? 1U << 26 : 1U << 20} >> test.t) + 1});
  const Spectra spectra("rivulet::battery_spectra", at_once * (row.size / 2 + 1));
  const Owned<double> sums("rivulet::battery_sums", row.size / 4);
  auto transforms = make_batch_transforms(space, row.size, at_once);
  Replication found{{0}, sample.n * row.words()};
  for (std::uint64_t done = 0; done < sample.n; done += at_once) {
    // Surplus rows of the last batch are transformed but not added.
    const std::uint64_t rows = std::min(at_once, sample.n - done);
    const std::uint32_t* const words = sample.read(done * row.words(), rows * row.words());
    found.counts[0] += put_bits(space, row, words, rows, spectra);
    transforms->forward(spectra);
    add_squares(space, spectra, rows, row.size, sums);
  }
  found.reals = on_host(space, sums);
  return found;
}

/// Judges the sums over n transforms of 2^t bits. Each sum has variance n (1 - 2 / bits) and mean
/// n. TestU01 treats the frequencies as independent and normal. However, the total energy of all
/// frequencies is fixed, so two sums have the covariance -2 n / bits. This covariance halves the
/// variance of the mean for any length. Rivulet first decorrelates the sums, and then uses a gamma
/// distribution, because each |F|^2 is nearly exponential.
std::vector<PValue> judge_spectra(Test test, Counters, Reals sums) {
  const double bits = to_double(rows_of_bits(test).size), mean = to_double(test.n);
  const double frequencies = to_double(sums.size());
  const double scale = 1 - 2 / bits;  // variance / mean
  const double correlation = -2 / (bits - 2);
  const double common = std::accumulate(sums.begin(), sums.end(), 0.0) / frequencies - mean;
  const double common_factor = 1 / std::sqrt(1 + (frequencies - 1) * correlation);
  const double factor = 1 / std::sqrt(1 - correlation);
  std::vector<double> gamma;
  std::vector<double> normal;
  for (const double sum : sums) {
    const double shifted = mean + common * common_factor + (sum - mean - common) * factor;
    gamma.push_back(shifted <= 0 ? 0 : gamma_cdf(mean / scale, shifted / scale));
    normal.push_back(normal_p((mean - sum) / std::sqrt(mean * scale)));
  }
  const AndersonDarling law = anderson_darling(gamma);
  return {{"AD", law.statistic, law.p, anderson_darling(normal).p}};
}

}  // namespace

/// sspectral_Fourier3: sums the spectra of n rows of bits. TestU01 has N replications with one
/// transform each. Here, the transforms are the n items of one replication. TestU01 wrongly assumes
/// that the sums of squares are normal and independent (see judge_spectra()).
TestClass families::fourier3() {
  TestClass spectra("Fourier3", "k = {t}, s = {s}");
  spectra.reals = [](Test test) { return rows_of_bits(test).size / 4; };
  spectra.item_words = [](Test test) { return rows_of_bits(test).words(); };
  spectra.counted = count_spectra;
  spectra.judge = judge_spectra;
  return spectra;
}

}  // namespace rivulet::detail

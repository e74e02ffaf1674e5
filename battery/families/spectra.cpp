// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "battery/counting/counting.hpp"
#include "battery/counting/histogram.hpp"
#include "kernels/correlation/batch_transforms.hpp"

namespace rivulet {
namespace {

using detail::LaneRange;
using Sums = Kokkos::View<double*, Space>;

/// Bits as 1 and -1, s of each word, in rows whose words are not shared. Counts the ones.
struct PutBits {
  const std::uint32_t* words;
  std::uint64_t row_words;
  std::uint64_t size;  ///< bits of a row
  int r;
  int s;
  double* to;
  std::uint64_t row_room;

  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::uint64_t& ones) const {
    const std::uint64_t row = i / size;
    const std::uint64_t bit = i % size;
    const auto each = static_cast<std::uint64_t>(s);
    const std::uint32_t word = detail::strip_bits(words[row * row_words + bit / each], r, s);
    const bool one = (word >> (each - 1 - bit % each) & 1) != 0;
    to[row * row_room + bit] = one ? 1 : -1;
    ones += one ? 1 : 0;
  }
};

/// Adds the squares of rows' spectra, in the rows' order.
struct AddSquares {
  Spectra spectra;
  std::uint64_t rows;
  std::uint64_t row_room;
  double scale;
  Sums sums;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    for (std::uint64_t row = 0; row < rows; ++row) {
      const Kokkos::complex<double> one = spectra(row * row_room + i + 1);
      sums(i) += (one.real() * one.real() + one.imag() * one.imag()) * scale;
    }
  }
};

}  // namespace

TestCounts count_spectra(const Sample& of, int s, int bits) {
  const Space& space = of.space();
  const std::uint64_t size = std::uint64_t{1} << bits;
  const std::uint64_t row_words = size / static_cast<std::uint64_t>(s) + 1;
  const std::uint64_t row_room = size / 2 + 1;
  const std::uint64_t at_once =
      std::min({of.n, of.tiles.most() / row_words,
                (std::uint64_t{device_build ? 1U << 26 : 1U << 20} >> bits) + 1});
  const Spectra spectra("rivulet::battery_spectra", at_once * row_room);
  const Sums sums("rivulet::battery_sums", size / 4);
  auto transforms = make_batch_transforms(space, size, at_once);
  TestCounts found{{0}, of.n * row_words};
  for (std::uint64_t done = 0; done < of.n; done += at_once) {
    // The rows that the last transforms have too many are not added.
    const std::uint64_t rows = std::min(at_once, of.n - done);
    std::uint64_t ones = 0;
    Kokkos::parallel_reduce(
        "rivulet::battery_put_bits", LaneRange(space, 0, rows * size),
        PutBits{of.read(done * row_words, rows * row_words), row_words, size, of.r, s,
                reinterpret_cast<double*>(spectra.data()), 2 * row_room},
        ones);
    found.counts[0] += ones;
    transforms->forward(spectra);
    Kokkos::parallel_for("rivulet::battery_squares", LaneRange(space, 0, size / 4),
                         AddSquares{spectra, rows, row_room, 1 / static_cast<double>(size), sums});
  }
  space.fence();
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  found.reals.assign(on_host.data(), on_host.data() + size / 4);
  return found;
}

}  // namespace rivulet

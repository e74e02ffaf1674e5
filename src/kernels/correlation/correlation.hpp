// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kokkos_compat.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {

/// The type for sums of products, which can exceed 64 bits.
__extension__ using Int128 = __int128;

/// Maps words to the correlated numbers. Let k be the 16 bits of a word that begin `bit` bits below
/// its highest bit. The number is the odd integer 2 k - 65535, which is the centre of cell k if
/// 2^16 cells of width 2 cover [-2^16, 2^16]. The magnitude of a product of two numbers is below
/// 2^32, so a sum of 2^20 products is exact in double precision.
struct CorrelatedBits {
  int shift = 16;  ///< 16 - bit

  static constexpr CorrelatedBits at(int bit) { return {16 - bit}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::int32_t number(std::uint32_t word) const {
    return 2 * static_cast<std::int32_t>(word >> shift & 0xffffu) - 65535;
  }
};

/// Words of several streams, one stream per row.
using WordTable = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

/// Numbers begin .. begin+count-1 of the streams in rows 0 .. rows-1, and of each stream's partner.
/// Number j of a stream is in column history + j - begin of `words`, for j =
/// max(begin - history, 0) .. begin + count - 1. Number j of the partner is in column
/// partner_column + j - begin of `partners`, for j = begin .. begin + count - 1.
struct CorrelationPiece {
  WordTable words;
  WordTable partners;
  std::uint64_t history = 0;
  std::uint64_t partner_column = 0;
  std::uint64_t rows = 0;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Sums x(i) y(i + m) exactly over all i and rows, for lags m = 0 .. lags. Here, x(i) is number i
/// of a stream, and y(i) is number i of the stream's partner. The pieces of a stream must be added
/// in order. The number y(i + m) is in the added piece, but x(i) may be in the piece's history.
class Correlator {
 public:
  virtual ~Correlator() = default;

  /// Adds a piece, whose words must already be written. Blocking.
  virtual void add(const CorrelationPiece& piece) = 0;
  /// Adds the sum of each lag m to products[m], then resets the sums.
  virtual void drain(std::span<Int128> products) = 0;

 protected:
  static void drain_into(std::vector<Int128>& sums, std::span<Int128> products) {
    for (std::size_t m = 0; m < sums.size(); ++m) products[m] += std::exchange(sums[m], 0);
  }
};

/// Creates a correlator that computes one dot product per lag. On a device, creates the tiled
/// correlator. Pieces must have at most `longest` numbers, and a history of at least `lags`
/// numbers.
std::unique_ptr<Correlator> make_direct_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                   std::uint64_t longest);
std::uint64_t direct_correlator_bytes(std::uint64_t lags, std::uint64_t longest);

extern const bool have_fftw;

/// Returns the segment length of the FFT correlator in numbers. The length is a power of two, at
/// least `lags` and at least 2048.
std::uint64_t fft_segment(std::uint64_t lags);
/// Returns the bytes of memory per worker of the FFT correlator.
std::uint64_t fft_worker_bytes(std::uint64_t lags);

/// Creates a correlator that uses fast Fourier transforms of segments, on the host's threads.
/// Pieces must have a history of at least fft_segment(lags) numbers, and begin at multiples of
/// fft_segment(lags). Throws Error in a build without FFTW. The correlator's functions throw Error
/// if a rounding error exceeds the proved bound.
std::unique_ptr<Correlator> make_fft_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                std::uint64_t workers);

/// Creates an FFT correlator that transforms batches of `segments` segments in the kernels'
/// execution space (batch_transforms.hpp). Pieces must meet the conditions of
/// make_fft_correlator(). If `with_partners` is false, each stream is correlated with itself.
std::unique_ptr<Correlator> make_batch_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t segments, bool with_partners);
/// Returns the approximate bytes of memory of a batch correlator, including the memory of the FFT
/// library.
std::uint64_t batch_correlator_bytes(std::uint64_t lags, std::uint64_t segments,
                                     bool with_partners);
/// Returns the batch size, in segments, that keeps a device busy. The size is limited to the number
/// of segments in `streams` streams of length `numbers`.
std::uint64_t useful_batch(std::uint64_t lags, std::uint64_t streams, std::uint64_t numbers);

/// Maximum number of products below 2^32 whose sum fits in 63 bits.
inline constexpr std::uint64_t max_products = std::uint64_t{1} << 31;

/// Creates the tiled correlator for devices, which multiplies integers for many lags and positions
/// at a time (correlation_tiles.hpp). Pieces must have a history of at least `lags` numbers. A
/// 64-bit sum accumulates at most `max_products_per_sum` products per lag, or the products of one
/// block if these are more.
std::unique_ptr<Correlator> make_tiled_correlator(
    std::uint64_t lags, CorrelatedBits bits, std::uint64_t max_products_per_sum = max_products);
std::uint64_t tiled_correlator_bytes(std::uint64_t lags);

/// The following functions return each method's measured cost per number. The unit is the time that
/// one CPU core takes for one product of a dot product. `numbers` is the length of a stream.
double direct_cost(std::uint64_t lags);
double fft_cost(std::uint64_t lags);
double batch_cost(std::uint64_t lags, std::uint64_t numbers);
/// Returns how many CPU cores together multiply as fast as the device, or 1 without a device.
double cores_of_device();

/// Returns an upper bound on the rounding error of a sum over `segments` segments. The FFT
/// correlators limit the number of segments per sum to keep the bound below 1/4, so rounded sums
/// are exact.
double fft_rounding_bound(std::uint64_t segment, std::uint64_t segments);

}  // namespace rivulet

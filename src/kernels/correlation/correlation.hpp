// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet {

/// The type for sums of products, which can exceed 64 bits.
__extension__ using Int128 = __int128;

/// Maps words to the correlated numbers. Let k be the 16 bits of a word that begin `bit` bits below
/// its highest bit. The number is the odd integer 2 k - 65535: the centre of one of 2^16 cells
/// around 0. Products of two numbers are below 2^32, so a sum of 2^20 products is exact in double
/// precision.
struct CorrelatedBits {
  int shift = 16;  ///< 16 - bit

  static constexpr CorrelatedBits at(int bit) { return {16 - bit}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::int32_t number(std::uint32_t word) const {
    return 2 * static_cast<std::int32_t>(word >> shift & 0xffffu) - 65535;
  }
};

/// Words of several streams, one stream per row.
using WordTable = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

/// Numbers begin .. begin+count-1 of the streams in rows 0 .. rows-1, and of their partners. Number
/// j of a stream is in column history + j - begin of `words`, for j = max(begin - history, 0) ..
/// begin + count - 1. Number j of the partner is in column partner_column + j - begin of
/// `partners`, for j = begin .. begin + count - 1.
struct CorrelationPiece {
  WordTable words;
  WordTable partners;
  std::uint64_t history = 0;
  std::uint64_t partner_column = 0;
  std::uint64_t rows = 0;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Sums x(i) y(i + m) exactly over all i and rows, for lags m = 0 .. lags. The pieces of a stream
/// must be added in order. The number y(i + m) is in the added piece; x(i) may be in the history.
class Correlator {
 public:
  virtual ~Correlator() = default;

  /// Adds a piece. Its words must already be written. Blocking.
  virtual void add(const CorrelationPiece& piece) = 0;
  /// Adds the current sums of the lags + 1 lags to `products`, then resets the sums.
  virtual void take(std::span<Int128> products) = 0;

 protected:
  static void take_from(std::vector<Int128>& sums, std::span<Int128> products) {
    for (std::size_t m = 0; m < sums.size(); ++m) products[m] += std::exchange(sums[m], 0);
  }
};

constexpr std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t by) {
  return (value + by - 1) / by;
}

/// Creates a correlator that computes one dot product per lag; on a device, the tiled correlator.
/// Pieces must have at most `longest` numbers, and a history of at least `lags`.
std::unique_ptr<Correlator> make_direct_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                   std::uint64_t longest);
std::uint64_t direct_correlator_bytes(std::uint64_t lags, std::uint64_t longest);

extern const bool have_fftw;

/// Returns the segment length of the FFT correlator, in numbers: a power of two, at least `lags`
/// and at least 2048.
std::uint64_t fft_segment(std::uint64_t lags);
/// Returns the bytes of memory per worker of the FFT correlator.
std::uint64_t fft_worker_bytes(std::uint64_t lags);

/// Creates a correlator that uses fast Fourier transforms of segments, on the host's threads.
/// Pieces must have a history of at least fft_segment(lags) numbers, and begin at multiples of
/// fft_segment(lags). Throws Error in a build without FFTW. The correlator's functions throw Error
/// if a rounding error exceeds the proved bound.
std::unique_ptr<Correlator> make_fft_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                std::uint64_t workers);

/// Creates an FFT correlator for the kernels' execution space, which transforms batches of
/// `segments` segments (batch_transforms.hpp). Pieces must be as for make_fft_correlator(). Without
/// partners, each stream is correlated with itself.
std::unique_ptr<Correlator> make_batch_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t segments, bool with_partners);
/// Returns the approximate bytes of memory, including those of the FFT library.
std::uint64_t batch_correlator_bytes(std::uint64_t lags, std::uint64_t segments,
                                     bool with_partners);
/// Returns the batch size in segments that keeps a device busy, for streams of `numbers` numbers.
std::uint64_t useful_batch(std::uint64_t lags, std::uint64_t streams, std::uint64_t numbers);

/// Most products, each below 2^32, whose sum fits in 63 bits.
inline constexpr std::uint64_t most_products = std::uint64_t{1} << 31;

/// Creates a correlator for devices that multiplies integers, many lags and positions at a time
/// (correlation_tiles.hpp). Pieces must have a history of at least `lags`. A 64-bit sum accumulates
/// at most `most` products per lag, but at least those of one block.
std::unique_ptr<Correlator> make_tiled_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t most = most_products);
std::uint64_t tiled_correlator_bytes(std::uint64_t lags);

/// Measured costs of the methods per number. The unit is the time of one product in a dot product
/// on one CPU core. `numbers`: numbers per stream.
double direct_cost(std::uint64_t lags);
double fft_cost(std::uint64_t lags);
double batch_cost(std::uint64_t lags, std::uint64_t numbers);
/// Returns the number of CPU cores that multiply as fast as the device; 1 without a device.
double cores_of_device();

/// Returns an upper bound on the rounding error of a sum over `segments` segments. The FFT
/// correlator limits the number of segments to keep the bound below 1/4, so rounded sums are exact.
double fft_rounding_bound(std::uint64_t segment, std::uint64_t segments);

}  // namespace rivulet

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

/// The type of sums of products, which exceed 64 bits.
__extension__ using Int128 = __int128;

/// Maps words to the correlated numbers. Let k be the 16 bits of a word that begin `bit` bits below
/// its highest bit. The number is the odd integer 2 k - 65535. The numbers are the centres of 2^16
/// cells, with mean 0. Products of two numbers are below 2^32, so double precision sums 2^20
/// products exactly.
struct CorrelatedBits {
  int shift = 16;  ///< 16 - bit

  static constexpr CorrelatedBits at(int bit) { return {16 - bit}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::int32_t number(std::uint32_t word) const {
    return 2 * static_cast<std::int32_t>(word >> shift & 0xffffu) - 65535;
  }
};

/// Words of several streams, one stream a row.
using WordTable = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;

/// Numbers begin .. begin+count-1 of the streams in rows 0 .. rows-1, and of the partners that
/// these streams are correlated with. Number j of a row's stream is in column history + j - begin
/// of `words`, for j = max(begin - history, 0) .. begin + count - 1. Number j of its partner is in
/// column partner_column + j - begin of `partners`, for j = begin .. begin + count - 1.
struct CorrelationPiece {
  WordTable words;
  WordTable partners;
  std::uint64_t history = 0;
  std::uint64_t partner_column = 0;
  std::uint64_t rows = 0;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Sums x(i) y(i + m) exactly over all i and rows, for lags m = 0 .. lags. Pieces of a stream must
/// come in order. The number y(i + m) is in the piece; x(i) may be in its history.
class Correlator {
 public:
  virtual ~Correlator() = default;

  /// Adds a piece, whose words must be complete. Waits.
  virtual void add(const CorrelationPiece& piece) = 0;
  /// Adds the lags + 1 sums so far to `products` and resets them.
  virtual void take(std::span<Int128> products) = 0;

 protected:
  static void take_from(std::vector<Int128>& sums, std::span<Int128> products) {
    for (std::size_t m = 0; m < sums.size(); ++m) products[m] += std::exchange(sums[m], 0);
  }
};

constexpr std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t by) {
  return (value + by - 1) / by;
}

/// Makes a correlator by dot products, lag by lag, or on a device the tiled correlator. Pieces must
/// have at most `longest` numbers, and a history of at least `lags`.
std::unique_ptr<Correlator> make_direct_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                   std::uint64_t longest);
std::uint64_t direct_correlator_bytes(std::uint64_t lags, std::uint64_t longest);

extern const bool have_fftw;

/// Returns the numbers in a segment of the FFT correlator: the least power of two >= `lags` that is
/// worth a call.
std::uint64_t fft_segment(std::uint64_t lags);
/// Bytes of memory of each worker of the FFT correlator.
std::uint64_t fft_worker_bytes(std::uint64_t lags);

/// Makes a correlator by fast Fourier transforms of segments, on the host's threads. Pieces must
/// have a history of at least fft_segment(lags), and begin at multiples of it. Throws Error if the
/// build is without FFTW. The correlator's functions throw Error if a rounding error exceeds the
/// proved bound.
std::unique_ptr<Correlator> make_fft_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                std::uint64_t workers);

/// Makes an FFT correlator that runs where the kernels run, in batches of `segments` segments
/// (batch_transforms.hpp). Pieces must be as for make_fft_correlator(). Without partners, a stream
/// is correlated with itself.
std::unique_ptr<Correlator> make_batch_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t segments, bool with_partners);
/// Approximate bytes of memory, including the library's.
std::uint64_t batch_correlator_bytes(std::uint64_t lags, std::uint64_t segments,
                                     bool with_partners);
/// Returns the number of segments that keep a device busy, for streams of `numbers` numbers.
std::uint64_t useful_batch(std::uint64_t lags, std::uint64_t streams, std::uint64_t numbers);

/// Number of products below 2^32 whose sum fits in 63 bits.
inline constexpr std::uint64_t most_products = std::uint64_t{1} << 31;

/// Makes a correlator for devices that multiplies integers, many lags and positions at a time
/// (correlation_tiles.hpp). Pieces must have a history of at least `lags`. A 64-bit sum holds at
/// most `most` products per lag, or those of one block.
std::unique_ptr<Correlator> make_tiled_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t most = most_products);
std::uint64_t tiled_correlator_bytes(std::uint64_t lags);

/// Measured costs of the methods per number, in units of a product in a dot product on the host.
/// batch_cost() is for streams of `numbers` numbers.
double direct_cost(std::uint64_t lags);
double fft_cost(std::uint64_t lags);
double batch_cost(std::uint64_t lags, std::uint64_t numbers);
/// Number of CPU cores that multiply as fast as the device; 1 without a device.
double cores_of_device();

/// Returns an upper bound of the rounding error of a sum over `segments` segments. The FFT
/// correlator keeps the bound below 1/4, which makes its rounded sums exact.
double fft_rounding_bound(std::uint64_t segment, std::uint64_t segments);

}  // namespace rivulet

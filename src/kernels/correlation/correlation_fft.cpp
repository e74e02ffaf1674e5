// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/correlation/correlation.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"

#if RIVULET_HAVE_FFTW
#include <fftw3.h>
#endif

// A segment x(b) consists of L consecutive numbers of a stream, where L >= lags. Its transform has
// size F = 2 L. Let X(b) be the transform of x(b), padded with zeros, and Y the transform of the
// partner's segment y(b), also padded. The two segments [x(b-1), x(b)] together have the transform
// A = X(b-1) + (-1)^f X(b). The inverse transform of A conj(Y) at index L - m is the sum of
// x(bL + j - m) y(bL + j) over j = 0 .. L-1. This sum is the segment's contribution to lag m, for
// m = 0 .. L. No index wraps around, because the largest index, L - m + j, is below 2 L. In an
// autocorrelation, Y = X(b), so each segment needs only one transform. The products of K segments
// are summed, and the sum is transformed back once.
//
// Exactness: A number 2 k - 65535 is 256 h + l with h = 2 (k >> 8) - 255 and l = 2 (k & 255) - 255.
// Both halves are odd, with magnitudes of at most 255. The sums of h h, of l l, and of h l + l h
// over pairs of numbers are computed separately and rounded to integers. The rounded sums are exact
// if the rounding errors stay below 1/2. The following bound is for K segments.
//
// Let u = 2^-53, and let e = 7 u log2 F. Then e bounds a transform's relative error in the 2-norm,
// if each twiddle factor has one rounding (Higham, Accuracy and Stability of Numerical Algorithms,
// theorem 24.2). Each element of the result is a sum over paths of log2 F steps. Therefore, e also
// bounds an element's error, relative to the sum of the inputs' magnitudes. If |x|, |y| <= 255,
// then:
// - ||X|| <= sqrt(F) 255 sqrt(L), with an error of at most e sqrt(F) 255 sqrt(L).
// - ||A|| <= sqrt(2) sqrt(F) 255 sqrt(L), with an error of at most twice the error of X, plus u
//   ||A|| for the addition.
// - The magnitudes of a segment's products sum up to at most ||A|| ||Y|| = F 255^2 sqrt(2) L. The
//   errors sum up to at most F 255^2 sqrt(2) L ((1 + sqrt(2)) e + 4 u), with 4 u for the addition
//   and a complex product.
// - Summing the products of K segments adds an error of at most K u times the magnitudes.
// - The inverse transform adds e times the magnitudes, which sum up to K F 255^2 sqrt(2) L, and
//   divides by F.
//
// The total bound is 255^2 sqrt(2) K L ((2 + sqrt(2)) e + (4 + K) u). The bound for h l + l h is
// twice as large.

namespace rivulet {

#if RIVULET_HAVE_FFTW
const bool have_fftw = true;
#else
const bool have_fftw = false;
#endif

std::uint64_t fft_segment(std::uint64_t lags) {
  // For shorter segments, the overhead of a transform call dominates.
  constexpr std::uint64_t min_segment = 2048;
  return std::bit_ceil(std::max(lags, min_segment));
}

double fft_rounding_bound(std::uint64_t segment, std::uint64_t segments) {
  const double unit = std::ldexp(1.0, -53);
  const auto length = static_cast<double>(segment);
  const auto count = static_cast<double>(segments);
  const double transform = 7 * unit * std::log2(2 * length);
  const double sum = 255 * 255 * std::sqrt(2.0) * count * length;
  return 2 * sum * ((2 + std::sqrt(2.0)) * transform + (4 + count) * unit);
}

std::uint64_t fft_worker_bytes(std::uint64_t lags) {
  const std::uint64_t size = 2 * fft_segment(lags);
  const std::uint64_t spectrum = (size / 2 + 1) * 2 * sizeof(double);
  return size * sizeof(double) + 9 * spectrum + (lags + 1) * sizeof(Int128);
}

double fft_cost(std::uint64_t lags) {
  const auto size = static_cast<double>(2 * fft_segment(lags));
  const double cost = 1.5 * std::log2(size);  // measured: 15 ns per number at size 4096
  // On a CPU, the direct method uses the same threads, so their number cancels. On a device, 4
  // bytes per number are copied to the host at 8 GB/s, which takes as long as 0.55 products.
  constexpr double copy = 0.55;
  return device_build ? cost / HostSpace().concurrency() + copy : cost;
}

#if RIVULET_HAVE_FFTW
namespace {

/// Memory with FFTW's alignment.
template <class T>
class FftwArray {
 public:
  explicit FftwArray(std::uint64_t size)
      : data_(static_cast<T*>(fftw_malloc(size * sizeof(T)))), size_(size) {
    if (!data_) throw std::bad_alloc();
    clear();
  }

  void clear() { std::fill_n(reinterpret_cast<double*>(data()), size_ * sizeof(T) / 8, 0.0); }
  T* data() { return data_.get(); }
  T& operator[](std::uint64_t i) { return data()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { fftw_free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::uint64_t size_;
};
using Spectrum = FftwArray<fftw_complex>;

/// FFTW plans for both directions of a real transform. Any number of threads may use the plans
/// concurrently, but only one thread at a time may create plans.
class Plans {
 public:
  explicit Plans(std::uint64_t size) {
    FftwArray<double> real(size);
    Spectrum spectrum(size / 2 + 1);
    const auto n = static_cast<int>(size);
    // With FFTW_MEASURE, transforms would be a quarter faster, but creating a plan would take
    // between half a second and many seconds.
    forward_ = fftw_plan_dft_r2c_1d(n, real.data(), spectrum.data(), FFTW_ESTIMATE);
    backward_ = fftw_plan_dft_c2r_1d(n, spectrum.data(), real.data(), FFTW_ESTIMATE);
  }
  ~Plans() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
  }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  void forward(FftwArray<double>& real, Spectrum& spectrum) const {
    fftw_execute_dft_r2c(forward_, real.data(), spectrum.data());
  }
  /// Computes the inverse transform without the factor 1 / size. Overwrites the spectrum.
  void backward(Spectrum& spectrum, FftwArray<double>& real) const {
    fftw_execute_dft_c2r(backward_, spectrum.data(), real.data());
  }

 private:
  fftw_plan forward_;
  fftw_plan backward_;
};

/// The spectra of the upper and lower halves of a segment's numbers.
struct Halves {
  explicit Halves(std::uint64_t bins) : high(bins), low(bins) {}
  Spectrum high;
  Spectrum low;
};

using Words = std::span<const std::uint32_t>;

/// to += (re + i im) conj(b)
inline void add_product(fftw_complex& to, double re, double im, const fftw_complex& b) {
  to[0] += re * b[0] + im * b[1];
  to[1] += im * b[0] - re * b[1];
}

class CorrelationWorker {
 public:
  CorrelationWorker(std::uint64_t lags, CorrelatedBits bits)
      : bits_(bits),
        segment_(fft_segment(lags)),
        real_(2 * segment_),
        previous_(bins()),
        current_(bins()),
        partner_(bins()),
        high_(bins()),
        low_(bins()),
        cross_(bins()),
        products_(lags + 1, 0) {
    while (fft_rounding_bound(segment_, max_segments_ + 1) < 0.25) ++max_segments_;
  }

  /// Sets the segment that precedes the next segment passed to add().
  void set_previous(const Plans& plans, Words words) { transform(plans, words, previous_); }
  void clear_previous() {
    previous_.high.clear();
    previous_.low.clear();
  }

  /// Adds a segment. The next added segment must follow it in the stream, unless set_previous() or
  /// clear_previous() is called first. Without a partner, the stream is correlated with itself.
  void add(const Plans& plans, Words words, const std::optional<Words>& partner) {
    transform(plans, words, current_);
    if (partner) transform(plans, *partner, partner_);
    multiply(partner ? partner_ : current_);
    std::swap(previous_, current_);
    if (++segments_ == max_segments_) flush(plans);
  }

  /// Transforms the sums of products back and adds the results to products().
  void flush(const Plans& plans) {
    if (segments_ == 0) return;
    add_sums(plans, high_, 65536);
    add_sums(plans, cross_, 256);
    add_sums(plans, low_, 1);
    segments_ = 0;
  }

  std::vector<Int128>& products() { return products_; }

 private:
  std::uint64_t bins() const { return segment_ + 1; }

  void transform(const Plans& plans, Words words, Halves& to) {
    const auto half = [&](auto half_of, Spectrum& spectrum) {
      for (std::uint64_t i = 0; i < words.size(); ++i) {
        real_[i] = static_cast<double>(half_of(words[i] >> bits_.shift & 0xffffu));
      }
      std::fill(real_.data() + words.size(), real_.data() + 2 * segment_, 0.0);
      plans.forward(real_, spectrum);
    };
    half([](std::uint32_t k) { return 2 * static_cast<int>(k >> 8) - 255; }, to.high);
    half([](std::uint32_t k) { return 2 * static_cast<int>(k & 255u) - 255; }, to.low);
  }

  void multiply(Halves& partner) {
    double sign = 1;  // (-1)^f
    for (std::uint64_t f = 0; f < bins(); ++f, sign = -sign) {
      const double high_re = previous_.high[f][0] + sign * current_.high[f][0];
      const double high_im = previous_.high[f][1] + sign * current_.high[f][1];
      const double low_re = previous_.low[f][0] + sign * current_.low[f][0];
      const double low_im = previous_.low[f][1] + sign * current_.low[f][1];
      add_product(high_[f], high_re, high_im, partner.high[f]);
      add_product(low_[f], low_re, low_im, partner.low[f]);
      add_product(cross_[f], high_re, high_im, partner.low[f]);
      add_product(cross_[f], low_re, low_im, partner.high[f]);
    }
  }

  void add_sums(const Plans& plans, Spectrum& spectrum, std::int64_t weight) {
    plans.backward(spectrum, real_);
    spectrum.clear();
    const double factor = 0.5 / static_cast<double>(segment_);  // a power of two
    for (std::uint64_t m = 0; m < products_.size(); ++m) {
      const double value = real_[segment_ - m] * factor;
      const double nearest = std::nearbyint(value);
      if (!(std::abs(value - nearest) < 0.25)) {
        throw Error(fmt::format("a sum of whole numbers came out as {}", value),
                    "rounding errors are proved to be below 1/4, so this machine, compiler or FFTW "
                    "is faulty",
                    "Test the memory, the compiler and FFTW; set correlate.method=direct.");
      }
      products_[m] += weight * static_cast<Int128>(static_cast<std::int64_t>(nearest));
    }
  }

  CorrelatedBits bits_;
  std::uint64_t segment_;
  FftwArray<double> real_;
  Halves previous_;
  Halves current_;
  Halves partner_;
  Spectrum high_;
  Spectrum low_;
  Spectrum cross_;
  std::uint64_t segments_ = 0;
  std::uint64_t max_segments_ = 0;
  std::vector<Int128> products_;
};

class FftCorrelator final : public Correlator {
 public:
  FftCorrelator(std::uint64_t lags, CorrelatedBits bits, std::uint64_t workers)
      : segment_(fft_segment(lags)), plans_(2 * segment_) {
    workers_.reserve(workers);
    for (std::uint64_t i = 0; i < workers; ++i) workers_.emplace_back(lags, bits);
  }

  void add(const CorrelationPiece& piece) override {
    const auto words = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), piece.words);
    const bool is_autocorrelation = piece.partners.data() == piece.words.data();
    const auto partners = is_autocorrelation ? words
                                             : Kokkos::create_mirror_view_and_copy(
                                                   Kokkos::HostSpace(), piece.partners);
    const std::uint64_t segments = ceil_divide(piece.count, segment_);
    const auto words_of = [&](const auto& table, std::uint64_t row, std::uint64_t column,
                              std::uint64_t b) -> Words {
      return {&table(row, column + b * segment_), std::min(segment_, piece.count - b * segment_)};
    };
    // Each worker processes a contiguous range of the segments of all rows. A worker that begins
    // within a row also transforms the segment before its range.
    const std::uint64_t all = piece.rows * segments;
    const std::uint64_t segments_per_worker = ceil_divide(all, workers_.size());
    for_each_on_host("rivulet::correlate_fft", workers_.size(), [&](std::size_t w) {
      const std::uint64_t first = std::min(all, w * segments_per_worker);
      const std::uint64_t last = std::min(all, first + segments_per_worker);
      for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t row = i / segments;
        const std::uint64_t b = i % segments;
        if (b == 0 && piece.begin == 0) {
          workers_[w].clear_previous();
        } else if (b == 0 || i == first) {
          const std::uint64_t column = piece.history + b * segment_ - segment_;
          workers_[w].set_previous(plans_, {&words(row, column), segment_});
        }
        std::optional<Words> partner;
        if (!is_autocorrelation) partner = words_of(partners, row, piece.partner_column, b);
        workers_[w].add(plans_, words_of(words, row, piece.history, b), partner);
      }
    });
  }

  void drain(std::span<Int128> products) override {
    for_each_on_host("rivulet::correlate_flush", workers_.size(),
                     [&](std::size_t w) { workers_[w].flush(plans_); });
    for (CorrelationWorker& worker : workers_) drain_into(worker.products(), products);
  }

 private:
  std::uint64_t segment_;
  Plans plans_;
  std::vector<CorrelationWorker> workers_;
};

}  // namespace

std::unique_ptr<Correlator> make_fft_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                std::uint64_t workers) {
  return std::make_unique<FftCorrelator>(lags, bits, workers);
}

#else

std::unique_ptr<Correlator> make_fft_correlator(std::uint64_t, CorrelatedBits, std::uint64_t) {
  throw Error("correlate.method=fft in a build without FFTW",
              "FFTW was not found, or was turned off",
              "Set correlate.method=auto or direct, or build with FFTW (docs/install.md).");
}

#endif

}  // namespace rivulet

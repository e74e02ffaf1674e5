// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/correlation/batch_transforms.hpp"
#include "kernels/correlation/correlation.hpp"
#include "launching/host_launch.hpp"
#include "rivulet/error.hpp"

// BatchCorrelator is the FFT correlator for the kernels' execution space. It transforms many
// segments at a time (correlation_fft.cpp proves exactness). A row has one slot for its history,
// then one slot per segment. Slots are numbered row by row. A batch is a fixed number of
// consecutive slots, and the last slot of a batch is also the first slot of the next batch. The
// first slot of a batch or a row serves only as the predecessor of the next slot. For each further
// slot, the spectra of its segment and of the previous slot's segment are combined. The combined
// spectrum is multiplied by the conjugate spectrum of the partner's segment. The products are
// summed over groups of slots, and each group's sums are transformed back.

namespace rivulet {
namespace {

using Complex = Kokkos::complex<double>;

/// Slots per group. With this many, the three inverse transforms per group cost little compared
/// with the two transforms per slot.
constexpr std::uint64_t default_group = 32;
/// Numbers per batch. On an H200, batches of half this size make a run take 1.1 times as long.
constexpr std::uint64_t default_batch = std::uint64_t{1} << 23;
/// Minimum number of segments per batch, not counting the first slot.
constexpr std::uint64_t min_batch = 8;
/// Assumed ratio of a device library's rounding errors to FFTW's. A ratio of 1 cannot be assumed,
/// because device libraries do not document the rounding of their twiddle factors.
constexpr double device_error = 2;

/// Returns the number of slots per group: default_group, or fewer if a batch is smaller or rounding
/// errors require fewer.
std::uint64_t group_of(std::uint64_t segment, std::uint64_t segments) {
  const std::uint64_t max_group = std::min(default_group, segments);
  std::uint64_t group = 1;
  while (group < max_group && device_error * fft_rounding_bound(segment, group + 1) < 0.25) ++group;
  return group;
}

struct SegmentSlots {
  CorrelationPiece piece;
  std::uint64_t segment = 0;
  std::uint64_t per_row = 0;  ///< slots per row: the history and the row's segments

  KOKKOS_FUNCTION std::uint64_t count() const { return piece.rows * per_row; }
  /// Returns the first number of a slot, relative to piece.begin. The history's slot begins at
  /// -segment.
  KOKKOS_FUNCTION std::int64_t begin(std::uint64_t slot) const {
    return (static_cast<std::int64_t>(slot % per_row) - 1) * static_cast<std::int64_t>(segment);
  }
};

/// Splits the numbers of a batch into upper and lower halves, and writes two arrays per slot: the
/// upper halves, then the lower halves. Each array is padded with zeros to 2 * segment + 2 real
/// elements. `first`: first slot of the batch.
struct FillTransforms {
  CorrelatedBits bits;
  SegmentSlots slots;
  bool partners;
  std::uint64_t first;
  Spectra to;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const std::uint64_t length = 2 * slots.segment + 2;
    const std::uint64_t slot = first + i / length;
    const std::uint64_t column = i % length;
    double* const high = reinterpret_cast<double*>(to.data()) + i / length * 2 * length + column;
    high[0] = 0;
    high[length] = 0;
    const std::int64_t j = slots.begin(slot) + static_cast<std::int64_t>(column);
    if (column >= slots.segment || slot >= slots.count() || !has(j)) return;
    const std::uint32_t number = word(slot / slots.per_row, j) >> bits.shift & 0xffffu;
    high[0] = 2 * static_cast<int>(number >> 8) - 255;
    high[length] = 2 * static_cast<int>(number & 255u) - 255;
  }

 private:
  KOKKOS_FUNCTION bool has(std::int64_t j) const {
    const CorrelationPiece& piece = slots.piece;
    if (j < 0) return !partners && piece.begin > 0;
    return j < static_cast<std::int64_t>(piece.count);
  }
  KOKKOS_FUNCTION std::uint32_t word(std::uint64_t row, std::int64_t j) const {
    const CorrelationPiece& piece = slots.piece;
    return *(partners ? &piece.partners(row, piece.partner_column) + j
                      : &piece.words(row, piece.history) + j);
  }
};

/// Computes three sums of a group's products at one frequency: the products of upper halves, the
/// products of lower halves, and the mixed products.
struct MultiplySpectra {
  SegmentSlots slots;
  std::uint64_t first;      ///< first slot of the batch
  std::uint64_t end_slot;   ///< end of the batch's slots
  std::uint64_t group;      ///< slots per group
  Spectra stream, partner;  ///< per slot: upper halves, then lower halves
  Spectra to;               ///< three spectra per group

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const std::uint64_t bins = slots.segment + 1;
    const std::uint64_t f = i % bins;
    const double sign = f % 2 == 0 ? 1 : -1;
    const std::uint64_t begin = i / bins * group + 1;  // relative to the batch's first slot
    const std::uint64_t batch_slots = end_slot - first;
    const std::uint64_t end = begin + group < batch_slots ? begin + group : batch_slots;
    Complex high, low, cross;
    for (std::uint64_t slot = begin; slot < end; ++slot) {
      if ((first + slot) % slots.per_row == 0) continue;  // first slot of another row
      const Complex* const x = stream.data() + 2 * slot * bins + f;
      const Complex* const y = partner.data() + 2 * slot * bins + f;
      const Complex upper = x[-2 * static_cast<std::int64_t>(bins)] + sign * x[0];
      const Complex lower = x[-static_cast<std::int64_t>(bins)] + sign * x[bins];
      high += upper * Kokkos::conj(y[0]);
      low += lower * Kokkos::conj(y[bins]);
      cross += upper * Kokkos::conj(y[bins]);
      cross += lower * Kokkos::conj(y[0]);
    }
    Complex* const sums = to.data() + i / bins * 3 * bins + f;
    sums[0] = high;
    sums[bins] = low;
    sums[2 * bins] = cross;
  }
};

/// Rounds each group's three sums at one lag to integers, and adds the integers with weights 2^16,
/// 1 and 2^8. The reduction's result is the largest rounding error.
struct AddSums {
  Spectra rows;
  std::uint64_t groups;
  std::uint64_t segment;
  Kokkos::View<std::int64_t*, Space> sums;

  KOKKOS_FUNCTION void operator()(std::uint64_t m, double& max_error) const {
    const std::uint64_t length = 2 * segment + 2;
    const double factor = 0.5 / static_cast<double>(segment);  // a power of two
    const double* from = reinterpret_cast<const double*>(rows.data()) + segment - m;
    std::int64_t sum = 0;
    for (std::uint64_t g = 0; g < groups; ++g, from += 3 * length) {
      sum += round_to_integer(from[0] * factor, max_error) * 65536;
      sum += round_to_integer(from[length] * factor, max_error);
      sum += round_to_integer(from[2 * length] * factor, max_error) * 256;
    }
    sums(m) += sum;
  }

 private:
  KOKKOS_FUNCTION static std::int64_t round_to_integer(double value, double& max_error) {
    const auto nearest = static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5);
    const double difference = value - static_cast<double>(nearest);
    const double error = difference < 0 ? -difference : difference;
    if (!(error <= 0.5)) max_error = 1;  // NaN
    if (error > max_error) max_error = error;
    return nearest;
  }
};

class BatchCorrelator final : public Correlator {
 public:
  BatchCorrelator(std::uint64_t lags, CorrelatedBits bits, std::uint64_t segments,
                  bool with_partners)
      : bits_(bits),
        segment_(fft_segment(lags)),
        batch_(segments + 1),
        group_(group_of(segment_, segments)),
        groups_(ceil_divide(segments, group_)),
        sums_("rivulet::lag_sums", lags + 1),
        products_(lags + 1, 0) {
    spectra_ = spectra("rivulet::own_spectra", 2 * batch_);
    partners_ = with_partners ? spectra("rivulet::partner_spectra", 2 * batch_) : spectra_;
    results_ = spectra("rivulet::products", 3 * groups_);
    forward_ = make_batch_transforms(space_, 2 * segment_, 2 * batch_);
    inverse_ = make_batch_transforms(space_, 2 * segment_, 3 * groups_);
  }

  void add(const CorrelationPiece& piece) override {
    const SegmentSlots slots{piece, segment_, ceil_divide(piece.count, segment_) + 1};
    for (std::uint64_t first = 0; first + 1 < slots.count(); first += batch_ - 1) {
      add_batch(slots, first);
      summed_ += batch_ * segment_;
      if (summed_ > max_products - batch_ * segment_) collect();
    }
    space_.fence();
  }

  void drain(std::span<Int128> products) override {
    collect();
    drain_into(products_, products);
  }

 private:
  Spectra spectra(const std::string& label, std::uint64_t count) const {
    return Spectra(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), count * (segment_ + 1));
  }

  void transform(const SegmentSlots& slots, bool partners, std::uint64_t first, const Spectra& to) {
    Kokkos::parallel_for("rivulet::fft_rows", IndexRange(space_, 0, batch_ * (2 * segment_ + 2)),
                         FillTransforms{bits_, slots, partners, first, to});
    forward_->forward(to);
  }

  void add_batch(const SegmentSlots& slots, std::uint64_t first) {
    transform(slots, false, first, spectra_);
    if (partners_.data() != spectra_.data()) transform(slots, true, first, partners_);
    Kokkos::parallel_for("rivulet::fft_products", IndexRange(space_, 0, groups_ * (segment_ + 1)),
                         MultiplySpectra{slots, first, std::min(slots.count(), first + batch_),
                                         group_, spectra_, partners_, results_});
    inverse_->backward(results_);
    double max_error = 0;
    Kokkos::parallel_reduce("rivulet::fft_sums", IndexRange(space_, 0, sums_.extent(0)),
                            AddSums{results_, groups_, segment_, sums_},
                            Kokkos::Max<double>(max_error));
    require_exact(max_error);
  }

  static void require_exact(double max_error) {
    if (max_error < 0.25) return;
    throw Error(fmt::format("a sum of whole numbers is {} away from a whole number", max_error),
                "rounding errors are proved to be below 1/4, so this machine, compiler or "
                "FFT library is faulty",
                "Test the memory, the compiler and the FFT library; set correlate.method=direct.");
  }

  void collect() {
    const auto sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_);
    for (std::size_t m = 0; m < products_.size(); ++m) products_[m] += sums(m);
    Kokkos::deep_copy(sums_, 0);
    summed_ = 0;
  }

  Space space_;
  CorrelatedBits bits_;
  std::uint64_t segment_;
  std::uint64_t batch_;   ///< slots per batch
  std::uint64_t group_;   ///< slots per group
  std::uint64_t groups_;  ///< groups per batch
  Spectra spectra_;
  Spectra partners_;
  Spectra results_;
  std::unique_ptr<BatchTransforms> forward_;
  std::unique_ptr<BatchTransforms> inverse_;
  Kokkos::View<std::int64_t*, Space> sums_;
  std::uint64_t summed_ = 0;  ///< upper bound on the products per lag in sums_
  std::vector<Int128> products_;
};

}  // namespace

std::unique_ptr<Correlator> make_batch_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t segments, bool with_partners) {
  return std::make_unique<BatchCorrelator>(lags, bits, segments, with_partners);
}

std::uint64_t batch_correlator_bytes(std::uint64_t lags, std::uint64_t segments,
                                     bool with_partners) {
  const std::uint64_t segment = fft_segment(lags);
  // `spectra` counts the streams' spectra, the partners' spectra, and the library's workspace. The
  // workspace is about as large as the streams' spectra.
  const std::uint64_t spectra = (with_partners ? 3 : 2) * 2 * (segments + 1);
  // `results` counts the inverse transforms' spectra, and a library workspace of the same size.
  const std::uint64_t results = 2 * 3 * ceil_divide(segments, group_of(segment, segments));
  return (spectra + results) * (segment + 1) * sizeof(Complex) + tiled_correlator_bytes(lags);
}

std::uint64_t useful_batch(std::uint64_t lags, std::uint64_t streams, std::uint64_t numbers) {
  const std::uint64_t segment = fft_segment(lags);
  const std::uint64_t all = streams * (ceil_divide(numbers, segment) + 1);
  return std::min(all, std::max(min_batch, default_batch / segment));
}

double batch_cost(std::uint64_t lags, std::uint64_t numbers) {
  const std::uint64_t segment = fft_segment(lags);
  const std::uint64_t slots = ceil_divide(numbers, segment) + 1;
  // Measured on an H200: a number costs as much as 460 of the device's products at transform size
  // 4096, 860 products at size 2^18, and 1060 products at size 2^21.
  const double cost = 45 * std::log2(static_cast<double>(2 * segment)) / cores_of_device();
  return cost * static_cast<double>(slots * segment) / static_cast<double>(numbers);
}

}  // namespace rivulet

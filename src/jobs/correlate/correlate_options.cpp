// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/correlate/correlate_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/correlation/batch_transforms.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Largest count of numbers for which all terms fit in 128 bits (correlate_result.cpp).
constexpr std::uint64_t max_numbers = 10000000000000;  // 10^13
constexpr std::uint64_t max_lags = 1000000;            // 10^6

/// Default numbers per stream in a piece.
constexpr std::uint64_t default_columns = std::uint64_t{1} << 16;
/// Numbers per piece, over all streams, that amortise the fixed cost of a piece on a device. With
/// 1000 lags, such a piece takes 10 ms on an H200.
constexpr std::uint64_t worthwhile_numbers = std::uint64_t{1} << 26;
/// The FFT correlator needs one additional transform per row of a piece. This number of segments
/// per row amortises that transform.
constexpr std::uint64_t default_segments = 8;
/// With correlate.memory=auto, a layout may exceed the minimum layout with all useful workers by
/// this many bytes.
constexpr std::uint64_t default_extra_bytes = std::uint64_t{device_build ? 2048 : 512} << 20;

/// True if transforms run in batches on the device, false if they run on the host's threads.
bool in_batches() { return device_build && have_batch_transforms; }

std::uint64_t round_up_to_multiple(std::uint64_t value, std::uint64_t factor) {
  return ceil_divide(value, factor) * factor;
}

}  // namespace

std::string name_of(Across across) { return across == Across::none ? "none" : "next"; }

io::Schema CorrelateOptions::schema() {
  const auto bind_correlate = [this](io::Binder& binder) {
    binder.integer("numbers", numbers, {1, max_numbers},
                   "numbers to correlate, an equal share of each stream, rounded down", "numbers");
    binder.integer("lags", lags, {0, max_lags}, "largest lag m");
    binder.choice<Across>(
        "across", across,
        {{"none", Across::none, "each stream with itself: autocorrelation"},
         {"next", Across::next, "each stream with the next, m numbers later; needs three streams"}},
        "which streams are correlated");
    binder.integer(
        "bit", bit, {0, 16},
        "first of the 16 bits that form a number: 0 for a word's upper half, 16 for the lower");
    binder.choice<CorrelationMethod>(
        "method", method,
        {{"auto", CorrelationMethod::automatic, "the one expected to be faster"},
         {"direct", CorrelationMethod::direct, "product by product, on the device"},
         {"fft", CorrelationMethod::fft,
          "fast Fourier transforms; needs FFTW or the device's library"}},
        "how sums are computed; does not affect their values", io::Effect::speed);
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on numbers and transforms; auto: what keeps all threads busy",
                 io::Effect::speed, io::Zero::means_auto);
  };
  return {"correlate",
          "Correlations of streams with themselves, or with each other, at many lags.",
          {streams.schema(),
           {"correlate", "The correlation.", bind_correlate},
           checkpoint.schema(),
           output.schema()}};
}

void CorrelateOptions::check() const {
  if (numbers < streams.family()) {
    throw Error(fmt::format("correlate.numbers={} for {} streams", numbers, streams.family()),
                "each stream makes an equal share, which would be less than one number",
                "Raise correlate.numbers, or lower streams.count.");
  }
  if (lags >= numbers_per_stream()) {
    throw Error(
        fmt::format("correlate.lags={} for streams of {} numbers", lags, numbers_per_stream()),
        "a stream has no two numbers that far apart",
        "Lower correlate.lags or streams.count, or raise correlate.numbers.");
  }
  if (across == Across::next) {
    streams.require_whole(
        "correlate.across=next",
        "each stream is paired with the next one, which may belong to another part");
  }
  if (across == Across::next && streams.count < 3) {
    throw Error(fmt::format("correlate.across=next with streams.count={}", streams.count),
                "with fewer than three streams a pair would be counted twice",
                "Set streams.count=3 or more.");
  }
  if (method == CorrelationMethod::fft && !have_fft()) {
    throw Error("correlate.method=fft in a build without FFTW",
                "FFTW was not found, or was turned off",
                "Set correlate.method=auto or direct, or build with FFTW (docs/install.md).");
  }
}

bool CorrelateOptions::have_fft() { return in_batches() || have_fftw; }

bool CorrelateOptions::with_fft() const {
  if (method != CorrelationMethod::automatic) return method == CorrelationMethod::fft;
  return have_fft() && cost_by_fft() < direct_cost(lags);
}

double CorrelateOptions::cost_by_fft() const {
  return in_batches() ? batch_cost(lags, numbers_per_stream()) : fft_cost(lags);
}

double CorrelateOptions::cost() const { return with_fft() ? cost_by_fft() : direct_cost(lags); }

std::uint64_t CorrelateOptions::bytes(const CorrelationLayout& layout) const {
  return layout.window.bytes(across) + (with_fft()
                                            ? fft_bytes(layout.workers)
                                            : direct_correlator_bytes(lags, layout.window.columns));
}

std::uint64_t CorrelateOptions::fft_bytes(std::uint64_t workers) const {
  return in_batches() ? batch_correlator_bytes(lags, workers, across != Across::none)
                      : workers * fft_worker_bytes(lags);
}

std::uint64_t CorrelateOptions::useful_workers(std::uint64_t local_streams) const {
  if (!with_fft()) return 1;
  return in_batches() ? useful_batch(lags, local_streams, numbers_per_stream())
                      : static_cast<std::uint64_t>(HostSpace().concurrency());
}

std::unique_ptr<Correlator> CorrelateOptions::correlator(const CorrelationLayout& layout) const {
  if (!with_fft()) return make_direct_correlator(lags, bits(), layout.window.columns);
  return in_batches() ? make_batch_correlator(lags, bits(), layout.workers, across != Across::none)
                      : make_fft_correlator(lags, bits(), layout.workers);
}

std::uint64_t CorrelateOptions::step() const {
  const bool in_segments = with_fft() || checkpoint.enabled();
  return in_segments ? fft_segment(lags) : std::max<std::uint64_t>(lags, 1);
}

CorrelationLayout CorrelateOptions::min_layout(std::uint64_t local_streams) const {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  CorrelationLayout layout;
  // With checkpoints, all streams advance to the same position, so the window must hold the last
  // numbers of every stream.
  const std::uint64_t rows = checkpoint.enabled() ? local_streams : std::min(tile, local_streams);
  layout.window = {rows, with_fft() ? step() : lags, step()};
  return layout;
}

std::uint64_t CorrelateOptions::min_bytes(std::uint64_t local_streams) const {
  return bytes(min_layout(local_streams));
}

/// Returns the number of columns that is worth its memory on CPUs and devices. On a device,
/// layout() may add more.
std::uint64_t CorrelateOptions::useful_columns() const {
  const std::uint64_t usual = round_up_to_multiple(default_columns, step());
  return std::min(all_columns(), with_fft() ? std::max(usual, default_segments * step()) : usual);
}

std::uint64_t CorrelateOptions::all_columns() const {
  return round_up_to_multiple(numbers_per_stream(), step());
}

void CorrelateOptions::require_memory_of(const CorrelationLayout& layout,
                                         std::uint64_t limit) const {
  if (limit == 0 || limit >= bytes(layout)) return;
  throw Error(
      fmt::format("correlate.memory={} B is too small", limit),
      fmt::format("{} lags of {} streams take {} B", lags, layout.window.rows, bytes(layout)),
      fmt::format("Set correlate.memory={}B or more, or auto.", bytes(layout)));
}

/// Enlarges `layout` as long as it fits in `max_bytes` bytes, and returns the result.
/// enlarge(layout) changes a layout to the next larger one, or returns false if there is none.
template <class Enlarge>
CorrelationLayout CorrelateOptions::enlarged(CorrelationLayout layout, std::uint64_t max_bytes,
                                             const Enlarge& enlarge) const {
  for (CorrelationLayout next = layout; enlarge(next) && bytes(next) <= max_bytes;) layout = next;
  return layout;
}

/// Enlarges the minimum layout in steps, the most beneficial first: more workers, longer rows, more
/// rows and, on a device, even longer rows.
CorrelationLayout CorrelateOptions::layout(std::uint64_t local_streams, std::uint64_t limit) const {
  CorrelationLayout layout = min_layout(local_streams);
  require_memory_of(layout, limit);
  const std::uint64_t workers = useful_workers(local_streams);
  const std::uint64_t bytes_with_all_workers =
      bytes(layout) + (with_fft() ? fft_bytes(workers) - fft_bytes(1) : 0);
  const std::uint64_t max_bytes = limit == 0 ? bytes_with_all_workers + default_extra_bytes : limit;
  layout = enlarged(layout, limit == 0 ? bytes_with_all_workers : limit,
                    [&](CorrelationLayout& next) { return next.workers++ < workers; });
  layout = with_columns(layout, max_bytes, useful_columns());
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  const std::uint64_t busy_rows = tile * static_cast<std::uint64_t>(Space().concurrency());
  const std::uint64_t rows = device_build ? local_streams : std::min(local_streams, busy_rows);
  layout = enlarged(layout, max_bytes, [&](CorrelationLayout& next) {
    if (next.window.rows >= rows) return false;
    next.window.rows = std::min(rows, next.window.rows + tile);
    return true;
  });
  if (!device_build || (with_fft() && !in_batches())) return layout;
  const std::uint64_t columns =
      round_up_to_multiple(worthwhile_numbers / layout.window.rows, step());
  return with_columns(layout, max_bytes, std::min(columns, all_columns()));
}

/// Doubles the columns of `layout`, up to `columns`, as long as it fits in `max_bytes` bytes.
/// Returns the result.
CorrelationLayout CorrelateOptions::with_columns(const CorrelationLayout& layout,
                                                 std::uint64_t max_bytes,
                                                 std::uint64_t columns) const {
  return enlarged(layout, max_bytes, [&](CorrelationLayout& next) {
    if (next.window.columns >= columns) return false;
    next.window.columns = std::min(columns, 2 * next.window.columns);
    return true;
  });
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {

/// Two sums per local stream, modulo 2^64: the sum of b_i and the sum of (i + 1) b_i. The integer
/// b_i has the same bits as the stream's number i, for i = 0, 1, ...
using NumberSums = Kokkos::View<std::uint64_t* [2], Space>;

namespace detail {

/// Adds the numbers of `work`, interpreted as unsigned integers, to their streams' sums.
template <class Bits>
struct AddChecksum {
  /// Maximum number of numbers per stream and call.
  static constexpr std::uint64_t run = 4096;
  /// Streams per call. The last group of streams may have fewer.
  static constexpr int width = device_build ? 1 : 16;

  NumberSums sums;
  Work work;
  NumberLayout layout;
  const std::byte* numbers;

  KOKKOS_FUNCTION std::uint64_t groups() const { return ceil_divide(work.size, width); }
  std::uint64_t calls() const {
    return groups() * ceil_divide(work.end_item - work.first_item, run);
  }

  /// Adjacent calls process adjacent streams, so reads of interleaved streams are coalesced.
  KOKKOS_FUNCTION void operator()(std::uint64_t call) const {
    const std::uint64_t first = call % groups() * width;
    const std::uint64_t from = call / groups() * run;
    const std::uint64_t left = work.size - first;
    const int streams = left < width ? static_cast<int>(left) : width;
    const std::uint64_t run_end = end(first, from);
    // The first stream has the most numbers.
    const bool have_equal_counts =
        end(first + static_cast<std::uint64_t>(streams) - 1, from) == run_end;
    if (have_equal_counts && streams == width && layout.stream_stride == 1) {
      add_rows(first, from, run_end);
    } else {
      for (int l = 0; l < streams; ++l) {
        const std::uint64_t stream = first + static_cast<std::uint64_t>(l);
        add_column(stream, from, end(stream, from));
      }
    }
  }

  /// Returns the end of a stream's run that begins at number `from`. Returns `from` if the stream
  /// has no number `from`.
  KOKKOS_FUNCTION std::uint64_t end(std::uint64_t stream, std::uint64_t from) const {
    const std::uint64_t has = work.count(stream);
    const std::uint64_t run_end = has < from + run ? has : from + run;
    return run_end > from ? run_end : from;
  }

  KOKKOS_FUNCTION void add_rows(std::uint64_t first, std::uint64_t from,
                                std::uint64_t run_end) const {
    std::uint64_t start[width];
    for (int l = 0; l < width; ++l)
      start[l] = work.start(first + static_cast<std::uint64_t>(l)) + 1;
    std::uint64_t sum[width] = {};
    std::uint64_t weighted[width] = {};
    for (std::uint64_t i = from; i < run_end; ++i) {
      const std::uint64_t row = first + i * layout.number_stride;
      for (int l = 0; l < width; ++l) {
        const std::uint64_t number = at(row + static_cast<std::uint64_t>(l));
        sum[l] += number;
        weighted[l] += (start[l] + i) * number;
      }
    }
    for (int l = 0; l < width; ++l) {
      add(first + static_cast<std::uint64_t>(l), sum[l], weighted[l]);
    }
  }

  KOKKOS_FUNCTION void add_column(std::uint64_t stream, std::uint64_t from,
                                  std::uint64_t run_end) const {
    if (from >= run_end) return;
    const std::uint64_t column = stream * layout.stream_stride;
    const std::uint64_t start = work.start(stream) + 1;
    std::uint64_t sum = 0;
    std::uint64_t weighted = 0;
    const auto add_up = [&](std::uint64_t stride) RIVULET_INLINE_LAMBDA {
      for (std::uint64_t i = from; i < run_end; ++i) {
        const std::uint64_t number = at(column + i * stride);
        sum += number;
        weighted += (start + i) * number;
      }
    };
    layout.number_stride == 1 ? add_up(1) : add_up(layout.number_stride);
    add(stream, sum, weighted);
  }

  /// Returns the bits of a number, which may be of any type as large as Bits.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t at(std::uint64_t index) const {
    Bits bits;
    memcpy(&bits, numbers + index * sizeof(Bits), sizeof(Bits));
    return bits;
  }

  KOKKOS_FUNCTION void add(std::uint64_t stream, std::uint64_t sum, std::uint64_t weighted) const {
    Kokkos::atomic_add(&sums(work.stream(stream), 0), sum);
    Kokkos::atomic_add(&sums(work.stream(stream), 1), weighted);
  }
};

}  // namespace detail

/// Checksums of each local stream's numbers (NumberSums). The sums depend neither on the division
/// of the numbers into pieces nor on the order of the pieces.
class NumberChecksum {
 public:
  using Sums = std::array<std::uint64_t, 2>;

  explicit NumberChecksum(std::uint64_t streams) : sums_("rivulet::checksum", streams) {}

  void reset(const Space& space) { Kokkos::deep_copy(space, sums_, std::uint64_t{0}); }

  /// Adds the numbers of `work`, stored with the given type and layout. Asynchronous.
  void add(const Space& space, NumberType type, const Work& work, const NumberLayout& layout,
           const void* numbers) {
    if (work.size == 0 || work.first_item >= work.end_item) return;
    const auto* const bytes = static_cast<const std::byte*>(numbers);
    if (number_bytes(type) == sizeof(std::uint32_t)) {
      launch(space, detail::AddChecksum<std::uint32_t>{sums_, work, layout, bytes});
    } else {
      launch(space, detail::AddChecksum<std::uint64_t>{sums_, work, layout, bytes});
    }
  }

  /// Returns the sums per stream. Fences the space.
  std::vector<Sums> values(const Space& space) const {
    space.fence();
    const auto host = Kokkos::create_mirror_view(sums_);
    Kokkos::deep_copy(host, sums_);
    std::vector<Sums> values(host.extent(0));
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = {host(s, 0), host(s, 1)};
    return values;
  }

 private:
  template <class Kernel>
  static void launch(const Space& space, const Kernel& kernel) {
    Kokkos::parallel_for("rivulet::number_checksum", IndexRange(space, 0, kernel.calls()), kernel);
  }

  NumberSums sums_;
};

}  // namespace rivulet

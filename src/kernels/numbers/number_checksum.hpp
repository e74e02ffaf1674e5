// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/numbers/number_source.hpp"

namespace rivulet {
namespace impl {

/// Adds the numbers of a piece, seen as unsigned integers, to the sums of its streams.
template <class Bits>
struct AddChecksum {
  /// Numbers that one call adds, of up to `width` streams.
  static constexpr std::uint64_t run = 4096;
  static constexpr int width = device_build ? 1 : 16;

  Kokkos::View<std::uint64_t* [2], Space> sums;
  NumberPiece piece;
  NumberLayout layout;
  const std::byte* numbers;

  KOKKOS_FUNCTION std::uint64_t runs() const { return (piece.count + run - 1) / run; }
  std::uint64_t calls() const { return (piece.streams + width - 1) / width * runs(); }

  KOKKOS_FUNCTION void operator()(std::uint64_t call) const {
    const std::uint64_t first = call / runs() * width;
    const std::uint64_t from = call % runs() * run;
    const std::uint64_t upto = from + run < piece.count ? from + run : piece.count;
    const std::uint64_t left = piece.streams - first;
    const int streams = left < width ? static_cast<int>(left) : width;
    if (streams == width && layout.stream_stride == 1) {
      add_rows(first, from, upto);
    } else {
      for (int l = 0; l < streams; ++l)
        add_column(first + static_cast<std::uint64_t>(l), from, upto);
    }
  }

  KOKKOS_FUNCTION void add_rows(std::uint64_t first, std::uint64_t from, std::uint64_t upto) const {
    std::uint64_t sum[width] = {};
    std::uint64_t weighted[width] = {};
    for (std::uint64_t i = from; i < upto; ++i) {
      const std::uint64_t row = first + i * layout.number_stride;
      for (int l = 0; l < width; ++l) {
        const std::uint64_t number = at(row + static_cast<std::uint64_t>(l));
        sum[l] += number;
        weighted[l] += (piece.begin + i + 1) * number;
      }
    }
    for (int l = 0; l < width; ++l) {
      add(first + static_cast<std::uint64_t>(l), sum[l], weighted[l]);
    }
  }

  KOKKOS_FUNCTION void add_column(std::uint64_t stream, std::uint64_t from,
                                  std::uint64_t upto) const {
    const std::uint64_t column = stream * layout.stream_stride;
    std::uint64_t sum = 0;
    std::uint64_t weighted = 0;
    if (layout.number_stride == 1) {
      for (std::uint64_t i = from; i < upto; ++i) {
        const std::uint64_t number = at(column + i);
        sum += number;
        weighted += (piece.begin + i + 1) * number;
      }
    } else {
      for (std::uint64_t i = from; i < upto; ++i) {
        const std::uint64_t number = at(column + i * layout.number_stride);
        sum += number;
        weighted += (piece.begin + i + 1) * number;
      }
    }
    add(stream, sum, weighted);
  }

  /// The bits of a number, whatever its type.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t at(std::uint64_t index) const {
    Bits bits;
    memcpy(&bits, numbers + index * sizeof(Bits), sizeof(Bits));
    return bits;
  }

  KOKKOS_FUNCTION void add(std::uint64_t stream, std::uint64_t sum, std::uint64_t weighted) const {
    Kokkos::atomic_add(&sums(piece.first + stream, 0), sum);
    Kokkos::atomic_add(&sums(piece.first + stream, 1), weighted);
  }
};

}  // namespace impl

/// Two sums over the bits b_i of each local stream's numbers, i = 0 .. the position in the stream:
/// b_i and (i + 1) b_i, modulo 2^64. The pieces that numbers come in, and the order in which they
/// are added, make no difference.
class NumberChecksum {
 public:
  using Sums = std::array<std::uint64_t, 2>;

  explicit NumberChecksum(std::uint64_t streams) : sums_("rivulet::checksum", streams) {}

  void reset(const Space& space) { Kokkos::deep_copy(space, sums_, std::uint64_t{0}); }

  /// Adds a piece that NumberSource::draw wrote in that layout, of that type. Asynchronous.
  void add(const Space& space, NumberType type, const NumberPiece& piece,
           const NumberLayout& layout, const void* numbers) {
    if (piece.streams == 0 || piece.count == 0) return;
    if (number_bytes(type) == sizeof(std::uint32_t)) {
      add_bits<std::uint32_t>(space, piece, layout, numbers);
    } else {
      add_bits<std::uint64_t>(space, piece, layout, numbers);
    }
  }

  /// Of each stream, on the host. Waits for the space.
  std::vector<Sums> values(const Space& space) const {
    space.fence();
    const auto host = Kokkos::create_mirror_view(sums_);
    Kokkos::deep_copy(host, sums_);
    std::vector<Sums> values(host.extent(0));
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = {host(s, 0), host(s, 1)};
    return values;
  }

 private:
  template <class Bits>
  void add_bits(const Space& space, const NumberPiece& piece, const NumberLayout& layout,
                const void* numbers) {
    const impl::AddChecksum<Bits> kernel{sums_, piece, layout,
                                         static_cast<const std::byte*>(numbers)};
    Kokkos::parallel_for(
        "rivulet::number_checksum",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, kernel.calls()),
        kernel);
  }

  Kokkos::View<std::uint64_t* [2], Space> sums_;
};

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jobs/fill/fill_pieces.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kokkos_compat.hpp"

namespace rivulet {

/// Arguments of NumberSource::draw().
struct FillDraw {
  NumberPiece piece;
  NumberLayout layout;
  std::uint64_t offset = 0;  ///< destination in the buffer, in numbers
};

/// Returns the draws of a piece. The numbers are drawn in the array's order or, if the shape
/// requires reordering, stream by stream.
std::vector<FillDraw> draws_of(const FillOrder& order, const FillPieceLimits& shape,
                               const NumberPiece& piece);

/// A buffer for a piece, in the kernels' memory space. If pieces are copied to the host, the host
/// has a double buffer: the next piece can be drawn and copied while the previous one is written.
class FillBuffer {
 public:
  /// Allocates a buffer with the shape from fill_shape() or, if memory is short, with a smaller
  /// shape. Throws the errors of fill_shape(), and OutOfMemory if memory is insufficient even for
  /// the least size. `copies`: true if pieces for files and pipes are copied to the host. A device
  /// requires these copies.
  FillBuffer(const Space& space, const FillOrder& order, std::uint64_t local_streams,
             FillTarget target, FillLimits limits, bool copies = device_build);

  const FillPieceLimits& shape() const { return shape_; }

  /// Returns the destination of a draw's numbers. Kernels can access this address.
  void* at(const FillDraw& draw) const;
  void* start() const { return numbers_.data(); }
  /// Puts the numbers into the array's order, unless they were drawn in this order. Asynchronous.
  void reorder(const NumberPiece& piece);
  /// Starts to copy the piece to the host, in the array's order. Must be called after
  /// reorder(). Asynchronous. If holds_two() is true, the address that on_host() returned for the
  /// previous piece stays valid.
  void begin_copy(const NumberPiece& piece);
  /// Returns the host address of the piece that was last passed to begin_copy(). Blocking.
  const void* on_host();
  /// True if the next piece may be drawn and copied while the previous one is in use.
  bool holds_two() const { return copies_to_host_; }

  std::uint64_t bytes() const { return numbers_.size() + reordered_.size(); }

 private:
  using Bytes = Kokkos::View<std::byte*, Space>;
  using HostBytes = Kokkos::View<std::byte*, PinnedSpace>;

  void allocate(const FillPieceLimits& shape);
  bool must_be_reordered(const NumberPiece& piece) const {
    return shape_.needs_reordering && has_whole_runs(order_, piece);
  }
  template <class Number>
  void reorder_as(const NumberPiece& piece);

  Space space_;
  FillOrder order_;
  FillPieceLimits shape_;
  std::size_t number_bytes_;
  Bytes numbers_;
  Bytes reordered_;
  bool copies_to_host_;
  std::array<HostBytes, 2> host_;
  std::size_t last_host_ = 0;  ///< index in host_ of the last copy
  const void* on_host_ = nullptr;
};

}  // namespace rivulet

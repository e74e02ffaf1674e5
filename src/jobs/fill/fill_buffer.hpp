// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jobs/fill/fill_pieces.hpp"
#include "kernels/numbers/number_source.hpp"
#include "machine/pinned_space.hpp"

namespace rivulet {

/// One call of NumberSource::draw, and where in the buffer it goes (in numbers).
struct FillDraw {
  NumberPiece piece;
  NumberLayout layout;
  std::uint64_t offset = 0;
};

/// The draws that put a piece into the buffer in the array's order, or stream by stream if the
/// shape says so.
std::vector<FillDraw> draws_of(const FillOrder& order, const FillPieceLimits& shape,
                               const NumberPiece& piece);

/// Memory for one piece where kernels write and, where the host cannot see that, for two pieces on
/// the host: one can be drawn and copied while another is written.
class FillBuffer {
 public:
  /// Of fill_shape()'s shape or, where there is no memory for it, of smaller ones down to the least
  /// that works. Throws OutOfMemory if there is not so much, and what fill_shape() throws. copies:
  /// whether pieces for files and pipes are copied to the host, as they must be from a device.
  FillBuffer(const Space& space, const FillOrder& order, std::uint64_t local_streams,
             FillTarget target, FillLimits limits, bool copies = device_build);

  /// What its pieces are at most.
  const FillPieceLimits& shape() const { return shape_; }

  /// Where a draw's numbers go, in memory that the space reaches.
  void* at(const FillDraw& draw) const;
  void* start() const { return numbers_.data(); }
  /// Puts what was drawn in the array's order where it is not. Asynchronous.
  void put_in_order(const NumberPiece& piece);
  /// Begins to bring the piece, in the array's order, to the host. Asynchronous; the piece before
  /// stays where on_host() said that it is.
  void begin_copy(const NumberPiece& piece);
  /// Where the piece is that was begun last. Waits.
  const void* on_host();
  /// Whether a piece may be drawn and begun before the one before it has been used.
  bool holds_two() const { return copies_; }

  std::uint64_t bytes() const { return numbers_.size() + ordered_.size(); }

 private:
  using Bytes = Kokkos::View<std::byte*, Space>;
  using HostBytes = Kokkos::View<std::byte*, PinnedSpace>;

  void allocate(const FillPieceLimits& shape);
  bool must_be_ordered(const NumberPiece& piece) const {
    return shape_.ordered_after && whole_runs(order_, piece);
  }
  template <class Number>
  void order_as(const NumberPiece& piece);

  Space space_;
  FillOrder order_;
  FillPieceLimits shape_;
  std::size_t number_bytes_;
  Bytes numbers_;
  Bytes ordered_;
  bool copies_;
  std::array<HostBytes, 2> host_;
  std::size_t last_ = 0;  ///< of these, the one begun last
  const void* on_host_ = nullptr;
};

}  // namespace rivulet

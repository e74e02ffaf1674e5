// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "jobs/fill/fill_pieces.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// One call of NumberSource::draw, and where in the buffer it goes (in numbers).
struct FillDraw {
  NumberPiece piece;
  NumberLayout layout;
  std::uint64_t offset = 0;
};

/// The draws that put a piece into the buffer in the array's order, or stream by stream if the
/// shape says so.
std::vector<FillDraw> draws_of(const FillOrder& order, const FillShape& shape,
                               const NumberPiece& piece);

/// Memory for one piece.
class FillBuffer {
 public:
  /// Of fill_shape()'s shape or, where there is no memory for it, of smaller ones down to the least
  /// that works. Throws OutOfMemory if there is not so much, and what fill_shape() throws.
  FillBuffer(const Space& space, const FillOrder& order, std::uint64_t local_streams,
             FillTarget target, FillLimits limits);

  /// What its pieces are at most.
  const FillShape& shape() const { return shape_; }

  /// Where a draw's numbers go, in memory that the space reaches.
  void* at(const FillDraw& draw) const;
  /// Puts what was drawn in the array's order where it is not. Asynchronous.
  void put_in_order(const NumberPiece& piece);
  /// The piece in the array's order, in the host's memory. Waits.
  const void* on_host(const NumberPiece& piece);

  std::uint64_t bytes() const { return numbers_.size() + ordered_.size(); }

 private:
  using Bytes = Kokkos::View<std::byte*, Space>;
  using HostBytes = decltype(Kokkos::create_mirror_view(std::declval<Bytes>()));

  void allocate(const FillShape& shape);
  bool must_be_ordered(const NumberPiece& piece) const {
    return shape_.ordered_after && whole_runs(order_, piece);
  }
  void make_host_buffer(const Bytes& whole);
  template <class Number>
  void order_as(const NumberPiece& piece);

  Space space_;
  FillOrder order_;
  FillShape shape_;
  std::size_t number_bytes_;
  Bytes numbers_;
  Bytes ordered_;
  HostBytes host_;
};

}  // namespace rivulet

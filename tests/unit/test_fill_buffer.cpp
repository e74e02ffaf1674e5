// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pieces that are copied to the host, one being written while the next one is drawn, are those that
// are used where they are drawn.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "jobs/fill/fill_buffer.hpp"
#include "kernels/generators/generators.hpp"
#include "ready_generators.hpp"

namespace rivulet {
namespace {

std::vector<std::uint32_t> array_of(const FillOrder& order, FillTarget target, bool two_at_once) {
  const Space space;
  StreamRequest streams;
  streams.streams = order.streams;
  const auto plan = built_generator("dcmt521").plan(streams, io::Communicator::self());
  const StreamRange range{0, order.streams};
  NumberRequest request;
  request.type = NumberType::uint32;
  const auto source = make_number_source(space, *plan, range, request);
  source->restart();
  FillBuffer buffer(space, order, order.streams, target, {20000, 4, source->period(), 8},
                    two_at_once || device_build);
  FillPieces pieces(order, range, buffer.shape());
  const auto begin = [&](const std::optional<NumberPiece>& piece) {
    if (!piece) return;
    for (const FillDraw& one : draws_of(order, buffer.shape(), *piece)) {
      source->draw(one.piece, one.layout, buffer.at(one));
    }
    buffer.put_in_order(*piece);
    buffer.begin_copy(*piece);
  };
  std::vector<std::uint32_t> array(order.numbers);
  auto piece = pieces.next();
  begin(piece);
  while (piece) {
    const auto* from = static_cast<const std::uint32_t*>(buffer.on_host());
    const auto now = *piece;
    piece = pieces.next();
    if (two_at_once) begin(piece);
    for (const io::StridedRanges& runs : places_of(order, range, now)) {
      for (std::uint64_t run = 0; run < runs.count; ++run, from += runs.length) {
        std::copy(from, from + runs.length,
                  array.begin() + static_cast<std::ptrdiff_t>(runs.first + run * runs.stride));
      }
    }
    if (!two_at_once) begin(piece);
  }
  return array;
}

TEST(FillBuffer, HoldsAPieceWhileTheNextOneIsDrawn) {
  const FillOrder orders[] = {
      {100000, 40, 1}, {100000, 40, 0}, {100000, 20, 50}, {100000, 5, 1000}};
  for (const FillOrder& order : orders) {
    EXPECT_EQ(array_of(order, FillTarget::file, true), array_of(order, FillTarget::file, false))
        << order.run;
    if (order.in_shares()) continue;
    EXPECT_EQ(array_of(order, FillTarget::pipe, true), array_of(order, FillTarget::pipe, false))
        << order.run;
  }
}

}  // namespace
}  // namespace rivulet

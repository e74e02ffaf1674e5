// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/fill_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io_test_support.hpp"
#include "jobs/fill/fill_buffer.hpp"

namespace rivulet {
namespace {

constexpr auto tile = static_cast<std::uint64_t>(tile_streams);

struct Owner {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
  bool operator==(const Owner&) const = default;
};

/// Returns the array by its definition: cycle after cycle, stream after stream, number after
/// number.
std::vector<Owner> array_of(const FillOrder& order) {
  std::vector<Owner> array;
  std::vector<std::uint64_t> next(order.streams);
  while (array.size() < order.numbers) {
    for (std::uint64_t s = 0; s < order.streams && array.size() < order.numbers; ++s) {
      const std::uint64_t share =
          order.numbers / order.streams + (s < order.numbers % order.streams ? 1 : 0);
      for (std::uint64_t i = 0; i < (order.in_shares() ? share : order.run); ++i) {
        if (array.size() < order.numbers) array.push_back({s, next[s]++});
      }
    }
  }
  return array;
}

/// Returns the buffer after the draws and, if the piece needs it, the reordering.
std::vector<Owner> buffer_of(const FillOrder& order, StreamRange range,
                             const FillPieceLimits& shape, const NumberPiece& piece) {
  std::vector<Owner> buffer(piece.streams * piece.count);
  for (const FillDraw& draw : draws_of(order, shape, piece)) {
    for (std::uint64_t s = 0; s < draw.piece.streams; ++s) {
      for (std::uint64_t i = 0; i < draw.piece.count; ++i) {
        buffer.at(draw.offset + s * draw.layout.stream_stride + i * draw.layout.number_stride) = {
            range.first + draw.piece.first + s, draw.piece.begin + i};
      }
    }
  }
  if (!shape.needs_reordering || !has_whole_runs(order, piece)) return buffer;
  std::stable_sort(buffer.begin(), buffer.end(), [&](const Owner& a, const Owner& b) {
    return a.number / order.run < b.number / order.run;
  });
  return buffer;
}

/// Returns all pieces of a rank. If `at_once` > 0, the rank draws `at_once` numbers of each stream
/// at a time, as in runs with checkpoints.
std::vector<NumberPiece> pieces_of(const FillOrder& order, StreamRange range,
                                   const FillPieceLimits& shape, std::uint64_t at_once) {
  std::vector<NumberPiece> all;
  const std::uint64_t most = std::max(order.count(0), std::uint64_t{1});
  const std::uint64_t step = at_once == 0 ? most : at_once;
  for (std::uint64_t begin = 0; begin < most; begin += step) {
    FillPieces pieces(part_of(fill_stages(order, range), begin, begin + step),
                      at_once == 0 ? shape : with_fewer_numbers(shape, step, range.count));
    for (auto piece = pieces.next(); piece; piece = pieces.next()) all.push_back(*piece);
  }
  return all;
}

/// Fills an array rank after rank, and checks that pieces are in order, complete and within limits.
std::vector<Owner> filled(const FillOrder& order, std::uint64_t ranks, FillTarget target,
                          const FillLimits& limits, std::uint64_t at_once = 0) {
  std::vector<Owner> array(order.numbers, Owner{order.streams, 0});
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const StreamRange range = stream_range(order.streams, rank, ranks);
    const FillPieceLimits shape = fill_shape(order, range.count, target, limits);
    const std::uint64_t buffers = shape.needs_reordering ? 2 : 1;
    if (limits.memory != 0) {
      EXPECT_LE(buffers * shape.streams * shape.numbers * limits.number_bytes, limits.memory);
    }
    std::vector<std::uint64_t> drawn(range.count);
    for (const NumberPiece& piece : pieces_of(order, range, shape, at_once)) {
      EXPECT_EQ(piece.first % tile, 0U);
      EXPECT_LE(piece.streams * piece.count, shape.streams * shape.numbers);
      EXPECT_LE(piece.count, shape.numbers);
      for (std::uint64_t s = 0; s < piece.streams; ++s) {
        EXPECT_EQ(std::exchange(drawn.at(piece.first + s), piece.begin + piece.count), piece.begin);
      }
      if (target == FillTarget::memory) continue;
      const auto buffer = buffer_of(order, range, shape, piece);
      std::size_t next = 0;
      for (const io::StridedRanges& runs : file_ranges(order, range, piece)) {
        for (std::uint64_t i = 0; i < runs.count; ++i) {
          for (std::uint64_t j = 0; j < runs.length; ++j) {
            array.at(runs.first + i * runs.stride + j) = buffer.at(next++);
          }
        }
      }
      EXPECT_EQ(next, buffer.size());
    }
    for (std::uint64_t s = 0; s < range.count; ++s) {
      EXPECT_EQ(drawn[s], order.count(range.first + s));
    }
  }
  return array;
}

std::vector<FillOrder> orders() {
  std::vector<FillOrder> all;
  for (const std::uint64_t streams : {1, 3, 16, 37, 100}) {
    for (const std::uint64_t numbers : {1, 2, 99, 5000, 12345}) {
      for (const std::uint64_t run : {0, 1, 2, 7, 17, 34, 200, 3000}) {
        all.push_back({numbers, streams, run});
      }
    }
  }
  return all;
}

TEST(FillOrder, ARangeGivesWhatItsStreamsGive) {
  for (const std::uint64_t run : {0, 1, 3}) {
    for (const std::uint64_t numbers : {1, 6, 7, 20, 40, 83}) {
      const FillOrder order{numbers, 7, run};
      for (std::uint64_t first = 0; first < 7; ++first) {
        std::uint64_t sum = 0;
        for (std::uint64_t count = 0; first + count < 7; sum += order.count(first + count++)) {
          EXPECT_EQ(order.count(StreamRange{first, count}), sum) << run << " " << numbers;
        }
      }
    }
  }
}

TEST(FillPieces, FillTheArrayOnce) {
  constexpr std::uint64_t period = 17;
  for (const FillOrder& order : orders()) {
    const auto expected = array_of(order);
    for (const std::uint64_t ranks : {1, 2, 4}) {
      if (ranks > order.streams) continue;
      for (const std::uint64_t memory :
           {std::uint64_t{0}, tile * period * 4, std::uint64_t{10000}}) {
        SCOPED_TRACE("numbers " + std::to_string(order.numbers) + " streams " +
                     std::to_string(order.streams) + " run " + std::to_string(order.run) +
                     " ranks " + std::to_string(ranks) + " memory " + std::to_string(memory));
        const FillLimits limits{memory, 4, period, 2 * tile};
        ASSERT_TRUE(filled(order, ranks, FillTarget::file, limits) == expected);
        filled(order, ranks, FillTarget::memory, limits);
        const std::uint64_t at_once = (memory == 0 ? 1 : 5) * fill_step(order, limits);
        ASSERT_TRUE(filled(order, ranks, FillTarget::file, limits, at_once) == expected);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(FillPieces, OfAPipeComeInOrder) {
  for (FillOrder order : orders()) {
    if (order.in_shares()) continue;
    const FillLimits limits{0, 8, 17, 2 * tile};
    const StreamRange range{0, order.streams};
    const FillPieceLimits shape = fill_shape(order, order.streams, FillTarget::pipe, limits);
    order.numbers = order.numbers / order.cycle() * order.cycle() + order.cycle();
    std::vector<Owner> all;
    FillPieces pieces(order, range, shape);
    for (auto piece = pieces.next(); piece; piece = pieces.next()) {
      const auto one = buffer_of(order, range, shape, *piece);
      all.insert(all.end(), one.begin(), one.end());
    }
    EXPECT_TRUE(all == array_of(order))
        << order.numbers << " " << order.streams << " " << order.run;
  }
}

TEST(FillPieces, SmallestMemoryIsNamedAndWorks) {
  const FillOrder order{100000, 40, 1};
  FillLimits limits{1, 8, 97, tile};
  const std::uint64_t least = tile * 97 * 8;
  EXPECT_EQ(test::message_of([&] { fill_shape(order, 40, FillTarget::file, limits); }),
            "fill.memory=1 B is too small (the smallest piece of work takes " +
                std::to_string(least) + " B). Set fill.memory=" + std::to_string(least) +
                "B or more, or auto.");
  limits.memory = least;
  EXPECT_EQ(fill_shape(order, 40, FillTarget::file, limits).streams, tile);
  EXPECT_EQ(test::message_of([&] { fill_shape(order, 40, FillTarget::pipe, limits); }),
            "fill.memory=" + std::to_string(least) +
                " B is too small (the numbers that all streams draw in turn take 31040 B). Set "
                "fill.memory=31040B or more, or auto.");
}

TEST(FillPieces, TenToTheFifteenNumbersHaveFirstPieces) {
  const FillOrder order{1000000000000000, 4096, 0};
  const FillPieceLimits shape = fill_shape(order, 4096, FillTarget::memory, {0, 8, 97, 2 * tile});
  FillPieces pieces(order, {0, 4096}, shape);
  const auto piece = pieces.next();
  ASSERT_TRUE(piece);
  constexpr std::uint64_t most = std::uint64_t{1} << (device_build ? 33 : 22);  // fits a CPU cache
  EXPECT_LE(shape.streams * shape.numbers * 8, most);
  EXPECT_EQ(order.index_of(4095, order.count(4095) - 1), order.numbers - 1);
}

}  // namespace
}  // namespace rivulet

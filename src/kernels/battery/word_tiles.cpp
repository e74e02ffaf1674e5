// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/battery/word_tiles.hpp"

#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

using Words = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Bit i becomes bit 31 - i.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed(std::uint32_t word) {
  word = (word >> 1 & 0x55555555U) | (word & 0x55555555U) << 1;
  word = (word >> 2 & 0x33333333U) | (word & 0x33333333U) << 2;
  word = (word >> 4 & 0x0f0f0f0fU) | (word & 0x0f0f0f0fU) << 4;
  word = (word >> 8 & 0x00ff00ffU) | (word & 0x00ff00ffU) << 8;
  return word >> 16 | word << 16;
}

NumberRequest request_for(StreamMapping mapping, std::uint64_t segments) {
  NumberRequest request;
  request.type = NumberType::uint32;
  request.mapping = mapping;
  request.segments = segments;
  return request;
}

struct MoveWords {
  std::uint32_t* words;
  std::uint64_t by;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const { words[i] = words[by + i]; }
};

struct ReverseWords {
  std::uint32_t* words;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const { words[i] = reversed(words[i]); }
};

}  // namespace

WordTiles::WordTiles(const Space& space, const StreamPlan& plan, StreamRange streams,
                     StreamMapping mapping, std::uint64_t segments, const WordOrder& order)
    : space_(space),
      order_(order),
      source_(make_number_source(space, plan, streams, request_for(mapping, segments))),
      share_(order.run == 0 ? source_->period() : order.run),
      unit_(share_ * streams.count) {}

void WordTiles::allocate(std::uint64_t words) {
  most_ = words;
  const std::uint64_t all = bytes_of(words);
  require_memory_for(
      "a tile of words", all, "Use fewer streams, or a smaller battery.memory.", [&] {
        words_ = Kokkos::View<std::uint32_t*, Space>(
            Kokkos::view_alloc("rivulet::battery_words", Kokkos::WithoutInitializing),
            all / sizeof(std::uint32_t));
      });
}

const std::uint32_t* WordTiles::read(std::uint64_t position, std::uint64_t count) {
  if (position < begin_ || position + count > end_) {
    const std::uint64_t first = position / unit_ * unit_;
    if (!keep_from(first)) begin_ = end_ = first;
    const std::uint64_t last = (position + count + unit_ - 1) / unit_;
    const std::uint64_t from = end_ / unit_;
    move_to(from);
    draw(last - from, end_ - begin_);
    end_ = last * unit_;
  }
  return words_.data() + (position - begin_);
}

/// Moves the words from `position` on to the front of the memory, if there are some, and if fewer
/// than half of all are to be moved.
bool WordTiles::keep_from(std::uint64_t position) {
  if (position < begin_ || position >= end_) return false;
  const std::uint64_t offset = position - begin_;
  const std::uint64_t kept = end_ - position;
  if (kept > offset) return offset == 0;
  Kokkos::parallel_for("rivulet::battery_keep", Words(space_, 0, kept),
                       MoveWords{words_.data(), offset});
  begin_ = position;
  return true;
}

void WordTiles::move_to(std::uint64_t unit) {
  if (is_placed_ && unit == next_) return;
  const std::uint64_t period = source_->period();
  const std::uint64_t periods = unit * share_ / period;
  source_->restart();
  source_->advance(periods);
  base_ = periods * period;
  next_ = unit;
  is_placed_ = true;
}

void WordTiles::draw(std::uint64_t units, std::uint64_t to) {
  const std::uint64_t streams = source_->count();
  const std::uint64_t begin = next_ * share_ - base_;
  std::uint32_t* const words = words_.data() + to;
  if (order_.run == 0) {
    source_->draw({0, streams, begin, units * share_}, {1, streams}, words);
  } else {
    for (std::uint64_t j = 0; j < units; ++j) {
      source_->draw({0, streams, begin + j * share_, share_}, {share_, 1}, words + j * unit_);
    }
  }
  next_ += units;
  if (!order_.reversed) return;
  Kokkos::parallel_for("rivulet::battery_reverse", Words(space_, 0, units * unit_),
                       ReverseWords{words});
}

}  // namespace rivulet

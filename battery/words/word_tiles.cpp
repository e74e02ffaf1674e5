// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/words/word_tiles.hpp"

#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

/// Moves the `count` words that begin at `offset` to the front. At most `offset` words move at a
/// time, so source and target do not overlap.
void move_to_front(const Space& space, const Borrowed<std::uint32_t>& words, std::uint64_t offset,
                   std::uint64_t count) {
  for (std::uint64_t done = 0; done < count; done += offset) {
    Kokkos::parallel_for(
        "rivulet::battery_keep", LaneRange(space, done, std::min(done + offset, count)),
        KOKKOS_LAMBDA(const std::uint64_t i) { words(i) = words(offset + i); });
  }
}

}  // namespace

void WordTiles::allocate(std::uint64_t words) {
  capacity_ = words;
  const std::uint64_t all = bytes_of(words);
  words_ = require_memory_for(
      "a tile of words", all, "Use fewer streams, or a smaller battery.memory.", [&] {
        return uninitialised<std::uint32_t>("rivulet::battery_words", all / sizeof(std::uint32_t));
      });
}

const std::uint32_t* WordTiles::read(std::uint64_t position, std::uint64_t count) {
  if (position < begin_ || position + count > end_) {
    const std::uint64_t first = position / unit_ * unit_;
    if (!keep_from(first)) begin_ = end_ = first;
    const std::uint64_t last = (position + count + unit_ - 1) / unit_;
    const std::uint64_t length =
        supply_.draw(end_ / unit_, last - end_ / unit_, words_.data() + (end_ - begin_));
    supply_.end = std::min(supply_.end, length);
    end_ = last * unit_;
  }
  if (position >= supply_.end) throw SequenceEnded();
  return words_.data() + (position - begin_);
}

/// Moves the words that begin at `position` to the front of the memory, and returns true. Returns
/// false if the memory does not contain `position`. Also returns false if more than half of the
/// words would move and the supply can draw them again, which is cheaper.
bool WordTiles::keep_from(std::uint64_t position) {
  if (position < begin_ || position >= end_) return false;
  const std::uint64_t offset = position - begin_;
  const std::uint64_t remaining = end_ - position;
  if (offset == 0) return true;
  if (remaining > offset && !supply_.is_sequential) return false;
  move_to_front(space_, words_, offset, remaining);
  begin_ = position;
  return true;
}

}  // namespace rivulet

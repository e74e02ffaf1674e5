// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/streaming_store.hpp"

namespace rivulet {

/// The numbers of one stream on their way to memory, where they lie side by side: gathered in the
/// nearest cache, written in whole lines. `room`: bytes that it takes between two calls of flush.
template <std::size_t room>
class CacheLineBuffer {
 public:
  /// To bytes to[0 ..].
  void begin(std::byte* to) {
    head_ = reinterpret_cast<std::uintptr_t>(to) % cache_line;
    to_ = to - head_;
    filled_ = head_;
  }

  /// Where the next bytes go.
  std::byte* end() { return stage_ + filled_; }
  void add(std::size_t bytes) { filled_ += bytes; }

  /// Writes whole lines, with non-temporal stores if `non_temporal`.
  void flush(bool non_temporal) {
    if (filled_ < cache_line) return;
    std::size_t done = 0;
    if (head_ != 0) {  // a line of which another part is somebody else's
      std::memcpy(to_ + head_, stage_ + head_, cache_line - head_);
      head_ = 0;
      done = cache_line;
    }
    const std::size_t whole = filled_ / cache_line * cache_line;
    if (non_temporal) {
      for (; done < whole; done += cache_line) copy_line<true>(stage_ + done, to_ + done);
    } else {
      for (; done < whole; done += cache_line) copy_line<false>(stage_ + done, to_ + done);
    }
    copy_line<false>(stage_ + whole, stage_);
    to_ += whole;
    filled_ -= whole;
  }

  /// Writes the rest, after flush().
  void finish() const { std::memcpy(to_ + head_, stage_ + head_, filled_ - head_); }

 private:
  // A line that is left over, what comes, and a line more that flush() may copy.
  alignas(cache_line) std::byte stage_[room + 2 * cache_line];
  std::byte* to_;       ///< where the stage's first byte goes: a line's begin
  std::size_t filled_;  ///< bytes
  std::size_t head_;    ///< bytes of the first line that are not ours
};

}  // namespace rivulet

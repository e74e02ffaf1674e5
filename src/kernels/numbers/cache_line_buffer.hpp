// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/streaming_store.hpp"

namespace rivulet {

/// A buffer that collects consecutive numbers of one stream in the L1 cache and writes whole cache
/// lines. `room`: maximum number of bytes added between two calls of flush().
template <std::size_t room>
class CacheLineBuffer {
 public:
  /// Starts an output at address `to`.
  void begin(std::byte* to) {
    head_ = reinterpret_cast<std::uintptr_t>(to) % cache_line;
    to_ = to - head_;
    filled_ = head_;
  }

  /// Returns the address for the next bytes. Call add() after writing them.
  std::byte* end() { return stage_ + filled_; }
  void add(std::size_t bytes) { filled_ += bytes; }

  /// Writes all complete lines, with non-temporal stores if `non_temporal` is true.
  void flush(bool non_temporal) {
    if (filled_ < cache_line) return;
    std::size_t done = 0;
    if (head_ != 0) {  // the line also holds another stream's bytes
      std::memcpy(to_ + head_, stage_ + head_, cache_line - head_);
      head_ = 0;
      done = cache_line;
    }
    const std::size_t whole = filled_ / cache_line * cache_line;
    if (non_temporal) {
      for (; done < whole; done += cache_line) copy_cache_line<true>(stage_ + done, to_ + done);
    } else {
      for (; done < whole; done += cache_line) copy_cache_line<false>(stage_ + done, to_ + done);
    }
    copy_cache_line<false>(stage_ + whole, stage_);
    to_ += whole;
    filled_ -= whole;
  }

  /// Writes the incomplete last line. Call it after flush().
  void finish() const { std::memcpy(to_ + head_, stage_ + head_, filled_ - head_); }

 private:
  // The stage has room for an incomplete line, new bytes, and one more line that flush() may copy.
  alignas(cache_line) std::byte stage_[room + 2 * cache_line];
  std::byte* to_;       ///< destination of the stage's first byte; aligned to a line
  std::size_t filled_;  ///< bytes
  std::size_t head_;    ///< bytes of the first line that precede the output
};

}  // namespace rivulet

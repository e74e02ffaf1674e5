// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/streaming_store.hpp"

// Memory written as fast as a processor can: past its caches, where it has stores for that, so that
// what is overwritten need not be read first.

namespace rivulet::peer {

/// Words that begin with a line of a processor's caches.
class Lines {
 public:
  static constexpr std::size_t bytes = cache_line;

  explicit Lines(std::size_t count) : memory_(count + bytes / sizeof(std::uint32_t)) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    words_ = reinterpret_cast<std::uint32_t*>((begin + bytes - 1) / bytes * bytes);
  }
  std::uint32_t* words() const { return words_; }

 private:
  std::vector<std::uint32_t> memory_;
  std::uint32_t* words_ = nullptr;
};

/// count: whole lines; both places begin with lines.
inline void write_past_caches(std::uint32_t* to, const std::uint32_t* words, std::size_t count) {
  constexpr std::size_t line = cache_line / sizeof *to;
  for (std::size_t i = 0; i < count; i += line) copy_line<true>(words + i, to + i);
}

}  // namespace rivulet::peer

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Memory written as fast as a processor can: past its caches, where it has stores for that, so that
// what is overwritten need not be read first.

namespace rivulet::peer {

/// Words that begin with a line of a processor's caches.
class Lines {
 public:
  static constexpr std::size_t bytes = 64;

  explicit Lines(std::size_t count) : memory_(count + bytes / sizeof(std::uint32_t)) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    words_ = reinterpret_cast<std::uint32_t*>((begin + bytes - 1) / bytes * bytes);
  }
  std::uint32_t* words() const { return words_; }

 private:
  std::vector<std::uint32_t> memory_;
  std::uint32_t* words_ = nullptr;
};

/// count: a multiple of 4; both places of 16 bytes.
inline void write_past_caches(std::uint32_t* to, const std::uint32_t* words, std::size_t count) {
#if defined(__SSE2__)
  for (std::size_t i = 0; i < count; i += 4) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(words + i)));
  }
#else
  std::memcpy(to, words, count * sizeof *to);
#endif
}

}  // namespace rivulet::peer

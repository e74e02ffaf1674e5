// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#include "rivulet/detail/kokkos.hpp"

// Non-temporal stores of whole cache lines, which do not first read the lines that they overwrite.
// An ordinary store fetches its line from memory, so that a core which writes more than its caches
// hold moves every line twice. Only this header knows which processors have such stores and their
// instructions.

#if !RIVULET_DEVICE_BUILD && defined(__SSE2__)
#define RIVULET_STREAMING_STORES 1
#include <immintrin.h>
#else
#define RIVULET_STREAMING_STORES 0
#endif

namespace rivulet {

/// True if copy_line() has non-temporal stores on this processor.
inline constexpr bool streaming_stores = RIVULET_STREAMING_STORES != 0;

/// Bytes of a cache line on all x86 and most other processors. If it differs, only speed suffers.
inline constexpr std::size_t cache_line = 64;

/// Bytes that non-temporal stores should write in a row, because memory takes lines in pairs. On a
/// Xeon (Granite Rapids) one core writes 13 GB/s by scattered single lines, 24 GB/s by pairs, and
/// no more by longer runs.
inline constexpr std::size_t streamed_run = 2 * cache_line;

/// Total bytes from which non-temporal stores pay. The end of a shorter output is still in a cache
/// when it is read, and ordinary stores take no longer. (Ordinary stores of one core of a Granite
/// Rapids are as fast up to 64 MB, and have 0.4 of the rate from 96 MB. The third-level caches of
/// EPYCs are 32 MB.)
inline constexpr std::size_t streamed_from = std::size_t{32} << 20;

namespace detail {

#if RIVULET_STREAMING_STORES
/// Copies one register's bytes, with a non-temporal store if `non_temporal`.
template <std::size_t bytes, bool non_temporal>
inline void copy_register(const void* from, void* to) {
#if defined(__AVX512F__)
  if constexpr (bytes == 64) {
    const __m512i all = _mm512_loadu_si512(from);
    non_temporal ? _mm512_stream_si512(static_cast<__m512i*>(to), all)
                 : _mm512_store_si512(to, all);
    return;
  }
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32) {
    auto* const place = static_cast<__m256i*>(to);
    const __m256i all = _mm256_loadu_si256(static_cast<const __m256i*>(from));
    non_temporal ? _mm256_stream_si256(place, all) : _mm256_store_si256(place, all);
    return;
  }
#endif
  if constexpr (bytes == 16) {
    auto* const place = static_cast<__m128i*>(to);
    const __m128i all = _mm_loadu_si128(static_cast<const __m128i*>(from));
    non_temporal ? _mm_stream_si128(place, all) : _mm_store_si128(place, all);
  }
}
#endif

/// Bytes of the widest register.
#if defined(__AVX512F__)
inline constexpr std::size_t widest_register = 64;
#elif defined(__AVX__)
inline constexpr std::size_t widest_register = 32;
#else
inline constexpr std::size_t widest_register = 16;
#endif

}  // namespace detail

/// Copies `bytes` bytes, a power of two >= 16. The destination must be aligned to `bytes` or to
/// cache_line. Other threads see non-temporal stores after streams_end(). (Ordinary copies use
/// registers as well: GCC 12 copies 64 bytes as two halves, for which a load of 64 must wait.)
template <std::size_t bytes, bool non_temporal>
inline void copy_aligned(const void* from, void* to) {
#if RIVULET_STREAMING_STORES
  constexpr std::size_t part = bytes < detail::widest_register ? bytes : detail::widest_register;
  for (std::size_t done = 0; done < bytes; done += part) {
    detail::copy_register<part, non_temporal>(static_cast<const std::byte*>(from) + done,
                                              static_cast<std::byte*>(to) + done);
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

template <bool non_temporal>
inline void copy_line(const void* from, void* to) {
  copy_aligned<cache_line, non_temporal>(from, to);
}

/// Stores a number of 4 or 8 bytes non-temporally. For partial lines at both ends of a range: the
/// rest of the line follows soon, and both go to memory together.
template <class Number>
inline void stream_number(Number number, Number* to) {
#if RIVULET_STREAMING_STORES && defined(__x86_64__)
  if constexpr (sizeof(Number) == 4) {
    _mm_stream_si32(reinterpret_cast<int*>(to), std::bit_cast<int>(number));
  } else {
    _mm_stream_si64(reinterpret_cast<long long*>(to), std::bit_cast<long long>(number));
  }
#else
  *to = number;
#endif
}

/// Ends a thread's non-temporal stores: later stores become visible only after them.
inline void streams_end() {
#if RIVULET_STREAMING_STORES
  _mm_sfence();
#endif
}

}  // namespace rivulet

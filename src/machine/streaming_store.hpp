// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#include "rivulet/detail/kokkos.hpp"

// Non-temporal stores write whole cache lines without first reading the lines that they overwrite.
// An ordinary store first reads its line from memory, so output larger than the caches moves every
// line twice. No other file depends on which processors have non-temporal stores.

#if !RIVULET_DEVICE_BUILD && defined(__SSE2__)
#define RIVULET_STREAMING_STORES 1
#include <immintrin.h>
#else
#define RIVULET_STREAMING_STORES 0
#endif

namespace rivulet {

/// True if this build has non-temporal stores.
inline constexpr bool streaming_stores = RIVULET_STREAMING_STORES != 0;

/// Bytes of a cache line on all x86 and most other processors. A different length costs only speed.
inline constexpr std::size_t cache_line = 64;

/// Number of contiguous bytes that non-temporal stores should write: two lines, because memory
/// accepts lines in pairs. On a Xeon (Granite Rapids), one core writes 13 GB/s in scattered single
/// lines and 24 GB/s in pairs of lines. Longer runs are not faster.
inline constexpr std::size_t streamed_run_bytes = 2 * cache_line;

/// Size of an output, in bytes, from which non-temporal stores pay off. For shorter outputs,
/// ordinary stores are as fast, and the output's end is still in a cache when it is read. (On one
/// core of a Granite Rapids, ordinary stores are as fast as non-temporal stores up to 64 MB. For 96
/// MB and more, they reach 0.4 of the non-temporal rate. The threshold is lower, because EPYCs have
/// third-level caches of only 32 MB.)
inline constexpr std::size_t min_streamed_bytes = std::size_t{32} << 20;

namespace detail {

#if RIVULET_STREAMING_STORES
/// Copies one register's bytes, with a non-temporal store if `non_temporal` is true.
template <std::size_t bytes, bool non_temporal>
inline void copy_register(const void* from, void* to) {
#if defined(__AVX512F__)
  if constexpr (bytes == 64) {
    const __m512i value = _mm512_loadu_si512(from);
    non_temporal ? _mm512_stream_si512(static_cast<__m512i*>(to), value)
                 : _mm512_store_si512(to, value);
    return;
  }
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32) {
    auto* const destination = static_cast<__m256i*>(to);
    const __m256i value = _mm256_loadu_si256(static_cast<const __m256i*>(from));
    non_temporal ? _mm256_stream_si256(destination, value) : _mm256_store_si256(destination, value);
    return;
  }
#endif
  if constexpr (bytes == 16) {
    auto* const destination = static_cast<__m128i*>(to);
    const __m128i value = _mm_loadu_si128(static_cast<const __m128i*>(from));
    non_temporal ? _mm_stream_si128(destination, value) : _mm_store_si128(destination, value);
  }
}
#endif

/// Size of the widest vector register, in bytes.
#if defined(__AVX512F__)
inline constexpr std::size_t max_register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t max_register_bytes = 32;
#else
inline constexpr std::size_t max_register_bytes = 16;
#endif

}  // namespace detail

/// Copies `bytes` bytes. `bytes` must be a power of two, at least 16. The destination must be
/// aligned to `bytes` or to cache_line. Non-temporal stores are visible to other threads after
/// fence_streaming_stores(). (Ordinary copies use explicit registers as well: GCC 12 would copy 64
/// bytes as two halves, and a later 64-byte load would have to wait for both.)
template <std::size_t bytes, bool non_temporal>
inline void copy_aligned(const void* from, void* to) {
#if RIVULET_STREAMING_STORES
  constexpr std::size_t part =
      bytes < detail::max_register_bytes ? bytes : detail::max_register_bytes;
  for (std::size_t done = 0; done < bytes; done += part) {
    detail::copy_register<part, non_temporal>(static_cast<const std::byte*>(from) + done,
                                              static_cast<std::byte*>(to) + done);
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

template <bool non_temporal>
inline void copy_cache_line(const void* from, void* to) {
  copy_aligned<cache_line, non_temporal>(from, to);
}

/// Stores a number of 4 or 8 bytes non-temporally. Use this function for the partial lines at the
/// ends of a range, if the rest of the line is stored soon: write combining then sends the whole
/// line to memory at once.
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

/// A store fence: other threads see this thread's earlier non-temporal stores before its later
/// stores.
inline void fence_streaming_stores() {
#if RIVULET_STREAMING_STORES
  _mm_sfence();
#endif
}

}  // namespace rivulet

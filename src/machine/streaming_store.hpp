// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#include "rivulet/detail/kokkos.hpp"

// Stores of whole cache lines that do not first read what they overwrite. An ordinary store fetches
// its line from memory, so that a core which writes more than its caches hold moves every line
// twice. Which processors have such stores, and which instructions these are, is known here alone.

#if !RIVULET_DEVICE_BUILD && defined(__SSE2__)
#define RIVULET_STREAMING_STORES 1
#include <immintrin.h>
#else
#define RIVULET_STREAMING_STORES 0
#endif

namespace rivulet {

/// Whether copy_line() knows such stores.
inline constexpr bool streaming_stores = RIVULET_STREAMING_STORES != 0;

/// Bytes of a cache line: of all x86 processors, and of most others on which nothing depends on it.
inline constexpr std::size_t cache_line = 64;

/// Bytes side by side that streaming stores should write in a row: memory takes lines in pairs. On
/// a Xeon (Granite Rapids) one core writes 13 GB/s by single lines here and there, 24 GB/s by
/// pairs, and no more by longer runs.
inline constexpr std::size_t streamed_run = 2 * cache_line;

/// Bytes that are worth streaming stores: what is written last of less is still in a cache when it
/// is read, and takes no longer to write. (One core of a Granite Rapids writes ordinarily as fast
/// up to 64 MB, at 0.4 of the rate from 96 MB on; the third caches of EPYCs are 32 MB.)
inline constexpr std::size_t streamed_from = std::size_t{32} << 20;

namespace detail {

#if RIVULET_STREAMING_STORES
/// Copies what a register holds, with a non-temporal store if `non_temporal`.
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

/// Copies `bytes` bytes, a power of two from 16 on, to a place aligned to them or to cache_line,
/// with non-temporal stores if `non_temporal`; other threads then see them after streams_end(). (By
/// registers also where they stay near: GCC 12 copies 64 bytes as two halves, for which a load of
/// 64 must wait.)
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

/// A line.
template <bool non_temporal>
inline void copy_line(const void* from, void* to) {
  copy_aligned<cache_line, non_temporal>(from, to);
}

/// A number of 4 or 8 bytes by a non-temporal store: for the begin and end of what lines cut, whose
/// other part follows soon and goes to memory with it.
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

/// Ends a thread's streaming stores: what it writes later is seen no earlier than they are.
inline void streams_end() {
#if RIVULET_STREAMING_STORES
  _mm_sfence();
#endif
}

}  // namespace rivulet

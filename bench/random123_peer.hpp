// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Random123/ars.h>
#include <Random123/philox.h>
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "kernels/pi/pi_point.hpp"
#include "past_caches.hpp"

// Random123's generators, which make four words of a counter, on one core: many counters at once,
// so that the compiler can use vectors or have several in flight.

namespace rivulet::peer {

/// Philox4x32-10, `count` counters at once. Word by word, which compilers turn into vectors.
template <std::uint32_t count>
struct PhiloxBlock {
  static constexpr std::uint32_t counters = count;

  static void make(std::uint64_t first, std::uint32_t* words) {
    constexpr r123::Philox4x32 generator;
    constexpr r123::Philox4x32::key_type key = {{1234, 0}};
    const auto low = static_cast<std::uint32_t>(first);  // a multiple of count
    const auto high = static_cast<std::uint32_t>(first >> 32);
    for (std::uint32_t i = 0; i < count; ++i) {
      const r123::Philox4x32::ctr_type made = generator({{low + i, high, 0, 0}}, key);
      words[i] = made.v[0];
      words[count + i] = made.v[1];
      words[2 * count + i] = made.v[2];
      words[3 * count + i] = made.v[3];
    }
  }
};

#if R123_USE_AES_NI
/// ARS of seven rounds, its default: AES instructions with a simpler key schedule.
template <std::uint32_t count>
struct ArsBlock {
  static constexpr std::uint32_t counters = count;

  static void make(std::uint64_t first, std::uint32_t* words) {
    const r123::ARS1xm128i generator;
    r123::ARS1xm128i::key_type key;
    key.v[0].m = _mm_set_epi64x(0, 1234);
    for (std::uint32_t i = 0; i < count; ++i) {
      r123::ARS1xm128i::ctr_type counter;
      counter.v[0].m = _mm_set_epi64x(0, static_cast<long long>(first + i));
      _mm_store_si128(reinterpret_cast<__m128i*>(words + 4 * i), generator(counter, key).v[0].m);
    }
  }
};
#endif

template <class Block>
void random123_pi(benchmark::State& state) {
  constexpr std::uint32_t size = 4 * Block::counters;
  constexpr std::int64_t points = 1 << 22;
  alignas(Lines::bytes) std::uint32_t words[size];
  std::uint64_t counter = 0;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t done = 0; done < points; done += size) {
      Block::make(counter, words);
      counter += Block::counters;
      for (const std::uint32_t word : words) PackedCentred::count(word, std::uint32_t{0}, hits);
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

template <class Block>
void random123_bulk(benchmark::State& state) {
  constexpr std::uint32_t size = 4 * Block::counters;
  constexpr std::size_t count = std::size_t{1} << 26;
  const Lines to(count);
  std::uint64_t counter = 0;
  for (auto _ : state) {
    for (std::size_t done = 0; done < count; done += size) {
      alignas(Lines::bytes) std::uint32_t words[size];
      Block::make(counter, words);
      counter += Block::counters;
      write_past_caches(to.words() + done, words, size);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * count));
}

}  // namespace rivulet::peer

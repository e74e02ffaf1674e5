// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#if defined(__AVX512F__)
// GCC 12 takes the intrinsics' own _mm512_undefined_epi32 for a mistake (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

// The bounds that the kernels are held against, written by hand for one machine: no Kokkos, no
// templates over words. dcmt521 in AVX-512 intrinsics where there are any; the other loops, and
// dcmt521 elsewhere, in 64 plain lanes, which compilers turn into whole registers.

namespace rivulet::hand {

/// Whether a word's 16 + 16 bits are a point in the quarter circle.
inline std::uint32_t inside(std::uint32_t word) {
  const std::uint32_t i = word >> 16;
  const std::uint32_t j = word & 0xffffu;
  const std::uint32_t s = i * (i + 1u);
  return static_cast<std::uint32_t>(s + j * (j + 1u) >= s);
}

/// The hybrid Tausworthe generator and its points: a step of all lanes, then the next.
struct Hybrid {
  static constexpr std::size_t lanes = 64;
  std::array<std::uint32_t, lanes> z1, z2, z3, z4;
};

inline std::uint64_t pi_fused(Hybrid& state, std::uint64_t steps) {
  Hybrid g = state;
  std::array<std::uint32_t, Hybrid::lanes> hits{};
  for (std::uint64_t i = 0; i < steps; ++i) {
    for (std::size_t l = 0; l < Hybrid::lanes; ++l) {
      const std::uint32_t z1 = g.z1[l];
      const std::uint32_t z2 = g.z2[l];
      const std::uint32_t z3 = g.z3[l];
      g.z1[l] = ((z1 & 4294967294u) << 12) ^ (((z1 << 13) ^ z1) >> 19);
      g.z2[l] = ((z2 & 4294967288u) << 4) ^ (((z2 << 2) ^ z2) >> 25);
      g.z3[l] = ((z3 & 4294967280u) << 17) ^ (((z3 << 3) ^ z3) >> 11);
      g.z4[l] = 1664525u * g.z4[l] + 1013904223u;
      hits[l] += inside(g.z1[l] ^ g.z2[l] ^ g.z3[l] ^ g.z4[l]);
    }
  }
  state = g;
  return std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
}

/// Sums of ranmar24.
struct Ranmar {
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t words = 97;
  std::uint32_t x[words][lanes];
  std::uint32_t c = 362436;

  void draw_and_add(std::size_t k, std::size_t younger, std::uint32_t* sum) {
    c = c < 7654321U ? c - 7654321U + 16777213U : c - 7654321U;
    for (std::size_t l = 0; l < lanes; ++l) {
      x[k][l] -= x[younger][l];
      sum[l] += (x[k][l] - c) & 0xffffffU;
    }
  }

  [[gnu::noinline]] std::array<std::uint32_t, lanes> sum(std::uint64_t rounds) {
    std::array<std::uint32_t, lanes> total{};
    for (std::uint64_t i = 0; i < rounds; ++i) {
      for (std::size_t k = 0; k < 33; ++k) draw_and_add(k, k + 64, total.data());
      for (std::size_t k = 33; k < words; ++k) draw_and_add(k, k - 33, total.data());
    }
    return total;
  }
};

inline constexpr int n = 17;
inline constexpr int m = 8;
inline constexpr std::uint32_t upper = 0xff800000u;

#if defined(__AVX512F__)

inline constexpr int lanes = 16;

struct Twisters {
  __m512i x[n];
  __m512i a, b, c;
};

template <int K>
[[gnu::always_inline]] inline __m512i step(Twisters& t) {
  const __m512i next = t.x[(K + 1) % n];
  // 0xca: bits of the second operand where the first has ones, of the third elsewhere.
  const __m512i y =
      _mm512_ternarylogic_epi32(_mm512_set1_epi32(static_cast<int>(upper)), t.x[K], next, 0xca);
  const __m512i mask =
      _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_and_si512(y, _mm512_set1_epi32(1)));
  // 0x78: x ^ (y & z); 0x96: x ^ y ^ z.
  const __m512i twisted = _mm512_ternarylogic_epi32(t.x[(K + m) % n], _mm512_srli_epi32(y, 1),
                                                    _mm512_and_si512(mask, t.a), 0x96);
  t.x[K] = twisted;
  __m512i z = _mm512_xor_si512(twisted, _mm512_srli_epi32(twisted, 12));
  z = _mm512_ternarylogic_epi32(z, _mm512_slli_epi32(z, 7), t.b, 0x78);
  z = _mm512_ternarylogic_epi32(z, _mm512_slli_epi32(z, 15), t.c, 0x78);
  return _mm512_xor_si512(z, _mm512_srli_epi32(z, 18));
}

[[gnu::always_inline]] inline __m512i count(__m512i hits, __m512i word) {
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i i = _mm512_srli_epi32(word, 16);
  const __m512i j = _mm512_and_si512(word, _mm512_set1_epi32(0xffff));
  const __m512i s = _mm512_mullo_epi32(i, _mm512_add_epi32(i, one));
  const __m512i sum = _mm512_add_epi32(s, _mm512_mullo_epi32(j, _mm512_add_epi32(j, one)));
  return _mm512_mask_add_epi32(hits, _mm512_cmpge_epu32_mask(sum, s), hits, one);
}

inline std::uint64_t sum(__m512i hits) {
  std::array<std::uint32_t, lanes> lane{};
  _mm512_storeu_si512(lane.data(), hits);
  return std::accumulate(lane.begin(), lane.end(), std::uint64_t{0});
}

template <class Use, int... K>
[[gnu::always_inline]] inline void block(Twisters& t, Use&& use, std::integer_sequence<int, K...>) {
  (use(K, step<K>(t)), ...);
}

inline Twisters load(const std::uint32_t* x, const std::uint32_t* abc) {
  Twisters t;
  for (int k = 0; k < n; ++k) t.x[k] = _mm512_loadu_si512(x + k * lanes);
  t.a = _mm512_loadu_si512(abc);
  t.b = _mm512_loadu_si512(abc + lanes);
  t.c = _mm512_loadu_si512(abc + 2 * lanes);
  return t;
}

/// Hits among `blocks` blocks of 17 words of 16 twisters. A block is made before it is counted: two
/// long chains of instructions overlap better apart (the two in one chain: three quarters as fast).
inline std::uint64_t pi_fused(Twisters& twisters, std::uint64_t blocks) {
  Twisters t = twisters;
  __m512i hits = _mm512_setzero_si512();
  for (std::uint64_t i = 0; i < blocks; ++i) {
    __m512i words[n];
    block(
        t, [&](int k, __m512i word) __attribute__((always_inline)) { words[k] = word; },
        std::make_integer_sequence<int, n>{});
    for (int k = 0; k < n; ++k) hits = count(hits, words[k]);
  }
  twisters = t;
  return sum(hits);
}

inline void store(Twisters& twisters, std::uint64_t blocks, std::uint32_t* to) {
  Twisters t = twisters;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    block(
        t,
        [&](int k, __m512i word)
            __attribute__((always_inline)) { _mm512_storeu_si512(to + k * lanes, word); },
        std::make_integer_sequence<int, n>{});
    to += n * lanes;
  }
  twisters = t;
}

/// The same past the caches, from the beginning of a cache line on.
inline void stream(Twisters& twisters, std::uint64_t blocks, std::uint32_t* to) {
  Twisters t = twisters;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    block(
        t,
        [&](int k, __m512i word) __attribute__((always_inline)) {
          _mm512_stream_si512(reinterpret_cast<__m512i*>(to + k * lanes), word);
        },
        std::make_integer_sequence<int, n>{});
    to += n * lanes;
  }
  _mm_sfence();
  twisters = t;
}

inline std::uint64_t count_stored(const std::uint32_t* from, std::uint64_t blocks) {
  __m512i hits = _mm512_setzero_si512();
  for (std::uint64_t i = 0; i < blocks * n; ++i) {
    hits = count(hits, _mm512_loadu_si512(from + i * lanes));
  }
  return sum(hits);
}

#else

inline constexpr int lanes = 64;

struct Twisters {
  std::uint32_t x[n][lanes];
  std::uint32_t abc[3][lanes];
};

inline Twisters load(const std::uint32_t* x, const std::uint32_t* abc) {
  Twisters t;
  std::memcpy(t.x, x, sizeof t.x);
  std::memcpy(t.abc, abc, sizeof t.abc);
  return t;
}

template <class Use>
inline void block(Twisters& t, Use&& use) {
  for (int k = 0; k < n; ++k) {
    const int k1 = (k + 1) % n;
    const int km = (k + m) % n;
    for (int l = 0; l < lanes; ++l) {
      const std::uint32_t y = (t.x[k][l] & upper) | (t.x[k1][l] & ~upper);
      std::uint32_t z = t.x[km][l] ^ (y >> 1) ^ ((0u - (y & 1u)) & t.abc[0][l]);
      t.x[k][l] = z;
      z ^= z >> 12;
      z ^= (z << 7) & t.abc[1][l];
      z ^= (z << 15) & t.abc[2][l];
      use(k, l, z ^ (z >> 18));
    }
  }
}

inline std::uint64_t pi_fused(Twisters& t, std::uint64_t blocks) {
  std::array<std::uint32_t, lanes> hits{};
  for (std::uint64_t i = 0; i < blocks; ++i) {
    block(t, [&](int, int l, std::uint32_t word) {
      hits[static_cast<std::size_t>(l)] += inside(word);
    });
  }
  return std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
}

inline void store(Twisters& t, std::uint64_t blocks, std::uint32_t* to) {
  for (std::uint64_t i = 0; i < blocks; ++i, to += n * lanes) {
    block(t, [&](int k, int l, std::uint32_t word) { to[k * lanes + l] = word; });
  }
}

/// Without non-temporal stores the same.
inline void stream(Twisters& t, std::uint64_t blocks, std::uint32_t* to) { store(t, blocks, to); }

inline std::uint64_t count_stored(const std::uint32_t* from, std::uint64_t blocks) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < blocks * n * lanes; ++i) sum += inside(from[i]);
  return sum;
}

#endif

}  // namespace rivulet::hand

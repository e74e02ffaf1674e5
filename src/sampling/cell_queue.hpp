// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rng/word.hpp"
#include "sampling/exact_weights.hpp"
#if RIVULET_VECTOR_WORD && defined(__AVX512F__) && defined(__AVX512VL__)
#define RIVULET_COMPRESS 1
#include <immintrin.h>
#else
#define RIVULET_COMPRESS 0
#endif

namespace rivulet::detail {

/// Cells whose masses a thread holds at a time: large enough to amortise the search for its place.
constexpr int chunk_cells = device_build ? 32 : 512;

/// Light cells have less mass than a bucket, heavy ones more.
enum class Kind { light, heavy };

/// The light or the heavy cells of a chunk in the order of their indices. Deficits of light cells
/// lie side by side on one line, excesses of heavy cells on another: a light cell's place is where
/// its part begins, a heavy cell's where its part ends.
template <Kind kind>
struct CellQueue {
  std::uint64_t chunk = 0;
  int at = 0;     ///< the first unused cell
  int count = 0;  ///< unused cells: at .. count - 1
  // Vectors are stored whole, and two more cells may follow those of a chunk.
  std::uint64_t place[static_cast<std::size_t>(chunk_cells + 10)];
  std::uint32_t cell[static_cast<std::size_t>(chunk_cells + 10)];

  /// Appends the cells of this kind among first, first + 1, ... with the given masses, where the
  /// line continues at `end`; returns the line's new end.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t append(const std::uint64_t* masses, int cells,
                                                   std::uint32_t first, std::uint64_t end) {
#if RIVULET_COMPRESS
    const __m512i bucket = _mm512_set1_epi64(static_cast<long long>(bucket_units));
    const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i last_lane = _mm512_set1_epi64(7);
    __m512i ends = _mm512_set1_epi64(static_cast<long long>(end));
    for (int i = 0; i < cells; i += 8) {
      const auto here = static_cast<__mmask8>(cells - i < 8 ? (1 << (cells - i)) - 1 : 0xff);
      const __m512i mass = _mm512_maskz_loadu_epi64(here, masses + i);
      const __mmask8 wanted = kind == Kind::light
                                  ? _mm512_mask_cmplt_epu64_mask(here, mass, bucket)
                                  : _mm512_mask_cmpgt_epu64_mask(here, mass, bucket);
      const __m512i part = kind == Kind::light ? _mm512_maskz_sub_epi64(wanted, bucket, mass)
                                               : _mm512_maskz_sub_epi64(wanted, mass, bucket);
      const __m512i sums = _mm512_add_epi64(ends, running_sums(part));
      const __m512i places = kind == Kind::light ? _mm512_sub_epi64(sums, part) : sums;
      _mm512_storeu_si512(place + count, _mm512_maskz_compress_epi64(wanted, places));
      const __m256i numbers =
          _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first) + i), steps);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(cell + count),
                          _mm256_maskz_compress_epi32(wanted, numbers));
      count += __builtin_popcount(wanted);
      ends = _mm512_maskz_permutexvar_epi64(all, last_lane, sums);
    }
    return static_cast<std::uint64_t>(ends[0]);
#else
    for (int i = 0; i < cells; ++i) {
      // Without branches, which would be mispredicted at random.
      const std::uint64_t wanted = kind == Kind::light ? (masses[i] < bucket_units ? 1 : 0)
                                                       : (masses[i] > bucket_units ? 1 : 0);
      const std::uint64_t part =
          kind == Kind::light ? bucket_units - masses[i] : masses[i] - bucket_units;
      const std::uint64_t next = end + (part & (std::uint64_t{0} - wanted));
      place[count] = kind == Kind::light ? end : next;
      cell[count] = first + static_cast<std::uint32_t>(i);
      count += static_cast<int>(wanted);
      end = next;
    }
    return end;
#endif
  }

  /// The first cell, from `at` on, whose place is >= `limit`; count if there is none.
  KOKKOS_FORCEINLINE_FUNCTION int first_from(std::uint64_t limit) const {
    int low = at;
    int high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (place[middle] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
#if RIVULET_COMPRESS
  // With masks of ones: gcc 12 warns of its own header's unmasked functions (GCC bug 105593).
  static constexpr __mmask8 all = 0xff;

  /// Lane l: the sum of lanes 0 .. l.
  static __m512i running_sums(__m512i lanes) {
    const __m512i none = _mm512_setzero_si512();
    lanes = _mm512_add_epi64(lanes, _mm512_maskz_alignr_epi64(all, lanes, none, 7));
    lanes = _mm512_add_epi64(lanes, _mm512_maskz_alignr_epi64(all, lanes, none, 6));
    return _mm512_add_epi64(lanes, _mm512_maskz_alignr_epi64(all, lanes, none, 4));
  }
#endif
};

}  // namespace rivulet::detail

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <curand.h>
#include <curand_kernel.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <stdexcept>

#include "kernels/pi_point.hpp"
#include "kokkos_compat.hpp"

// What a program on an NVIDIA GPU would use instead: cuRAND, and what the memory alone sustains.

namespace rivulet::peer {

using WordView = Kokkos::View<std::uint32_t*, Space>;

inline void require(curandStatus_t status) {
  if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error("cuRAND failed");
}

/// Points in the quarter circle from cuRAND's Philox4x32-10 in registers, by the device interface:
/// each thread its own subsequence, a word a point, as our fused kernel counts them.
struct PhiloxPi {
  std::uint64_t quadruples;  ///< of words, each thread

  KOKKOS_FUNCTION void operator()(std::uint64_t thread, std::uint64_t& hits) const {
#if defined(__CUDA_ARCH__)
    curandStatePhilox4_32_10_t state;
    curand_init(1234, thread, 0, &state);
    std::uint32_t inside = 0;
    for (std::uint64_t i = 0; i < quadruples; ++i) {
      const uint4 words = curand4(&state);
      PackedCentred::count(words.x, std::uint32_t{0}, inside);
      PackedCentred::count(words.y, std::uint32_t{0}, inside);
      PackedCentred::count(words.z, std::uint32_t{0}, inside);
      PackedCentred::count(words.w, std::uint32_t{0}, inside);
    }
    hits += inside;
#else
    (void)thread;
    (void)hits;
#endif
  }
};

inline void philox_pi(benchmark::State& state) {
  constexpr std::uint64_t threads = 1 << 18;
  const PhiloxPi pi{1 << 14};
  for (auto _ : state) {
    std::uint64_t hits = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(0, threads), pi, hits);
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(4 * threads * pi.quadruples));
}

/// Bytes a second that cuRAND's host interface fills memory with: words, or floats in (0, 1].
inline void curand_bulk(benchmark::State& state, curandRngType_t type, bool floats) {
  constexpr std::uint64_t count = std::uint64_t{1} << 30;
  const WordView words("words", count);
  curandGenerator_t generator = nullptr;
  require(curandCreateGenerator(&generator, type));
  require(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST));
  for (auto _ : state) {
    require(floats ? curandGenerateUniform(generator, reinterpret_cast<float*>(words.data()), count)
                   : curandGenerate(generator, words.data(), count));
    Kokkos::fence();
  }
  require(curandDestroyGenerator(generator));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * count));
}

struct Quadruple {
  std::uint32_t word[4];
};
struct WriteQuadruples {
  Kokkos::View<Quadruple*, Space> to;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const auto low = static_cast<std::uint32_t>(i);
    to(i) = {{low, low, low, low}};
  }
};

/// Bytes a second that can be written: 16 a thread, side by side.
inline void write_bandwidth(benchmark::State& state) {
  constexpr std::uint64_t count = std::uint64_t{1} << 28;
  const Kokkos::View<Quadruple*, Space> to("to", count);
  for (auto _ : state) {
    Kokkos::parallel_for(Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(0, count),
                         WriteQuadruples{to});
    Kokkos::fence();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(16 * count));
}

struct ReadAtRandom {
  Kokkos::View<const std::uint64_t*, Space> table;
  std::uint64_t reads;  ///< of each thread

  KOKKOS_FUNCTION void operator()(std::uint64_t thread, std::uint64_t& sum) const {
    // A multiplicative congruential generator is enough to leave every line.
    std::uint64_t place = (thread + 1) * 0x9E3779B97F4A7C15ULL;
    for (std::uint64_t i = 0; i < reads; ++i) {
      place = place * 0xD1342543DE82EF95ULL + 1;
      sum += table((place >> 32) * table.extent(0) >> 32);
    }
  }
};

/// Reads a second of 8 bytes at random places among 10^8.
inline void random_reads(benchmark::State& state) {
  constexpr std::uint64_t threads = 1 << 18;
  const Kokkos::View<std::uint64_t*, Space> table("table", 100000000);
  const ReadAtRandom read{table, 1 << 10};
  for (auto _ : state) {
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(0, threads), read, sum);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(threads * read.reads));
}

}  // namespace rivulet::peer

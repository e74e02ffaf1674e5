// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Peers on an NVIDIA GPU: cuRAND, and how many instructions the multiprocessors issue.

#include <curand.h>
#include <curand_kernel.h>

#include <stdexcept>
#include <utility>

#include "generators/peers.hpp"
#include "kernels/pi/pi_point.hpp"

namespace rivulet::peer {
namespace {

void require(curandStatus_t status) {
  if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error("cuRAND failed");
}

/// cuRAND's Philox4x32-10 by its device interface: each thread its own subsequence, a word a point,
/// counted as our fused kernel counts.
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

void philox_pi(benchmark::State& state) {
  constexpr std::uint64_t threads = 1 << 18;
  const PhiloxPi pi{1 << 14};
  for (auto _ : state) {
    std::uint64_t hits = 0;
    Kokkos::parallel_reduce("philox", Range(0, threads), pi, hits);
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(4 * threads * pi.quadruples));
}

/// cuRAND's host interface: words, or floats in (0, 1].
void curand_bulk(benchmark::State& state, curandRngType_t type, bool floats) {
  constexpr std::uint64_t count = std::uint64_t{1} << 30;
  const Kokkos::View<std::uint32_t*, Space> words("words", count);
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

/// Logic alone, or with as many multiplications, in four independent chains of each a thread,
/// written in PTX, whose instructions become one machine instruction each (of two registers: with
/// three they wait for registers): a multiprocessor issues 128 a cycle, of which its logic pipes
/// take half.
template <bool mixed>
struct Issue {
  static constexpr int rounds = 16;
  static constexpr int chains = 4;
  static constexpr std::uint64_t instructions_per_loop = rounds * chains * (mixed ? 2 : 1);
  std::uint64_t loops;
  Kokkos::View<std::uint32_t*, Space> out;

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
#if defined(__CUDA_ARCH__)
    std::uint32_t x[chains];
    std::uint32_t y[chains];
    const auto key = static_cast<std::uint32_t>(thread) | 1;
    for (std::uint32_t c = 0; c < chains; ++c) x[c] = y[c] = key + c;
    for (std::uint64_t loop = 0; loop < loops; ++loop) {
#pragma unroll
      for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int c = 0; c < chains; ++c) {
          asm volatile("lop3.b32 %0, %0, %1, 0x5bd1e995, 0x96;" : "+r"(x[c]) : "r"(key));
          if constexpr (mixed) {
            asm volatile("mad.lo.u32 %0, %0, %1, 0x5bd1e995;" : "+r"(y[c]) : "r"(key));
          }
        }
      }
    }
    std::uint32_t all = 0;
    for (int c = 0; c < chains; ++c) all ^= x[c] ^ y[c];
    if (all == 1) out(0) = all;
#else
    (void)thread;
#endif
  }
};

template <bool mixed>
void issue_rate(benchmark::State& state) {
  const auto threads = static_cast<std::uint64_t>(Space().concurrency());
  const Issue<mixed> issue{std::uint64_t{1} << 13, Kokkos::View<std::uint32_t*, Space>("out", 1)};
  for (auto _ : state) {
    Kokkos::parallel_for("issue", Range(0, threads), issue);
    Kokkos::fence();
  }
  state.SetItemsProcessed(
      state.iterations() *
      static_cast<std::int64_t>(threads * issue.loops * Issue<mixed>::instructions_per_loop));
}

}  // namespace

std::vector<Peer> pi() { return {{"philox_pi", philox_pi}}; }

std::vector<Peer> bulk() {
  const std::vector<std::pair<std::string, curandRngType_t>> types{
      {"curand_philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
      {"curand_mt19937", CURAND_RNG_PSEUDO_MT19937},
      {"curand_mtgp32", CURAND_RNG_PSEUDO_MTGP32},
      {"curand_xorwow", CURAND_RNG_PSEUDO_XORWOW}};
  std::vector<Peer> peers;
  for (const auto& [name, type] : types) {
    for (const bool floats : {false, true}) {
      peers.push_back(
          {name + (floats ? "_float" : "_uint32"),
           [type = type, floats](benchmark::State& state) { curand_bulk(state, type, floats); }});
    }
  }
  return peers;
}

std::vector<Peer> alias(const std::vector<double>&) { return {}; }
std::vector<Peer> issue() {
  return {{"issue_all", issue_rate<true>}, {"issue_logic", issue_rate<false>}};
}

}  // namespace rivulet::peer

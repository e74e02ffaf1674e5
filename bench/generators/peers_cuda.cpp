// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Peers on an NVIDIA GPU: cuRAND, and the instruction issue rate of the multiprocessors.

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
void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Counts points from cuRAND's Philox4x32-10 (device interface), as our fused kernel does. Each
/// thread draws from several sequences in turn, four words at a time. Each word is a point.
template <int sequences>
__global__ void philox_points(std::uint64_t quadruples, unsigned long long* hits) {
  __shared__ unsigned int hits_of_block;
  if (threadIdx.x == 0) hits_of_block = 0;
  __syncthreads();
  curandStatePhilox4_32_10_t states[sequences];
  const auto thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll
  for (int s = 0; s < sequences; ++s) {
    curand_init(1234, thread * sequences + static_cast<unsigned>(s), 0, &states[s]);
  }
  std::uint32_t inside = 0;
  for (std::uint64_t i = 0; i < quadruples; ++i) {
#pragma unroll
    for (int s = 0; s < sequences; ++s) {
      const uint4 words = curand4(&states[s]);
      PackedCentred::count(&words.x, inside);
      PackedCentred::count(&words.y, inside);
      PackedCentred::count(&words.z, inside);
      PackedCentred::count(&words.w, inside);
    }
  }
  atomicAdd(&hits_of_block, inside);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(hits, static_cast<unsigned long long>(hits_of_block));
}

/// Launches exactly as many blocks as fit on the device at once, to avoid a partial last wave.
template <int sequences>
void philox_pi(benchmark::State& state, int block) {
  const Space space;
  int each = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, philox_points<sequences>, block, 0));
  const int blocks = each * space.cuda_device_prop().multiProcessorCount;
  constexpr std::uint64_t quadruples = (1 << 14) / sequences;
  const Kokkos::View<unsigned long long, Space> hits("hits");
  for (auto _ : state) {
    philox_points<sequences>
        <<<static_cast<unsigned>(blocks), static_cast<unsigned>(block), 0, space.cuda_stream()>>>(
            quadruples, hits.data());
    require(cudaGetLastError());
    space.fence();
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{4} * quadruples * sequences * blocks *
                          block);
}

template <int sequences>
void add_philox_pi(std::vector<Peer>& peers) {
  for (const int block : {128, 256, 512, 1024}) {
    peers.push_back({"philox_pi_" + std::to_string(block) + "x" + std::to_string(sequences),
                     [block](benchmark::State& state) { philox_pi<sequences>(state, block); },
                     "philox_pi*"});
  }
}

struct CurandGenerator {
  explicit CurandGenerator(curandRngType_t type) { require(curandCreateGenerator(&handle, type)); }
  ~CurandGenerator() { curandDestroyGenerator(handle); }
  CurandGenerator(const CurandGenerator&) = delete;
  CurandGenerator& operator=(const CurandGenerator&) = delete;

  curandGenerator_t handle = nullptr;
};

// cuRAND generates 32-bit words, or floating-point numbers in (0, 1].

curandStatus_t generate(curandGenerator_t generator, std::uint32_t* to, std::size_t count) {
  return curandGenerate(generator, to, count);
}
curandStatus_t generate(curandGenerator_t generator, float* to, std::size_t count) {
  return curandGenerateUniform(generator, to, count);
}
curandStatus_t generate(curandGenerator_t generator, double* to, std::size_t count) {
  return curandGenerateUniformDouble(generator, to, count);
}

/// Measures bytes per second of cuRAND's host interface. The first call, which includes the set-up,
/// is not measured.
template <class Number>
void curand_bulk(benchmark::State& state, curandRngType_t type, curandOrdering_t ordering) {
  constexpr std::size_t count = (std::size_t{1} << 32) / sizeof(Number);
  const Kokkos::View<Number*, Space> numbers("numbers", count);
  const CurandGenerator generator(type);
  if (curandSetGeneratorOrdering(generator.handle, ordering) != CURAND_STATUS_SUCCESS ||
      generate(generator.handle, numbers.data(), count) != CURAND_STATUS_SUCCESS) {
    state.SkipWithError("cuRAND has no such ordering of this generator");
    return;
  }
  Kokkos::fence();
  for (auto _ : state) {
    require(generate(generator.handle, numbers.data(), count));
    Kokkos::fence();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sizeof(Number) * count));
}

template <class Number>
void add_bulk(std::vector<Peer>& peers, const std::string& type_name) {
  static const std::vector<std::pair<std::string, curandRngType_t>> types{
      {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
      {"mt19937", CURAND_RNG_PSEUDO_MT19937},
      {"mtgp32", CURAND_RNG_PSEUDO_MTGP32},
      {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
      {"xorwow", CURAND_RNG_PSEUDO_XORWOW}};
  // By its documentation, cuRAND's fastest ordering is dynamic. The ordering "best" is omitted,
  // because it equals the default in cuRAND's header.
  static const std::vector<std::pair<std::string, curandOrdering_t>> orderings{
      {"default", CURAND_ORDERING_PSEUDO_DEFAULT}, {"dynamic", CURAND_ORDERING_PSEUDO_DYNAMIC}};
  for (const auto& [name, type] : types) {
    for (const auto& [order, ordering] : orderings) {
      peers.push_back({"curand_" + name + "_" + order + "_" + type_name,
                       [type = type, ordering = ordering](benchmark::State& state) {
                         curand_bulk<Number>(state, type, ordering);
                       },
                       "curand_*_" + type_name});
    }
  }
}

/// Issues logic instructions or, if `mixed`, equally many logic instructions and multiplications.
/// Each thread has four independent chains of each kind. Each PTX instruction becomes one machine
/// instruction with two registers; an instruction with three would wait for registers. A
/// multiprocessor issues 128 instructions per cycle; its logic pipes accept half as many.
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

std::vector<Peer> pi() {
  std::vector<Peer> peers;
  add_philox_pi<1>(peers);
  add_philox_pi<2>(peers);
  add_philox_pi<4>(peers);
  return peers;
}

std::vector<Peer> bulk() {
  std::vector<Peer> peers;
  add_bulk<std::uint32_t>(peers, "uint32");
  add_bulk<float>(peers, "float");
  add_bulk<double>(peers, "double");
  return peers;
}

std::vector<Peer> alias(const std::vector<double>&) { return {}; }
std::vector<Peer> issue_rate_peers() {
  return {{"issue_all", issue_rate<true>}, {"issue_logic", issue_rate<false>}};
}

}  // namespace rivulet::peer

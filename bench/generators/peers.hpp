// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kokkos_compat.hpp"
#include "machine/streaming_store.hpp"
#include "machine/views.hpp"

// A peer of Rivulet's kernels is an alternative for a program, or a limit of the machine.

namespace rivulet::peer {

struct Peer {
  std::string name;
  std::function<void(benchmark::State&)> run;
  /// A pattern (see Ratios) that matches all variants of a peer: ratios refer to the fastest
  /// variant. If empty, ratios refer to this peer.
  std::string family = {};

  const std::string& reference_name() const { return family.empty() ? name : family; }
};

/// Peers that count points in the quarter circle (points per second). The numbers stay in
/// registers.
std::vector<Peer> pi();
/// Peers that write numbers to memory (bytes per second). Names end with the number type.
std::vector<Peer> bulk();
/// Peers that draw samples from a table of `weights`, and count them in a histogram.
std::vector<Peer> alias(const std::vector<double>& weights);
/// Kernels that measure the instructions per second of a device. Empty on a CPU.
std::vector<Peer> issue_rate_peers();

struct alignas(16) Quadruple {
  std::uint32_t word[4];
};
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// A grid-stride loop of `threads` threads.
struct WriteWalking {
  Quadruple* to;
  std::uint64_t count;
  std::uint64_t threads;

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    const auto low = static_cast<std::uint32_t>(thread);
    for (std::uint64_t i = thread; i < count; i += threads) to[i] = {{low, low, low, low}};
  }
};

/// Each thread writes one element.
struct WriteBlocks {
  Quadruple* to;

  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<Space>::member_type& team) const {
    const auto index = static_cast<std::uint64_t>(team.league_rank()) *
                           static_cast<std::uint64_t>(team.team_size()) +
                       static_cast<std::uint64_t>(team.team_rank());
    const auto low = static_cast<std::uint32_t>(index);
    to[index] = {{low, low, low, low}};
  }
};

/// Each iteration writes `block` bytes by non-temporal stores.
struct WriteStreaming {
  Quadruple* to;
  std::uint64_t block;

  KOKKOS_FUNCTION void operator()([[maybe_unused]] std::uint64_t number) const {
#if !RIVULET_DEVICE_BUILD
    alignas(cache_line) std::byte line[cache_line];
    std::memset(line, static_cast<int>(number % 256), cache_line);
    auto* const begin = reinterpret_cast<std::byte*>(to) + number * block;
    for (std::uint64_t i = 0; i < block; i += cache_line) copy_cache_line<true>(line, begin + i);
    fence_streaming_stores();
#endif
  }
};

/// The memory's write bandwidth, in bytes per second, measured in several ways:
/// - write_each: 16 bytes per thread, in blocks of 256 threads on a device
/// - write_zeros: Kokkos::deep_copy of zeros, the vendor's own routine
/// - write_walking: a grid-stride loop of four warps per multiprocessor, on a device
/// - write_streaming: non-temporal stores, on a CPU that has them
inline std::vector<Peer> writes() {
  static constexpr std::uint64_t count = std::uint64_t{1} << (device_build ? 28 : 24);
  // Memory is aligned to a page: the smaller alignment of views costs a tenth of the bandwidth.
  static constexpr std::uintptr_t page = 4096;
  const auto measure = [](const auto& write) {
    return [write](benchmark::State& state) {
      const Kokkos::View<std::byte*, Space> memory("memory", 16 * count + page);
      const auto begin = (reinterpret_cast<std::uintptr_t>(memory.data()) + page - 1) / page * page;
      for (auto _ : state) {
        write(reinterpret_cast<Quadruple*>(begin));
        Kokkos::fence();
      }
      state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(16 * count));
    };
  };
  const auto each = [](Quadruple* to) {
    // A team policy sets the block size. With the 128 threads per block of Kokkos' range policies,
    // block launches limit the rate.
    constexpr int block = device_build ? 256 : 1;
    Kokkos::parallel_for("each", Kokkos::TeamPolicy<Space>(static_cast<int>(count / block), block),
                         WriteBlocks{to});
  };
  const auto walking = [](Quadruple* to) {
    const auto processors = static_cast<std::uint64_t>(Space().concurrency()) / 2048;
    const std::uint64_t threads = processors * 128;
    Kokkos::parallel_for("walking", Range(0, threads), WriteWalking{to, count, threads});
  };
  const auto zeros = [](Quadruple* to) {
    const Kokkos::View<std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> words(
        to->word, 4 * count);
    Kokkos::deep_copy(words, 0U);
  };
  const auto streaming = [](Quadruple* to) {
    constexpr std::uint64_t block = 1 << 16;
    Kokkos::parallel_for("streaming", Range(0, 16 * count / block), WriteStreaming{to, block});
  };
  const std::string family = "write_*";
  std::vector<Peer> peers{{"write_each", measure(each), family},
                          {"write_zeros", measure(zeros), family}};
  if (device_build) peers.push_back({"write_walking", measure(walking), family});
  if (streaming_stores) peers.push_back({"write_streaming", measure(streaming), family});
  return peers;
}

struct ReadAtRandom {
  Kokkos::View<const std::uint64_t*, Space> table;
  std::uint64_t reads;  ///< reads per thread

  KOKKOS_FUNCTION void operator()(std::uint64_t thread, std::uint64_t& sum) const {
    // A linear congruential generator is random enough, because each read only has to hit another
    // cache line.
    std::uint64_t state = (thread + 1) * 0x9E3779B97F4A7C15ULL;
    for (std::uint64_t i = 0; i < reads; ++i) {
      state = state * 0xD1342543DE82EF95ULL + 1;
      sum += table((state >> 32) * table.extent(0) >> 32);
    }
  }
};

/// Measures reads per second of 8-byte elements at random indices of a table with 10^8 elements.
inline void random_reads(benchmark::State& state) {
  constexpr std::uint64_t threads = device_build ? 1 << 18 : 1 << 10;
  // Uses huge pages where available, as Rivulet's own tables do.
  const auto table = large_view<Kokkos::View<std::uint64_t*, Space>>("table", 100000000);
  Kokkos::deep_copy(table, std::uint64_t{1});
  const ReadAtRandom read{table, 1 << 10};
  for (auto _ : state) {
    std::uint64_t sum = 0;
    Kokkos::parallel_reduce("read", Range(0, threads), read, sum);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(threads * read.reads));
}

}  // namespace rivulet::peer

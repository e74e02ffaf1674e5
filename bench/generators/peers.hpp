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

// What ours are compared with: what a program would use instead, and what the machine sustains.

namespace rivulet::peer {

struct Peer {
  std::string name;
  std::function<void(benchmark::State&)> run;
  /// What ratios are made to where a peer comes in several forms (Ratios); empty: to this one.
  std::string family = {};

  const std::string& beside() const { return family.empty() ? name : family; }
};

/// Points in the quarter circle, from numbers that stay in registers.
std::vector<Peer> pi();
/// Bytes a second of numbers in memory; names end with the numbers' type.
std::vector<Peer> bulk();
/// Samples a second of 100 weights, with their histogram.
std::vector<Peer> alias(const std::vector<double>& weights);
/// Instructions a second that a device issues, as far as a program can tell.
std::vector<Peer> issue();

struct alignas(16) Quadruple {
  std::uint32_t word[4];
};
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Few threads that walk through the places side by side.
struct WriteWalking {
  Quadruple* to;
  std::uint64_t count;
  std::uint64_t threads;

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    const auto low = static_cast<std::uint32_t>(thread);
    for (std::uint64_t i = thread; i < count; i += threads) to[i] = {{low, low, low, low}};
  }
};

/// A place a thread.
struct WriteBlocks {
  Quadruple* to;

  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<Space>::member_type& team) const {
    const auto place = static_cast<std::uint64_t>(team.league_rank()) *
                           static_cast<std::uint64_t>(team.team_size()) +
                       static_cast<std::uint64_t>(team.team_rank());
    const auto low = static_cast<std::uint32_t>(place);
    to[place] = {{low, low, low, low}};
  }
};

/// Writes blocks of bytes by non-temporal stores.
struct WriteStreaming {
  Quadruple* to;
  std::uint64_t block;

  KOKKOS_FUNCTION void operator()([[maybe_unused]] std::uint64_t number) const {
#if !RIVULET_DEVICE_BUILD
    alignas(cache_line) std::byte line[cache_line];
    std::memset(line, static_cast<int>(number % 256), cache_line);
    auto* const begin = reinterpret_cast<std::byte*>(to) + number * block;
    for (std::uint64_t i = 0; i < block; i += cache_line) copy_line<true>(line, begin + i);
    streams_end();
#endif
  }
};

/// What the memory can be written with: 16 bytes a thread in blocks of 256; the same by four warps
/// a multiprocessor that walk; zeros by the vendor's own routine; lines past a processor's caches,
/// by one thread.
inline std::vector<Peer> writes() {
  static constexpr std::uint64_t count = std::uint64_t{1} << (device_build ? 28 : 24);
  // From a page's start: views begin in the midst of a unit of memory, which costs a tenth.
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
    // By blocks of a stated size: what Kokkos takes for a range, 128, waits for launches.
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
  std::uint64_t reads;  ///< of each thread

  KOKKOS_FUNCTION void operator()(std::uint64_t thread, std::uint64_t& sum) const {
    // A congruential generator is enough to leave every line.
    std::uint64_t place = (thread + 1) * 0x9E3779B97F4A7C15ULL;
    for (std::uint64_t i = 0; i < reads; ++i) {
      place = place * 0xD1342543DE82EF95ULL + 1;
      sum += table((place >> 32) * table.extent(0) >> 32);
    }
  }
};

/// Reads a second of 8 bytes at random places among 10^8.
inline void random_reads(benchmark::State& state) {
  constexpr std::uint64_t threads = device_build ? 1 << 18 : 1 << 10;
  // As our tables are: in huge pages where there are any.
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

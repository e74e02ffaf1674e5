// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slab transport of 10^6 histories over Rivulet's streams beside other libraries' random numbers:
// nanoseconds a history, medians of repetitions that take turns; ratios; and how many lines each
// takes. Usage: library_slab [REPETITIONS]. OMP_NUM_THREADS=1 for one core.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "slab_pool.hpp"
#include "slab_stream.hpp"
#include "slab_streams.hpp"
#include "timing.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "slab_curand.hpp"
#endif

namespace slab {
namespace {

/// Lines of a file that are neither empty nor comments.
int lines_of(const std::string& source) {
  std::ifstream file(RIVULET_BENCH_LIBRARY_DIR "/" + source);
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, 2, "//") != 0) ++lines;
  }
  return lines;
}

/// A case of timing::measure that leaves its tallies.
struct Slab {
  std::string source;
  Tallies tallies = {};
};

void print(const std::vector<timing::Case>& cases, const std::vector<Slab>& slabs, double peer) {
  std::printf("%-34s %10s %7s %6s %12s %10s %9s\n", "slab over", "ns/history", "/ pool", "lines",
              "transmitted", "reflected", "absorbed");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double seconds = cases[i].median();
    const Tallies& tallies = slabs[i].tallies;
    std::printf("%-34s %10.3f %7.2f %6d %12llu %10llu %9llu\n", cases[i].name.c_str(),
                seconds / static_cast<double>(histories) * 1e9, seconds / peer,
                lines_of(slabs[i].source), static_cast<unsigned long long>(tallies.transmitted),
                static_cast<unsigned long long>(tallies.reflected),
                static_cast<unsigned long long>(tallies.absorbed));
  }
}

void run(int repetitions) {
  constexpr std::uint64_t seed = 42;
  const Kokkos::DefaultExecutionSpace exec;
  const rivulet::Streams<rivulet::HybridTausworthe> streams(exec,
                                                            {.count = histories, .seed = seed});
  const Kokkos::Random_XorShift64_Pool<> pool(seed);
  // What a program pays that runs once: the generators are made, too.
  const auto with_own_pool = [seed] {
    const Kokkos::Random_XorShift64_Pool<> own(seed);
    return with_pool(own);
  };
  const auto with_own_streams = [seed, &exec] {
    const rivulet::Streams<rivulet::HybridTausworthe> own(exec, {.count = histories, .seed = seed});
    return with_streams(own);
  };
  std::vector<Slab> slabs{{"slab_pool.hpp"},
                          {"slab_stream.hpp"},
                          {"slab_streams.hpp"},
                          {"slab_pool.hpp"},
                          {"slab_streams.hpp"}};
  std::vector<timing::Case> cases{
      {"Kokkos::Random_XorShift64_Pool", [&] { slabs[0].tallies = with_pool(pool); }},
      {"Stream<Philox4x32>", [&] { slabs[1].tallies = with_stream(seed); }},
      {"Streams<HybridTausworthe>", [&] { slabs[2].tallies = with_streams(streams); },
       [&] { streams.restart(exec); }},
      {"Random_XorShift64_Pool, made", [&] { slabs[3].tallies = with_own_pool(); }},
      {"Streams<HybridTausworthe>, made", [&] { slabs[4].tallies = with_own_streams(); }}};
#if defined(KOKKOS_ENABLE_CUDA)
  slabs.insert(slabs.end(), 2, {"slab_curand.hpp"});
  cases.push_back(
      {"curandStatePhilox4_32_10, 32 bits", [&] { slabs[5].tallies = with_curand<32>(seed); }});
  cases.push_back(
      {"curandStatePhilox4_32_10, 53 bits", [&] { slabs[6].tallies = with_curand<53>(seed); }});
#endif
  timing::measure(cases, repetitions);
  print(cases, slabs, cases[0].median());
}

}  // namespace
}  // namespace slab

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  slab::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
}

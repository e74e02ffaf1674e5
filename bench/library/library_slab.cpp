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
#include <functional>
#include <string>
#include <vector>

#include "slab_pool.hpp"
#include "slab_stream.hpp"
#include "slab_streams.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "slab_curand.hpp"
#endif

namespace slab {
namespace {

struct Case {
  std::string name;
  std::string source;
  std::function<Tallies()> run;
  std::function<void()> prepare = [] {};
  std::vector<double> seconds = {};
  Tallies tallies = {};
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

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

void measure(std::vector<Case>& cases, int repetitions) {
  for (int repetition = -1; repetition < repetitions; ++repetition) {  // the first is not counted
    for (Case& one : cases) {
      one.prepare();
      Kokkos::fence();
      const Kokkos::Timer timer;
      one.tallies = one.run();
      if (repetition >= 0) one.seconds.push_back(timer.seconds());
    }
  }
}

void print(const std::vector<Case>& cases, const Case& peer) {
  std::printf("%-34s %10s %8s %6s %12s %10s %9s\n", "slab over", "ns/history", "/ pool", "lines",
              "transmitted", "reflected", "absorbed");
  for (const Case& one : cases) {
    const double seconds = median(one.seconds);
    std::printf("%-34s %10.3f %8.2f %6d %12llu %10llu %9llu\n", one.name.c_str(),
                seconds / static_cast<double>(histories) * 1e9, seconds / median(peer.seconds),
                lines_of(one.source), static_cast<unsigned long long>(one.tallies.transmitted),
                static_cast<unsigned long long>(one.tallies.reflected),
                static_cast<unsigned long long>(one.tallies.absorbed));
  }
}

void run(int repetitions) {
  constexpr std::uint64_t seed = 42;
  const Kokkos::DefaultExecutionSpace exec;
  const rivulet::Streams<rivulet::HybridTausworthe> streams(exec,
                                                            {.count = histories, .seed = seed});
  const Kokkos::Random_XorShift64_Pool<> pool(seed);
  std::vector<Case> cases;
  cases.push_back({"Stream<Philox4x32>", "slab_stream.hpp", [] { return with_stream(seed); }});
  cases.push_back({"Streams<HybridTausworthe>", "slab_streams.hpp",
                   [&] { return with_streams(streams); }, [&] { streams.restart(exec); }});
  cases.push_back(
      {"Kokkos::Random_XorShift64_Pool", "slab_pool.hpp", [&] { return with_pool(pool); }});
#if defined(KOKKOS_ENABLE_CUDA)
  cases.push_back(
      {"curandStatePhilox4_32_10", "slab_curand.hpp", [] { return with_curand(seed); }});
#endif
  measure(cases, repetitions);
  print(cases, cases[2]);
}

}  // namespace
}  // namespace slab

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  slab::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
}

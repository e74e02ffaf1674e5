// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures calls of rivulet::fill, which fills a view of 1, 16 or 256 MiB with floats from existing
// streams. Peers are a copy of one half of the view to the other and, on an NVIDIA GPU, cuRAND's
// host interface. Each line lists the time of one call with a fence, and the time per call if 32
// calls share one fence. Usage: library_fill [REPETITIONS].

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <rivulet/rivulet.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "timing.hpp"
#if defined(RIVULET_HAVE_CURAND)
#include <curand.h>
#endif

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Floats = Kokkos::View<float*, Exec>;
constexpr int calls_per_fence = 32;

struct Filler {
  std::string name;
  std::function<void(const Floats&)> fill;
};

template <class Generator>
Filler ours(const Exec& exec, std::uint64_t count) {
  StreamsOptions options;
  options.count = count;
  const Streams<Generator> streams(exec, options);
  return {std::string(Generator::name) + ", " + std::to_string(count) + " streams",
          [exec, streams](const Floats& view) { fill(exec, streams, view); }};
}

#if defined(RIVULET_HAVE_CURAND)
Filler curand(const char* name, curandRngType_t type, curandOrdering_t ordering) {
  curandGenerator_t generator;
  const bool is_created = curandCreateGenerator(&generator, type) == CURAND_STATUS_SUCCESS &&
                          curandSetGeneratorOrdering(generator, ordering) == CURAND_STATUS_SUCCESS;
  if (!is_created) throw std::runtime_error("cuRAND makes no generator");
  return {name, [generator](const Floats& view) {
            curandGenerateUniform(generator, view.data(), view.size());
          }};
}
#endif

std::vector<Filler> fillers(const Exec& exec) {
  const auto threads = static_cast<std::uint64_t>(exec.concurrency());
  std::vector<Filler> all;
  for (const std::uint64_t count : {threads / 2, threads, 4 * threads}) {
    if (count > 0) all.push_back(ours<Philox4x32>(exec, count));
  }
  all.push_back(ours<HybridTausworthe>(exec, threads));
#if defined(RIVULET_HAVE_CURAND)
  all.push_back(curand("cuRAND Philox4x32-10", CURAND_RNG_PSEUDO_PHILOX4_32_10,
                       CURAND_ORDERING_PSEUDO_DEFAULT));
  all.push_back(curand("cuRAND Philox4x32-10, dynamic", CURAND_RNG_PSEUDO_PHILOX4_32_10,
                       CURAND_ORDERING_PSEUDO_DYNAMIC));
#endif
  all.push_back({"copy", [exec](const Floats& view) {
                   const auto half = view.size() / 2;
                   Kokkos::deep_copy(
                       exec, Kokkos::subview(view, Kokkos::make_pair(half, 2 * half)),
                       Kokkos::subview(view, Kokkos::make_pair(std::size_t{0}, half)));
                 }});
  return all;
}

void measure(const Exec& exec, std::size_t bytes, int repetitions) {
  const Floats view(Kokkos::view_alloc("numbers", Kokkos::WithoutInitializing),
                    bytes / sizeof(float));
  std::vector<timing::Case> cases;
  const std::vector<Filler> all = fillers(exec);
  for (const Filler& filler : all) {
    cases.push_back({filler.name, [&filler, &view] { filler.fill(view); }});
    cases.push_back({filler.name, [&filler, &view] {
                       for (int i = 0; i < calls_per_fence; ++i) filler.fill(view);
                     }});
  }
  timing::measure(cases, repetitions);
  for (std::size_t i = 0; i < cases.size(); i += 2) {
    std::printf("%8zu KiB  %-40s %9.2f us alone, %9.2f us of %d\n", bytes >> 10,
                cases[i].name.c_str(), 1e6 * cases[i].median(),
                1e6 * cases[i + 1].median() / calls_per_fence, calls_per_fence);
  }
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  const int repetitions = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 21;
  for (const std::size_t mebibytes : {1, 16, 256}) {
    rivulet::measure(rivulet::Exec(), mebibytes << 20, repetitions);
  }
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <random>
#include <rivulet/rivulet.hpp>
#include <rivulet/version.hpp>

// Programs may have their own headers with these names.
#if __has_include("streams.hpp") || __has_include("version.hpp") || __has_include("detail/slot.hpp")
#error "Rivulet's headers are found without their prefix"
#endif
#if __has_include(<rivulet/rng/word.hpp>) || __has_include(<rivulet/io/deck.hpp>)
#error "headers of Rivulet's own are found"
#endif

namespace {

/// The sum of the first 100 words of each of 1000 streams of dcmt521, seed 42. consumer.cpp
/// computes the same sum with the compiled library.
constexpr std::uint64_t expected = 215096228565822;

std::uint64_t tally() {
  const Kokkos::DefaultExecutionSpace exec;
  const rivulet::Streams<rivulet::Dcmt521> streams(exec, {.count = 1000, .seed = 42});
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "tally", Kokkos::RangePolicy<>(exec, 0, 1000),
      KOKKOS_LAMBDA(const int s, std::uint64_t& partial) {
        auto rng = streams.open(static_cast<std::uint64_t>(s));
        for (int i = 0; i < 100; ++i) partial += rng();
        streams.close(static_cast<std::uint64_t>(s), rng);
      },
      sum);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::uint64_t sum = tally();
  std::printf("Rivulet %s (%s): %llu\n", rivulet::version, rivulet::git_hash,
              static_cast<unsigned long long>(sum));
  rivulet::Stream<rivulet::Philox4x32> rng(42, 7);
  const double number = std::uniform_real_distribution<double>()(rng);
  return sum == expected && number < 1 ? 0 : 1;
}

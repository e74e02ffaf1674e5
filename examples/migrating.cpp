// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// docs/migrating.md shows this code, which replaces calls to other libraries with calls to Rivulet.

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <array>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>
#include <vector>

namespace {

double with_a_pool(int histories) {
  Kokkos::Random_XorShift64_Pool<> pool(42);
  double sum = 0;
  Kokkos::parallel_reduce(
      "history", histories,
      KOKKOS_LAMBDA(const int, double& to) {
        auto rng = pool.get_state();
        to += rng.drand() + rng.normal(5, 2);
        pool.free_state(rng);
      },
      sum);
  return sum;
}

double without_a_pool(int histories) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "history", histories,
      KOKKOS_LAMBDA(const int history, double& to) {
        rivulet::Stream<rivulet::Philox4x32> rng(42, history);
        to += rivulet::Uniform<double>()(rng);
        to += rivulet::Normal<double>(5, 2)(rng);
      },
      sum);
  return sum;
}

void from_curand(std::uint64_t threads) {
  const std::uint64_t seed = 42;
  const std::uint64_t offset = 1000;
  const Kokkos::View<std::uint32_t*> number("number", threads);
  const Kokkos::View<float*> normal("normal", threads);
  Kokkos::parallel_for(
      "draw", threads, KOKKOS_LAMBDA(const std::uint64_t thread) {
        rivulet::Stream<rivulet::Philox4x32> state(seed, thread);
        state.discard(offset);
        number(thread) = state();
        normal(thread) = rivulet::Normal<float>()(state);
      });
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "sum", threads,
      KOKKOS_LAMBDA(const std::uint64_t thread, std::uint64_t& to) { to += number(thread); }, sum);
  std::printf("cuRAND's numbers 1000 of %llu subsequences: sum %llu\n",
              static_cast<unsigned long long>(threads), static_cast<unsigned long long>(sum));
}

void from_random123() {
  struct Counter {
    rivulet::KeyField<32> particle;
    rivulet::KeyField<32> step;
  };
  rivulet::Stream<rivulet::Philox4x32> rng(42, Counter{.particle = 7, .step = 100});
  const std::array<std::uint32_t, 4> block{rng(), rng(), rng(), rng()};
  std::printf("a block of Random123's function: %u %u %u %u\n", block[0], block[1], block[2],
              block[3]);
}

void from_numpy() {
  const rivulet::Stream<rivulet::Philox4x64> parent(42, 0);
  std::vector<double> means;
  for (std::uint64_t worker = 0; worker < 3; ++worker) {
    auto rng = parent.child(worker);
    double sum = 0;
    for (int i = 0; i < 1000; ++i) sum += rivulet::Uniform<double>()(rng);
    means.push_back(sum / 1000);
  }
  std::printf("means of three children: %.5f %.5f %.5f\n", means[0], means[1], means[2]);
}

void from_rngstreams() {
  enum class For : std::uint8_t { arrivals, service };
  rivulet::Stream<rivulet::Philox4x32> arrivals(42, {.purpose = For::arrivals, .step = 1});
  rivulet::Stream<rivulet::Philox4x32> service(42, {.purpose = For::service, .step = 1});
  const rivulet::Exponential<double> waiting(2.0);
  const double first = waiting(arrivals);
  const double second = waiting(service);
  std::printf("replication 1: %.6f %.6f\n", first, second);
}

void from_trandom3() {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const rivulet::Streams<rivulet::Mt19937, Host> streams({.count = 1, .seed = 4357});
  streams.with(0, [](auto& rng) {
    const double energy = rivulet::Exponential<double>(1.5)(rng);
    const double smeared = rivulet::Normal<double>(energy, 0.1)(rng);
    const auto photons = rivulet::Poisson(100 * energy)(rng);
    std::printf("energy %.6f, smeared %.6f, %llu photons\n", energy, smeared,
                static_cast<unsigned long long>(photons));
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const double pool = with_a_pool(100000);
  std::printf("a pool's mean is near 5.5: %s\n", pool > 5.4e5 && pool < 5.6e5 ? "yes" : "no");
  const double streams = without_a_pool(100000);
  std::printf("streams' mean is near 5.5: %s\n", streams > 5.4e5 && streams < 5.6e5 ? "yes" : "no");
  from_curand(1000);
  from_random123();
  from_numpy();
  from_rngstreams();
  from_trandom3();
}

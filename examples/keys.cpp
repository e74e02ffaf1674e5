// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys with named fields identify streams. The keys in this example have the same fields as keys of
// three other libraries. Different keys of one struct give different counters, and thus different
// streams. In a build with assertions, a value that is too large for its field aborts the example.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

namespace {

using rivulet::KeyField;

enum class Purpose : std::uint8_t { thermostat, langevin, thermalize };

// HOOMD-blue: RandomGenerator(Seed(id, timestep, seed), Counter(tag_a, tag_b)).
struct PairKey {
  static constexpr int log2_numbers = 18;  // per stream: 130 minus the 112 bits of the fields
  KeyField<8> purpose;
  KeyField<40> step;
  KeyField<32> tag_a;
  KeyField<32> tag_b;
};

// ESPResSo: philox_4_uint64s<Salt>(counter, seed, key1, key2).
struct SaltedKey {
  KeyField<32> salt;
  KeyField<64> step;
  KeyField<32> key1;
  KeyField<32> key2;
};

// OpenRAND: Philox(particle, step).
struct ParticleKey {
  KeyField<64> particle;
  KeyField<32> step;
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr std::uint64_t seed = 42;
  constexpr int steps = 100;
  constexpr int particles = 1000;

  // The threads of both particles in a pair draw the same number, so the kicks are equal and
  // opposite.
  const Kokkos::View<std::int64_t*> momentum("momentum", particles);
  Kokkos::parallel_for(
      "pairs", particles, KOKKOS_LAMBDA(const int i) {
        for (int step = 0; step < steps; ++step) {
          for (const int j : {(i + 1) % particles, (i + particles - 1) % particles}) {
            const int a = i < j ? i : j;
            const int b = i < j ? j : i;
            rivulet::Stream<rivulet::Philox4x32> rng(seed,
                                                     PairKey{Purpose::thermostat, step, a, b});
            const auto kick = static_cast<std::int64_t>(rng() % 1000);
            momentum(i) += i < j ? kick : -kick;
          }
        }
      });
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "total", particles, KOKKOS_LAMBDA(const int i, std::int64_t& sum) { sum += momentum(i); },
      total);
  std::printf("momentum of all pairs: %lld\n", static_cast<long long>(total));

  std::uint64_t noise = 0;
  Kokkos::parallel_reduce(
      "noise", particles,
      KOKKOS_LAMBDA(const int i, std::uint64_t& sum) {
        rivulet::Stream<rivulet::Philox4x64> salted(seed, SaltedKey{Purpose::langevin, 7, i, 0});
        rivulet::Stream<rivulet::Philox4x32> plain(seed, ParticleKey{i, 7});
        rivulet::Stream<rivulet::Philox4x32> usual(seed, {.step = 7, .particle = i, .index = 2});
        sum += salted() ^ plain() ^ usual();
      },
      noise);
  std::printf("noise of step 7: %llu\n", static_cast<unsigned long long>(noise));
}

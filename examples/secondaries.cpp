// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particles create secondaries, which wait in a bank and then create secondaries themselves.
// Secondary n of a particle draws from child n of the particle's stream. This stream depends only
// on the history's number and on the line of descent. The tallies therefore do not depend on the
// order of particles in the bank, which differs from run to run.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

namespace {

constexpr int cells = 8;
constexpr double thickness = 4;  // in mean free paths

struct Particle {
  rivulet::Stream<rivulet::Philox4x32> rng{0, 0};
  double depth = 0;
  double direction = 1;  // the cosine of the angle to the slab's normal
};

struct Tallies {
  Kokkos::View<std::uint64_t[cells]> collisions{"collisions"};
  Kokkos::View<std::uint64_t[3]> ends{"ends"};  // reflected, transmitted, absorbed
};

// A bank of particles. `count` is the number of particles, which threads add in any order.
struct Bank {
  Kokkos::View<Particle*> particles;
  Kokkos::View<std::uint64_t> count{"count"};

  explicit Bank(std::uint64_t room) : particles("bank", room) {}
  KOKKOS_FUNCTION void add(const Particle& particle) const {
    const std::uint64_t slot = Kokkos::atomic_fetch_add(&count(), std::uint64_t{1});
    if (slot >= particles.extent(0)) Kokkos::abort("The bank is full.");
    particles(slot) = particle;
  }
  std::uint64_t size() const {
    std::uint64_t size = 0;
    Kokkos::deep_copy(size, count);
    return size;
  }
};

KOKKOS_FUNCTION void follow(Particle particle, const Bank& secondaries, const Tallies& tallies) {
  const rivulet::Exponential<double> path;
  const rivulet::Uniform<double> cosine(-1, 1);
  auto& rng = particle.rng;
  std::uint64_t children = 0;
  while (true) {
    particle.depth += particle.direction * path(rng);
    if (particle.depth < 0 || particle.depth >= thickness) {
      Kokkos::atomic_add(&tallies.ends(particle.depth < 0 ? 0 : 1), std::uint64_t{1});
      return;
    }
    Kokkos::atomic_add(&tallies.collisions(static_cast<int>(particle.depth * (cells / thickness))),
                       std::uint64_t{1});
    if (rivulet::Bernoulli(0.35)(rng)) {
      Kokkos::atomic_add(&tallies.ends(2), std::uint64_t{1});
      return;
    }
    if (rivulet::Bernoulli(0.25)(rng)) {
      secondaries.add({rng.child(children++), particle.depth, cosine(rng)});
    }
    particle.direction = cosine(rng);
  }
}

// Follows histories and all their descendants, generation by generation. `backwards` reverses the
// order of each bank's particles.
void run(std::uint64_t histories, bool backwards) {
  const Tallies tallies;
  Bank bank(histories);
  Kokkos::parallel_for(
      "source", histories, KOKKOS_LAMBDA(const std::uint64_t history) {
        bank.add({rivulet::Stream<rivulet::Philox4x32>(42, history), 0, 1});
      });
  std::uint64_t generations = 0;
  for (std::uint64_t size = bank.size(); size > 0; size = bank.size(), ++generations) {
    const Bank next(8 * size + 1000);
    Kokkos::parallel_for(
        "generation", size, KOKKOS_LAMBDA(const std::uint64_t i) {
          follow(bank.particles(backwards ? size - 1 - i : i), next, tallies);
        });
    bank = next;
  }
  const auto ends = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tallies.ends);
  const auto in_cells =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tallies.collisions);
  std::printf("%llu generations; reflected %llu, transmitted %llu, absorbed %llu; collisions",
              static_cast<unsigned long long>(generations),
              static_cast<unsigned long long>(ends(0)), static_cast<unsigned long long>(ends(1)),
              static_cast<unsigned long long>(ends(2)));
  for (int cell = 0; cell < cells; ++cell) {
    std::printf(" %llu", static_cast<unsigned long long>(in_cells(cell)));
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  run(100000, false);
  run(100000, true);
}

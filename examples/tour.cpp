// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The C++ code of docs/library.md in one program.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <random>
#include <rivulet/rivulet.hpp>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

// A kernel constructs stream s in place, without set-up or memory.
std::uint64_t points_in_circle(const Exec& exec, std::uint64_t seed) {
  std::uint64_t hits = 0;
  Kokkos::parallel_reduce(
      "circle", Kokkos::RangePolicy<Exec>(exec, 0, 10000),
      KOKKOS_LAMBDA(const int s, std::uint64_t& sum) {
        rivulet::Stream<rivulet::Philox4x32> rng(seed, static_cast<std::uint64_t>(s));
        const rivulet::Uniform<double> uniform;
        for (int i = 0; i < 1000; ++i) {
          const double x = uniform(rng);
          const double y = uniform(rng);
          if (x * x + y * y < 1) ++sum;
        }
      },
      hits);
  return hits;
}

// Streams with memory continue where the last kernel stopped.
double random_walks(const Exec& exec, int steps) {
  const std::uint64_t walkers = 1000;
  rivulet::Streams<rivulet::Pcg64dxsm> streams(exec, {.count = walkers, .seed = 42});
  const Kokkos::View<std::int64_t*, Exec> place("place", walkers);
  for (int step = 0; step < steps; ++step) {
    Kokkos::parallel_for(
        "walk", Kokkos::RangePolicy<Exec>(exec, 0, walkers), KOKKOS_LAMBDA(const int s) {
          auto rng = streams.open(static_cast<std::uint64_t>(s));
          place(s) += rng() % 2 == 0 ? 1 : -1;
          streams.close(static_cast<std::uint64_t>(s), rng);
        });
  }
  std::int64_t squares = 0;
  Kokkos::parallel_reduce(
      "distance", Kokkos::RangePolicy<Exec>(exec, 0, walkers),
      KOKKOS_LAMBDA(const int s, std::int64_t& sum) { sum += place(s) * place(s); }, squares);
  return static_cast<double>(squares) / static_cast<double>(walkers);
}

// A team's threads share a stream.
std::uint64_t team_sums(const Exec& exec) {
  const rivulet::Streams<rivulet::Dcmt521> streams(exec, {.count = 64, .seed = 42});
  const Kokkos::View<std::uint64_t*, Exec> sums("sums", streams.count());
  using Team = Kokkos::TeamPolicy<Exec>::member_type;
  Kokkos::parallel_for(
      "sums", streams.team_policy(exec), KOKKOS_LAMBDA(const Team& team) {
        auto rng = streams.open(team);
        std::uint64_t* const sum = &sums(team.league_rank());
        rng.each(team, 1000, [=](std::uint64_t i, std::uint32_t number) {
          Kokkos::atomic_add(sum, i * number);  // one thread draws number i
        });
        streams.close(team, rng);
      });
  std::uint64_t total = 0;
  Kokkos::parallel_reduce(
      "total", Kokkos::RangePolicy<Exec>(exec, 0, streams.count()),
      KOKKOS_LAMBDA(const int s, std::uint64_t& sum) { sum += sums(s); }, total);
  return total;
}

// Fills an array with numbers from a distribution.
double mean_of_normals(const Exec& exec) {
  const rivulet::Streams<rivulet::Ranmar48x> streams(exec, {.count = 100, .seed = 42});
  const Kokkos::View<double**, Exec> numbers("numbers", streams.count(), 1000);
  rivulet::fill(exec, streams, numbers, rivulet::Normal<double>(5, 2));
  double sum = 0;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
  for (std::size_t s = 0; s < host.extent(0); ++s) {
    for (std::size_t i = 0; i < host.extent(1); ++i) sum += host(s, i);
  }
  return sum / static_cast<double>(host.size());
}

// Fills each team's scratch memory with half-precision numbers. Each team uses two streams.
double mean_of_halves(const Exec& exec) {
  using Streams = rivulet::Streams<rivulet::Dcmt521>;
  using Numbers = Kokkos::View<rivulet::Half*, Exec::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const int teams = 10;
  const int count = 100;
  const Streams streams(exec, {.count = 2 * teams, .seed = 42});
  const std::size_t bytes =
      Numbers::shmem_size(count) + 2 * (Streams::team_scratch_bytes() + Streams::team_fill_bytes());
  const auto policy = Kokkos::TeamPolicy<Exec>(exec, teams, streams.team_policy(exec).team_size())
                          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
  using Team = Kokkos::TeamPolicy<Exec>::member_type;
  const Kokkos::View<std::int64_t, Exec> sum("sum");
  Kokkos::parallel_for(
      "halves", policy, KOKKOS_LAMBDA(const Team& team) {
        const Numbers numbers(team.team_scratch(0), count);
        const auto add = [&] {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](const int i) {
            Kokkos::atomic_add(&sum(), static_cast<std::int64_t>(0x1p11F * float(numbers(i))));
          });
          team.team_barrier();
        };
        streams.with(team, [&](auto& rng) { rivulet::fill(team, rng, numbers); });
        add();
        auto more = streams.open(team, static_cast<std::uint64_t>(team.league_rank() + teams));
        rivulet::fill(team, more, numbers, rivulet::StandardUniform<rivulet::Half>());
        streams.close(team, more);
        add();
      });
  std::int64_t total = 0;
  Kokkos::deep_copy(total, sum);
  return static_cast<double>(total) * 0x1p-11 / (2 * teams * count);
}

// Saves and restores streams, jumps ahead, and prints the certificate that the streams do not
// overlap. Returns true if the restored streams repeat their numbers.
bool repeats_after_restore(const Exec& exec) {
  const rivulet::Streams<rivulet::Mt19937> streams(exec, {.count = 3, .seed = 42});
  const Kokkos::View<std::uint32_t*, Exec> first("first", 300);
  const Kokkos::View<std::uint32_t*, Exec> again("again", 300);
  const std::vector<std::byte> saved = streams.save(exec);
  rivulet::fill(exec, streams, first);
  streams.jump(exec, 1000000000000);  // each stream; Sfc64 steps
  streams.restore(exec, saved);
  rivulet::fill(exec, streams, again);
  for (const auto& [name, text] : streams.certificate()) {
    std::printf("%s: %s\n", name.c_str(), text.c_str());
  }
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), first);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), again);
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    if (a(i) != b(i)) return false;
  }
  return true;
}

// Returns true if the inverse of a random permutation returns element i to its position.
bool inverse_returns(std::uint64_t seed, std::uint64_t id, std::uint64_t n, std::uint64_t i) {
  const rivulet::Permutation permutation(seed, id, n);
  const std::uint64_t place = permutation(i);
  return place < n && permutation.inverse(place) == i;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  std::printf("points in the circle: %llu of 10000000\n",
              static_cast<unsigned long long>(points_in_circle(exec, 42)));
  std::printf("mean squared distance after 100 steps: %.3f\n", random_walks(exec, 100));
  std::printf("sums of teams: %llu\n", static_cast<unsigned long long>(team_sums(exec)));
  std::printf("mean of normals: %.4f\n", mean_of_normals(exec));
  std::printf("mean of halves: %.4f\n", mean_of_halves(exec));
  const bool same = repeats_after_restore(exec);
  std::printf("the same after a restart: %s\n", same ? "yes" : "no");
  const bool is_inverse = inverse_returns(42, 0, 1000000, 123456);
  std::printf("the same after a permutation and back: %s\n", is_inverse ? "yes" : "no");
  return same && is_inverse ? 0 : 1;
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Warps take jobs from a queue, and draw numbers on demand from their team's stream. Warps work
// independently: one may do three jobs while another does one. With team barriers, all warps would
// wait for the slowest one.
//
// A job consists of 32 tours. A tour is a random walk on a line, and ends at a distance of 20 from
// its start. The numbers of a job differ from run to run, because warps get numbers in the order of
// their requests. For reproducible numbers, give each job a stream (keys.cpp).

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Team = Kokkos::TeamPolicy<Exec>::member_type;
using Streams = rivulet::Streams<rivulet::Dcmt607>;
using Scratch = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
using Counter = Kokkos::View<int, Exec::scratch_memory_space, Scratch>;

constexpr int teams = 20;
constexpr int warps = 4;
constexpr int jobs = 60;   // per team
constexpr int tours = 32;  // per job, one per lane

KOKKOS_FUNCTION bool is_end(int position) { return position == -20 || position == 20; }

/// Walks the tours of a job until all have ended. Returns the total number of steps.
template <class Shared>
KOKKOS_FUNCTION std::uint64_t work(const Team& team, const Shared& shared) {
  std::uint64_t all_steps = 0;
  // On a GPU, each lane uses only the element of its tour. On a CPU, the thread uses all elements.
  int positions[tours] = {};
  int active = tours;
  while (active > 0) {
    const auto numbers = shared.template take<1>();
    std::uint64_t steps = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, tours),
        [&](const int lane, std::uint64_t& walked) {
          const std::uint32_t number = numbers(lane);
          // Each bit of the number is a step.
          for (int bit = 0; bit < 32 && !is_end(positions[lane]); ++bit) {
            positions[lane] += (number >> bit & 1) != 0 ? 1 : -1;
            ++walked;
          }
        },
        steps);
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, tours),
        [&](const int lane, int& sum) { sum += is_end(positions[lane]) ? 0 : 1; }, active);
    all_steps += steps;
  }
  return all_steps;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  const Streams streams(exec, {.count = teams, .seed = 42});
  const Kokkos::View<std::uint64_t> steps("steps");
  const Kokkos::View<int> done("done");

  // An idle warp takes the team's next job, and draws the stream's next numbers. On a GPU, each
  // thread of the team is a warp. On a CPU, one thread acts for all warps.
  auto policy = streams.shared_policy(exec, warps);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Streams::shared_scratch_bytes() +
                                                              Counter::shmem_size())));
  Kokkos::parallel_for(
      "jobs_in_a_queue", policy, KOKKOS_LAMBDA(const Team& team) {
        const Counter next(team.team_scratch(0));
        Kokkos::single(Kokkos::PerTeam(team), [&] { next() = 0; });
        team.team_barrier();
        auto shared = streams.open_shared(team);
        while (true) {
          int job = 0;
          Kokkos::single(
              Kokkos::PerThread(team),
              [&](int& claimed) { claimed = Kokkos::atomic_fetch_add(&next(), 1); }, job);
          if (job >= jobs) break;
          const std::uint64_t count = work(team, shared);
          Kokkos::single(Kokkos::PerThread(team), [&] {
            Kokkos::atomic_add(&steps(), count);
            Kokkos::atomic_add(&done(), 1);
          });
        }
        streams.close(team, shared);
      });
  int done_jobs = 0;
  std::uint64_t sum = 0;
  Kokkos::deep_copy(done_jobs, done);
  Kokkos::deep_copy(sum, steps);
  std::printf("on demand: %d jobs\n", done_jobs);
  // A tour has 20^2 = 400 steps on average. The standard error of the mean over all tours is about
  // 1.7.
  const double mean = static_cast<double>(sum) / (static_cast<double>(teams) * jobs * tours);
  std::printf("on demand: %s\n", mean > 390 && mean < 410 ? "400 steps a tour" : "not 400 steps");
}

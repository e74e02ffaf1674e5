// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Draws a lattice of spins with one team per row. The team's threads share the row's stream. Number
// i of a row does not depend on the number of threads. With a generator that has a long state, such
// as a Mersenne Twister, the state would be in the team's scratch memory.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  constexpr std::uint64_t rows = 1000;
  constexpr std::uint64_t columns = 2500;
  const Kokkos::View<int**> spins("spins", rows, columns);

  // One stream per row. A spin is a single bit of a number, so the generator must not be linear
  // over GF(2) (docs/choosing.md#linear-generators).
  const rivulet::Streams<rivulet::Philox4x32> streams(exec, {.count = rows, .seed = 42});
  // The policy has one team per stream. A team has as many threads as can work concurrently, and
  // the scratch memory that the generator needs (none for Philox).
  const auto policy = streams.team_policy(exec);
  using Team = decltype(policy)::member_type;

  Kokkos::parallel_for(
      "draw_spins", policy, KOKKOS_LAMBDA(const Team& team) {
        const int row = team.league_rank();
        auto rng = streams.open(team);
        // Calls the function once for each of the next `columns` numbers. The calls are divided
        // among the team's threads.
        rng.each(team, columns, [&](const std::uint64_t column, const std::uint32_t number) {
          spins(row, column) = number < 0x80000000u ? -1 : 1;
        });
        // The next kernel that opens the streams continues from here.
        streams.close(team, rng);
      });

  std::int64_t magnetisation = 0;
  std::int64_t bonds = 0;  // +1 if a spin is parallel to its right neighbour, else -1
  Kokkos::parallel_reduce(
      "sum", policy,
      KOKKOS_LAMBDA(const Team& team, std::int64_t& all_spins, std::int64_t& all_bonds) {
        const int row = team.league_rank();
        std::int64_t sum = 0;
        std::int64_t bond_sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, columns),
            [&](const std::uint64_t i, std::int64_t& partial) { partial += spins(row, i); }, sum);
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, columns),
            [&](const std::uint64_t i, std::int64_t& partial) {
              partial += spins(row, i) * spins(row, (i + 1) % columns);
            },
            bond_sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          all_spins += sum;
          all_bonds += bond_sum;
        });
      },
      magnetisation, bonds);

  std::printf("magnetisation %lld\n", static_cast<long long>(magnetisation));
  std::printf("bonds %lld\n", static_cast<long long>(bonds));
}

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that rivulet::fill by a team writes the same values as rivulet::fill without teams.

#include <gtest/gtest.h>

#include <algorithm>

#include "library_drawing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Team = Policy::member_type;
using Numbers = Kokkos::View<double**, Exec>;

/// Several distributions in one type, compiled once.
struct AnyLaw {
  using result_type = double;
  enum Kind { uniform, normal, gamma, poisson, uneven, constant, kinds };
  int kind;

  template <class Rng>
  KOKKOS_FUNCTION double operator()(Rng& rng) const {
    switch (kind) {
      case uniform:
        return static_cast<double>(StandardUniform<float>()(rng));
      case normal:
        return Normal<double>(1, 2)(rng);
      case gamma:
        return Gamma<double>(0.5)(rng);
      case poisson:
        return static_cast<double>(Poisson(100)(rng));
      case uneven:
        return draw_unevenly(rng);
      default:
        return 7;  // draws no number
    }
  }

 private:
  /// In 15 of 16 cases, draws a single number; otherwise, draws up to 256 numbers.
  template <class Rng>
  KOKKOS_FUNCTION static double draw_unevenly(Rng& rng) {
    std::uint64_t sum = rng();
    const std::uint64_t extra_numbers = sum % 16 == 5 ? sum / 16 % 256 : 0;
    for (std::uint64_t i = 0; i < extra_numbers; ++i) sum = 3 * sum + rng();
    return static_cast<double>(sum % (1 << 30));
  }
};

/// Kernel in which each team draws three numbers, and then fills two arrays in scratch memory.
template <class G>
struct FillByTeam {
  using Scratch = Kokkos::View<double*, Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  static constexpr std::size_t few = 5;
  Streams<G> streams;
  AnyLaw law;
  Numbers to;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Numbers all = to;
    const int s = team.league_rank();
    const Scratch first(team.team_scratch(0), few);
    const Scratch others(team.team_scratch(0), to.extent(1) - few);
    auto rng = streams.open(team);
    rng.each(team, 3, [](std::uint64_t, std::uint64_t) {});
    fill(team, rng, first, law);
    fill(team, rng, others, law);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, all.extent(1)),
                         [=](std::size_t i) { all(s, i) = i < few ? first(i) : others(i - few); });
    streams.close(team, rng);
  }

  Policy policy(int threads, int lanes) const {
    Policy made(Exec(), static_cast<int>(streams.count()), threads, lanes);
    const std::size_t bytes = Streams<G>::team_scratch_bytes() + Streams<G>::team_fill_bytes() +
                              Scratch::shmem_size(few) + Scratch::shmem_size(to.extent(1) - few);
    made.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
    return made;
  }
};

template <class G>
class LibraryTeamFill : public testing::Test {};
/// Every kind of team stream, with few and with many words of state.
using Generators =
    testing::Types<Philox4x32, Philox4x64, Dcmt521, Mt19937, Mtgp11213, Ranmar24, Ranmar48x>;
TYPED_TEST_SUITE(LibraryTeamFill, Generators, NameOfLibraryGenerator);

TYPED_TEST(LibraryTeamFill, DrawsWhatAnEngineDraws) {
  const Streams<TypeParam> streams(Exec(), {.count = 5, .seed = 7, .sets = {}});
  const auto start = streams.save(Exec());
  constexpr std::size_t length = 305;
  int sizes = 0;
  for (int kind = 0; kind < AnyLaw::kinds; ++kind) {
    const Numbers alone("rivulet::test", streams.count(), length);
    streams.restore(Exec(), start);
    streams.jump(Exec(), 3);
    fill(Exec(), streams, alone, AnyLaw{kind});
    const auto expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), alone);
    for (const int threads : {1, 2, 7}) {
      for (const int lanes : {1, 32}) {
        const FillByTeam<TypeParam> body{streams, {kind}, Numbers("rivulet::test", 5, length)};
        if (lanes > Policy::vector_length_max() ||
            threads > body.policy(1, lanes).team_size_max(body, Kokkos::ParallelForTag())) {
          continue;
        }
        ++sizes;
        streams.restore(Exec(), start);
        Kokkos::parallel_for("rivulet::test_fill", body.policy(threads, lanes), body);
        const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), body.to);
        EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.size(), found.data()))
            << kind << ", threads " << threads << " x " << lanes;
        // The stream continues after the fill's numbers.
        const NumberList next = drawn(Exec(), streams, 400);
        streams.restore(Exec(), start);
        streams.jump(Exec(), 3);
        fill(Exec(), streams, alone, AnyLaw{kind});
        EXPECT_TRUE(next == drawn(Exec(), streams, 400)) << kind << ", threads " << threads;
      }
    }
  }
  EXPECT_GE(sizes, static_cast<int>(AnyLaw::kinds));
}

}  // namespace
}  // namespace rivulet

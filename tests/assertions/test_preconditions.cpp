// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the C++ library's assertions. Every build type compiles this program without NDEBUG.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "rivulet/rivulet.hpp"
#include "rivulet/sobol.hpp"

#ifdef NDEBUG
#error "assertions are left out: compile with -UNDEBUG"
#endif

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Team = Kokkos::TeamPolicy<Exec>::member_type;

/// Opens one stream and closes another.
template <class G>
struct OpenAndClose {
  Streams<G> streams;
  std::uint64_t opened;
  std::uint64_t closed;
  KOKKOS_FUNCTION void operator()(int) const {
    auto rng = streams.open(opened);
    rng();
    streams.close(closed, rng);
  }
};

template <class G>
void open_and_close(const Streams<G>& streams, std::uint64_t opened, std::uint64_t closed) {
  Kokkos::parallel_for("rivulet::test", Kokkos::RangePolicy<Exec>(0, 1),
                       OpenAndClose<G>{streams, opened, closed});
  Kokkos::fence();
}

/// Opens a stream with a team.
template <class G>
struct OpenByTeam {
  Streams<G> streams;
  std::uint64_t opened;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto rng = streams.open(team, opened);
    rng.each(team, 1, [](std::uint64_t, std::uint64_t) {});
    streams.close(team, rng);
  }
};

template <class G>
void open_by_team(const Streams<G>& streams, std::uint64_t opened, std::size_t scratch) {
  Kokkos::TeamPolicy<Exec> policy(Exec(), 1, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch)));
  Kokkos::parallel_for("rivulet::test", policy, OpenByTeam<G>{streams, opened});
  Kokkos::fence();
}

/// Opens a stream twice without closing it.
template <class G>
void open_twice() {
  const Streams<G> streams(Exec(), {.count = 3});
  for (int time = 0; time < 2; ++time) {
    Kokkos::parallel_for(
        "rivulet::test", Kokkos::RangePolicy<Exec>(0, 1), KOKKOS_LAMBDA(int) {
          auto rng = streams.open(1);
          rng();
        });
    Kokkos::fence();
  }
}
template <class G>
void jump_while_open() {
  const Streams<G> streams(Exec(), {.count = 3});
  Kokkos::parallel_for(
      "rivulet::test", Kokkos::RangePolicy<Exec>(0, 1), KOKKOS_LAMBDA(int) {
        auto rng = streams.open(1);
        rng();
      });
  Kokkos::fence();
  streams.jump(Exec(), 5);
  Kokkos::fence();
}

template <class G>
class LibraryDeathTest : public testing::Test {
 public:
  static Streams<G> make() { return Streams<G>(Exec(), {.count = 3}); }
};
using Generators = testing::Types<Philox4x32, HybridTausworthe, Ranmar48, Mt19937>;
TYPED_TEST_SUITE(LibraryDeathTest, Generators);

constexpr const char* beyond = "A stream was opened beyond the count: open 0 .. count";
constexpr const char* without_memory = "These Streams have no memory: make them with a constructor";

TYPED_TEST(LibraryDeathTest, OpeningBeyondTheCount) {
  open_and_close(this->make(), 2, 2);
  EXPECT_DEATH(open_and_close(this->make(), 3, 3), beyond);
  EXPECT_DEATH(open_and_close(this->make(), ~std::uint64_t{0}, 0), beyond);
}

TYPED_TEST(LibraryDeathTest, ClosingBeyondTheCount) {
  EXPECT_DEATH(open_and_close(this->make(), 2, 3),
               "A stream was closed beyond the count: close what was opened");
}

TYPED_TEST(LibraryDeathTest, OpeningNoStreams) {
  EXPECT_DEATH(open_and_close(Streams<TypeParam>(), 0, 0), without_memory);
}

template <class G>
class LibraryTeamsDeathTest : public LibraryDeathTest<G> {};
using TeamGenerators = testing::Types<Philox4x32, Ranmar48, Mt19937>;
TYPED_TEST_SUITE(LibraryTeamsDeathTest, TeamGenerators);

TYPED_TEST(LibraryTeamsDeathTest, OpeningByTeam) {
  constexpr std::size_t scratch = Streams<TypeParam>::team_scratch_bytes();
  open_by_team(this->make(), 2, scratch);
  EXPECT_DEATH(open_by_team(this->make(), 3, scratch), beyond);
  EXPECT_DEATH(open_by_team(Streams<TypeParam>(), 0, scratch), without_memory);
}

TEST(LibraryTeamsDeathTest, TooLittleScratchMemory) {
  const Streams<Mt19937> streams(Exec(), {.count = 3});
  // A debug build of Kokkos stops earlier, with a message of its own.
  EXPECT_DEATH(open_by_team(streams, 0, 64),
               "Too little scratch memory: the policy needs|out of scratch|shmem");
}

/// A distribution that consumes `numbers` numbers per draw.
struct DrawsManyNumbers {
  using result_type = double;
  int numbers;
  template <class Rng>
  KOKKOS_FUNCTION double operator()(Rng& rng) const {
    double sum = 0;
    for (int i = 0; i < numbers; ++i) sum += static_cast<double>(rng());
    return sum;
  }
};
struct FillByTeam {
  Streams<Mt19937> streams;
  DrawsManyNumbers law;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Kokkos::View<double*, Exec::scratch_memory_space, Kokkos::MemoryUnmanaged> numbers(
        team.team_scratch(0), 3);
    auto rng = streams.open(team);
    fill(team, rng, numbers, law);
    streams.close(team, rng);
  }
};
void fill_by_team(int numbers) {
  using S = Streams<Mt19937>;
  Kokkos::TeamPolicy<Exec> policy(Exec(), 1, 1);
  constexpr std::size_t bytes = S::team_scratch_bytes() + S::team_fill_bytes() + 64;
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
  Kokkos::parallel_for("rivulet::test", policy, FillByTeam{S(Exec(), {.count = 1}), {numbers}});
  Kokkos::fence();
}
TEST(LibraryTeamsDeathTest, FillingWithDrawsOfTooManyNumbers) {
  fill_by_team(256);
  EXPECT_DEATH(fill_by_team(1000), "takes more numbers than there is room for");
}

/// A kernel that takes numbers on demand for a team, and draws `draws` of them in each lane.
template <class G>
struct TakeOnDemand {
  Streams<G> streams;
  std::uint64_t opened;
  int draws;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto shared = streams.open_shared(team, opened);
    const auto numbers = shared.template take<3>();
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
      auto rng = numbers.engine(lane);
      for (int i = 0; i < draws; ++i) rng();
    });
    streams.close(team, shared);
  }
};

template <class G>
void take_on_demand(const Streams<G>& streams, std::uint64_t opened, int draws,
                    std::size_t scratch = Streams<G>::shared_scratch_bytes()) {
  Kokkos::TeamPolicy<Exec> policy(Exec(), 1, 1, Kokkos::TeamPolicy<Exec>::vector_length_max());
  if constexpr (detail::is_host<Exec>) policy = Kokkos::TeamPolicy<Exec>(Exec(), 1, 1, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch)));
  Kokkos::parallel_for("rivulet::test", policy, TakeOnDemand<G>{streams, opened, draws});
  Kokkos::fence();
}

TYPED_TEST(LibraryTeamsDeathTest, TakingNumbersOnDemand) {
  take_on_demand(this->make(), 2, 3);
  EXPECT_DEATH(take_on_demand(this->make(), 3, 1), beyond);
  EXPECT_DEATH(take_on_demand(Streams<TypeParam>(), 0, 1), without_memory);
  EXPECT_DEATH(take_on_demand(this->make(), 0, 4), "More than K numbers of take");
}

TEST(LibraryTeamsDeathTest, TooLittleScratchMemoryToShare) {
  const Streams<Mt19937> streams(Exec(), {.count = 3});
  EXPECT_DEATH(take_on_demand(streams, 0, 1, 64),
               "Too little scratch memory: the policy needs|out of scratch|shmem");
}

// A key whose fields fill all 128 bits of the counter.
struct WholeCounter {
  static constexpr int log2_numbers = 2;
  KeyField<60> particle;
  KeyField<4> index;
  KeyField<64> step;
};
TEST(StreamKeyDeathTest, FieldsBeyondTheirWidths) {
  using S = Stream<Philox4x32>;
  const char* const needs = "field of a stream's key has a value that needs more bits";
  EXPECT_DEATH(S(1, WholeCounter{std::uint64_t{1} << 60, 0, 0}), std::string("the first ") + needs);
  EXPECT_DEATH(S(1, WholeCounter{0, 16, 0}), std::string("the second ") + needs);
  EXPECT_DEATH(S(1, WholeCounter{0, -1, 0}), std::string("the second ") + needs);
  EXPECT_DEATH(S(1, {.index = 256}), std::string("the fourth ") + needs);
}
TEST(StreamsDeathTest, ChildrenOfStreamsBeyondTheLast) {
  const Streams<Philox4x32> streams(Exec(), {.count = 1, .first = ~std::uint64_t{0} - 3});
  static_cast<void>(streams.child(2, 0));
  EXPECT_DEATH(static_cast<void>(streams.child(3, 0)), "Streams are numbered from 0 to 2.64 - 2");
}

TEST(StreamsDeathTest, LeftOpen) {
  EXPECT_DEATH(open_twice<Dcmt521>(), "open stream was opened again");
  EXPECT_DEATH(open_twice<Ranmar24>(), "open stream was opened again");
  EXPECT_DEATH(open_twice<Mt19937>(), "open stream was opened again");
  EXPECT_DEATH(open_twice<Mtgp11213>(), "open stream was opened again");
  EXPECT_DEATH(jump_while_open<Dcmt607>(), "open stream was moved");
}

// Distributions, permutations and Sobol's points check their parameters on the host.

TEST(DistributionsDeathTest, Parameters) {
  EXPECT_DEATH(Below(0), "n > 0");
  EXPECT_DEATH(Uniform<double>(1, 1), "a < b");
  EXPECT_DEATH(Uniform<double>(-1e308, 1e308), "a < b");
  EXPECT_DEATH((Uniform<float, Interval::open>(1, std::nextafter(1.0F, 2.0F))), "first_ <= last_");
  EXPECT_DEATH(Exponential<double>(0), "mean > 0");
  EXPECT_DEATH(Exponential<double>(std::nan("")), "mean > 0");
  EXPECT_DEATH(Normal<double>(0, -1), "sigma >= 0");
  EXPECT_DEATH(Bernoulli(1.5), "p <= 1");
  EXPECT_DEATH(Poisson(-1), "mean >= 0");
  EXPECT_DEATH(Poisson(1e13), "mean >= 0");
  EXPECT_DEATH(Gamma<double>(0), "2\\^-50 to 2\\^50");
  EXPECT_DEATH(Gamma<double>(1, -1), "scale > 0");
  EXPECT_DEATH(ChiSquare<double>(std::nan("")), "half the degrees of freedom");
  EXPECT_DEATH(Student<double>(1e18), "half the degrees of freedom");
  EXPECT_DEATH(Beta<double>(1, 0), "2\\^-50 to 2\\^50");
  EXPECT_DEATH(LogNormal<double>(0, -1), "sigma >= 0");
  EXPECT_DEATH(Cauchy<double>(0, 0), "scale > 0");
  EXPECT_DEATH(VonMises<double>(0, -1), "from 0 to 2\\^100");
  EXPECT_DEATH(TruncatedNormal<double>(0, 1, 2, 2), "low < high");
  EXPECT_DEATH(TruncatedNormal<double>(0, 0, 1, 2), "sigma > 0");
  EXPECT_DEATH(Binomial(10, 1.5), "n <= 2\\^50 and p from 0 to 1");
  EXPECT_DEATH(Binomial((std::uint64_t{1} << 50) + 1, 0.5), "n <= 2\\^50");
  EXPECT_DEATH(Geometric(0), "p from 2\\^-58");
  EXPECT_DEATH(Simplex<double>(0), "needs n > 0");
  EXPECT_DEATH(MultivariateNormal<double>(0, nullptr, nullptr), "needs n > 0");
  EXPECT_DEATH(Multinomial(1, 0, nullptr), "cells > 0");
  const double weights[] = {1, -1};
  const double nothing[] = {0, 0};
  std::uint64_t counts[2];
  Stream<Philox4x32> engine(1, 1);
  EXPECT_DEATH(Multinomial(1, 2, weights)(engine, counts), "weights >= 0");
  EXPECT_DEATH(Multinomial(1, 2, nothing)(engine, counts), "positive, finite sum");
}

TEST(PermutationDeathTest, Places) {
  EXPECT_DEATH(Permutation(1, 2, 0), "n > 0");
  EXPECT_DEATH(Permutation(1, 2, 5)(5), "below n");
  EXPECT_DEATH(Permutation(1, 2, 5).inverse(7), "below n");
}

TEST(SobolDeathTest, PointsAndDimensions) {
  const Sobol<Kokkos::HostSpace> sobol(2);
  EXPECT_DEATH(sobol.word(std::uint64_t{1} << 32, 0), "0 to 2\\^32 - 1");
  EXPECT_DEATH(sobol.uniform<float>(0, 2), "below dimensions");
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests streams that kernels construct in place, and users' own generators.

#include <gtest/gtest.h>

#include <random>

#include "library_drawing.hpp"
#include "library_own_generators.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr std::uint64_t seed = 42;
constexpr std::uint64_t count = 100;
constexpr std::uint64_t numbers = 77;

template <class G>
struct DrawInPlace {
  NumberView<Exec> to;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::uint64_t s) const {
    Stream<G> rng(seed, first + s);
    for (std::uint64_t i = 0; i < numbers; ++i) to(s * numbers + i) = rng();
  }
};

template <class G>
NumberList drawn_in_place(std::uint64_t first) {
  const NumberView<Exec> to("rivulet::test", count * numbers);
  Kokkos::parallel_for("rivulet::test_in_place", StreamPolicy<Exec>(Exec(), 0, count),
                       DrawInPlace<G>{to, first});
  Exec().fence();
  return host_copy(to);
}

template <class G>
NumberList drawn_on_the_host(std::uint64_t first) {
  NumberList all;
  for (std::uint64_t s = 0; s < count; ++s) {
    Stream<G> rng(seed, first + s);
    for (std::uint64_t i = 0; i < numbers; ++i) all.push_back(rng());
  }
  return all;
}

template <class G>
class LibraryStream : public testing::Test {};
using InPlace =
    decltype(CounterTypes() + TypeList<Counter64, Padded24, OddBytes, Aligned48>())::Types;
TYPED_TEST_SUITE(LibraryStream, InPlace, NameOfLibraryGenerator);

TYPED_TEST(LibraryStream, IsOfTheSameNumbersAsStreams) {
  static_assert(std::uniform_random_bit_generator<Stream<TypeParam>>);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
    const Streams<TypeParam> streams(Exec(), {.count = count, .seed = seed, .first = first});
    const NumberList all = drawn(Exec(), streams, numbers);
    EXPECT_TRUE(drawn_in_place<TypeParam>(first) == all);
    EXPECT_TRUE(drawn_on_the_host<TypeParam>(first) == all);
  }
}

TYPED_TEST(LibraryStream, IsKeptFromAnyPosition) {
  const StreamsOptions options{.count = count, .seed = seed, .first = 9, .sets = {}};
  const Streams<TypeParam> streams(Exec(), options);
  const NumberList all = drawn(Exec(), streams, numbers);
  streams.restart(Exec());
  EXPECT_TRUE(drawn(Exec(), streams, numbers, {1, 0, 3, 2, 9, 1, 4, 30}) == all);
  streams.restart(Exec());
  drawn(Exec(), streams, 13);
  const auto saved = streams.save(Exec());
  const Streams<TypeParam> other(Exec(), options);
  other.restore(Exec(), saved);
  EXPECT_TRUE(drawn(Exec(), other, numbers - 13) == part(all, numbers, 13, numbers - 13));
}

template <class G>
void expect_jumps_are_steps() {
  const Streams<G> streams(Exec(), {.count = count, .seed = seed});
  const NumberList all = drawn(Exec(), streams, numbers);
  streams.restart(Exec());
  drawn(Exec(), streams, 3);
  streams.jump(Exec(), 40);
  EXPECT_TRUE(drawn(Exec(), streams, 20) == part(all, numbers, 43, 20));
}

TEST(OwnGenerators, JumpByTheirDiscard) {
  expect_jumps_are_steps<Counter64>();
  expect_jumps_are_steps<OddBytes>();
}

TEST(OwnGenerators, SayWhatIsProvedOfThem) {
  const Streams<Aligned48> with_method(Exec(), {.count = 3});
  EXPECT_EQ(with_method.certificate().back(),
            std::make_pair(std::string("method"), std::string("none to speak of")));
  const Streams<Padded24> without_method(Exec(), {.count = 3});
  EXPECT_EQ(without_method.name(), "padded24");
  EXPECT_EQ(without_method.certificate().front().second, "padded24");
  EXPECT_EQ(without_method.certificate().back().first, "proved");
}

}  // namespace
}  // namespace rivulet

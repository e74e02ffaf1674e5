// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For generators that can jump, compares segments of streams with the numbers that scalar engines
// draw from the whole streams.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "any_plan.hpp"
#include "generators/with_generator.hpp"
#include "listed_generators.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

/// Streams of one rank that have advanced from their starts.
template <class G>
class SomeStreams {
 public:
  using Streams = typename G::Streams;
  static constexpr std::uint64_t round = Streams::round_numbers;

  explicit SomeStreams(std::uint64_t count, Seeding seeding = Seeding::native)
      : plan_(plan_of(first + count, seeding)),
        range_{first, count},
        streams_(own_plan(), range_),
        starter_(own_plan(), range_) {
    starter_.seed(Space(), streams_);
    starter_.advance(Space(), streams_, 3);
  }

  static std::unique_ptr<StreamPlan> plan_of(std::uint64_t streams, Seeding seeding) {
    return any_plan<G>({.streams = streams, .seed = 2026, .seeding = seeding});
  }
  const typename G::Plan& own_plan() const { return static_cast<const typename G::Plan&>(*plan_); }

  Streams& streams() { return streams_; }
  typename G::Starter& starter() { return starter_; }

  Streams placed(const Segments& cut) {
    Streams segments = streams_;
    segments.cut_into(cut);
    starter_.place(Space(), streams_, segments, cut);
    return segments;
  }

  /// Returns the first `count` numbers of each segment.
  std::vector<std::uint64_t> expected(const Segments& cut, std::uint64_t count) {
    const std::uint64_t all = cut.count * cut.rounds * round + count;
    const auto numbers = scalar_numbers(streams_, all);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < cut.total(); ++i) {
      const std::uint64_t at = cut.stream(i) * all + cut.number(i) * cut.rounds * round;
      for (std::uint64_t k = 0; k < count; ++k) expected.push_back(numbers[at + k]);
    }
    return expected;
  }

 private:
  static constexpr std::uint64_t first = 5;

  std::unique_ptr<StreamPlan> plan_;
  StreamRange range_;
  Streams streams_;
  typename G::Starter starter_;
};

template <class G>
class SegmentsOf : public testing::Test {};

TYPED_TEST_SUITE(SegmentsOf, ListedRepresentatives, NameOfGenerator);

/// These segments are too long to draw. The test compares their first numbers with those of streams
/// that jump to the segments' starts.
TYPED_TEST(SegmentsOf, MayBeLong) {
  if constexpr (CutsStreams<TypeParam>) {
    const Segments cut{0, 2, 3, 0x0123456789abcdef};
    SomeStreams<TypeParam> some(cut.streams);
    const auto numbers = scalar_numbers(some.placed(cut), 50);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t j = 0; j < cut.count; ++j) {
      const auto here = scalar_numbers(some.streams(), 50);
      expected.insert(expected.end(), here.begin(), here.end());
      some.starter().advance(Space(), some.streams(), cut.rounds);
    }
    EXPECT_EQ(numbers, expected);
  }
}

TYPED_TEST(SegmentsOf, AreOfPublishedStreamsToo) {
  if constexpr (CutsStreams<TypeParam>) {
    const Segments cut{0, 4, 5, 2};
    std::optional<SomeStreams<TypeParam>> some;
    try {
      some.emplace(cut.streams, Seeding::published);
    } catch (const Error&) {
      GTEST_SKIP() << "there are none";
    }
    EXPECT_EQ(scalar_numbers(some->placed(cut), 100), some->expected(cut, 100));
  }
}

TEST(CutStreams, HaveAWayToJump) {
  for_each_generator_type([]<class G>(std::type_identity<G>) {
    const Generator& generator = generator_of<G>();
    EXPECT_EQ(CutsStreams<G>, generator.jumps && generator.name != "hybrid_tausworthe_listing")
        << generator.name;
  });
}

}  // namespace
}  // namespace rivulet

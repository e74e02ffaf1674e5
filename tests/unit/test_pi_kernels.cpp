// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "generators/generator_type.hpp"
#include "generators/generators.hpp"
#include "generators/list.hpp"
#include "jobs/pi/pi_result.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "kernels/pi/pi_point.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/error.hpp"
#include "state_words.hpp"

namespace rivulet {
namespace {

/// Returns true if (2u + 1)^2 + (2v + 1)^2 < 2^66, computed exactly in 128 bits.
bool pair_is_inside(std::uint32_t u, std::uint32_t v) {
  __extension__ using Wide = unsigned __int128;
  const Wide a = 2 * Wide{u} + 1;
  const Wide b = 2 * Wide{v} + 1;
  return a * a + b * b < Wide{1} << 66;
}

TEST(PiPoint, PairCentredIsExactAtTheEdge) {
  const std::vector<std::uint32_t> corners{0,          1,          0x7fffffff, 0x80000000,
                                           0xb504f333, 0xb504f334, 0xfffffffe, 0xffffffff};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> points;
  for (const auto u : corners) {
    for (const auto v : corners) points.emplace_back(u, v);
  }
  // Checks points on both sides of the circle: v = floor(sqrt(2^64 - u^2)) and its neighbours.
  std::uint32_t u = 12345;
  for (int i = 0; i < 10000; ++i) {
    u = 1664525 * u + 1013904223;
    const auto v = static_cast<std::uint32_t>(
        0xffffffffL * std::sqrt(1.0L - static_cast<long double>(u) / 0x1p32L *
                                           (static_cast<long double>(u) / 0x1p32L)));
    for (std::uint32_t d = 0; d < 5; ++d) points.emplace_back(u, v + d - 2);
  }
  int inside = 0;
  for (const auto& [x, y] : points) {
    Word hits(0u);
    const Word vectors[]{Word(x), Word(y)};
    PairCentred::count(vectors, hits);
    std::uint32_t scalar = 0;
    const std::uint32_t words[]{x, y};
    PairCentred::count(words, scalar);
    const std::uint32_t expected = pair_is_inside(x, y) ? 1 : 0;
    ASSERT_EQ(scalar, expected) << x << ' ' << y;
    for (int l = 0; l < lanes<Word>; ++l) ASSERT_EQ(WordTraits<Word>::lane(hits, l), expected);
    inside += static_cast<int>(expected);
  }
  EXPECT_GT(inside, 10000);
  EXPECT_LT(inside, 40000);
}

TEST(PiPoint, PairPublishedIsTheSampleArithmetic) {
  // For the largest words u, (float(u) + 1) / 2^32 reaches 1. Points with such words are therefore
  // outside for any y.
  EXPECT_FALSE(PairPublished::hit(0xffffffff, 0));
  EXPECT_TRUE(PairPublished::hit(0, 0));
  EXPECT_TRUE(PairPublished::hit(0x80000000, 0x80000000));
  EXPECT_FALSE(PairPublished::hit(0xb5050000, 0xb5050000));
}

/// Returns a stream's scalar engine on the host, at the start of the stream.
template <int P>
Dcmt<P> engine_of(const DcmtPlan& plan, const DcmtStreams<P>& streams, std::uint64_t stream) {
  const DcmtSet& set = plan.parameter_sets().sets[plan.set_of(stream)];
  DcmtState<P, std::uint32_t> state;
  const auto words = state_words<std::uint32_t>(streams, stream);
  std::copy(words.begin(), words.end(), state.x);
  return Dcmt<P>({set.a, set.b, set.c}, state);
}
template <class Variant>
Ranmar<Variant> engine_of(const RanmarPlan& plan, const RanmarStreams<Variant>&,
                          std::uint64_t stream) {
  return Ranmar<Variant>(native_start<Variant>(plan.request().seed, stream));
}

/// Returns the next 32-bit word of an engine of 24, 32 or 48 bits, as docs/fill.md defines it.
template <int Bits, class Engine>
std::uint32_t next_word(Engine& engine) {
  if constexpr (Bits == 24) {
    const std::uint32_t first = engine() >> 8;
    return first << 16 | engine() >> 8;
  } else {
    return static_cast<std::uint32_t>(engine() >> (Bits - 32));
  }
}

/// Counts the hits of every stream with a scalar engine, point by point.
template <class Type, class Point, class Plan>
std::vector<std::uint64_t> expected_hits(const Plan& plan, const StreamShare& share) {
  using Streams = typename Type::Streams;
  const StreamRange all{0, plan.streams()};
  const Streams streams(plan, all);
  typename Type::Starter(plan, all).seed(Space(), streams);
  std::vector<std::uint64_t> hits;
  for (std::uint64_t s = 0; s < plan.streams(); ++s) {
    auto engine = engine_of(plan, streams, s);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < share.items(s); ++i) {
      std::uint32_t words[Point::words];
      for (std::uint32_t& word : words) word = next_word<Streams::bits>(engine);
      std::uint32_t one = 0;
      Point::count(words, one);
      count += one;
    }
    hits.push_back(count);
  }
  return hits;
}

std::vector<std::uint64_t> counted(const StreamPlan& plan, const StreamShare& share,
                                   StreamMapping mapping, const PiChoice& choice,
                                   std::uint64_t rounds_per_batch) {
  std::vector<std::uint64_t> all;
  constexpr std::uint64_t ranks = 3;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const StreamRange range = stream_range(plan.streams(), rank, ranks);
    const auto counter = make_pi_counter(Space(), plan, range, mapping, choice);
    counter->warm_up();
    counter->restart();
    const std::uint64_t step = rounds_per_batch * counter->round_points();
    for (std::uint64_t begin = 0; begin < share.max_items(); begin += step) {
      counter->count(share, begin, std::min(begin + step, share.max_items()));
    }
    const auto hits = counter->hits_of_streams();
    all.insert(all.end(), hits.begin(), hits.end());
  }
  return all;
}

constexpr std::uint64_t streams_compared = 103;  // no multiple of lanes, tiles, sets or ranks

/// Returns the plan with which a generator's kernels are compared.
template <class Type>
auto comparison_plan() {
  const StreamRequest request{.streams = streams_compared};
  if constexpr (std::is_base_of_v<RanmarPlan, typename Type::Plan>) {
    RanmarPlan plan(Type::Streams::bits, request);
    plan.set_generator(generator_of<Type>());
    return plan;
  } else {
    DcmtSets sets = shipped_dcmt(521);
    constexpr int exponent = Type::Streams::shape.p;
    sets.p = exponent;  // any coefficients suffice to compare arithmetic
    // Jumps of the long exponents take long; test_streams.cpp tests them.
    sets.sets.resize(exponent == 521 ? 29 : streams_compared);
    DcmtPlan plan(std::move(sets), request);
    plan.set_generator(generator_of<Type>());
    return plan;
  }
}

template <class Type, class Point>
void expect_all_ways_agree(PointMapping mapping, PointKind kind) {
  const auto plan = comparison_plan<Type>();
  for (const std::uint64_t points : {50U, 103U, 21013U, 200000U}) {
    const StreamShare share{points, plan.streams()};
    const auto expected = expected_hits<Type, Point>(plan, share);
    for (const auto kernel : {PiKernel::fused, PiKernel::stored}) {
      for (const auto streams : {StreamMapping::lane, StreamMapping::team}) {
        for (const std::uint64_t batch : {1U, 3U, 1000U}) {
          const PiChoice choice{kernel, mapping, kind, 0};
          EXPECT_EQ(counted(plan, share, streams, choice, batch), expected)
              << points << " points, kernel " << static_cast<int>(kernel) << ", streams "
              << static_cast<int>(streams) << ", batch " << batch;
        }
      }
    }
  }
}

using enum PointMapping;
using enum PointKind;

/// A generator with one of its kinds of points and one of its mappings.
struct PointCase {
  std::string_view generator;
  std::string_view point;
  void (*expect)(PointMapping, PointKind);
  PointMapping mapping;
  PointKind kind;
};

/// Returns the cases whose generators are built.
std::vector<PointCase> point_cases() {
  std::vector<PointCase> all{
      {"dcmt521", "PackedCentred", expect_all_ways_agree<Twister<521>, PackedCentred>, centred,
       packed},
      {"dcmt607", "PairCentred", expect_all_ways_agree<Twister<607>, PairCentred>, centred, pair},
      {"dcmt1279", "PackedPublished", expect_all_ways_agree<Twister<1279>, PackedPublished>,
       published, packed},
      {"dcmt2203", "PairPublished", expect_all_ways_agree<Twister<2203>, PairPublished>, published,
       pair},
      {"ranmar24", "PackedCentred", expect_all_ways_agree<RanmarGenerator<Ranmar24>, PackedCentred>,
       centred, packed},
      {"ranmar24", "PairCentred", expect_all_ways_agree<RanmarGenerator<Ranmar24>, PairCentred>,
       centred, pair},
      {"ranmar48", "PackedCentred", expect_all_ways_agree<RanmarGenerator<Ranmar48>, PackedCentred>,
       centred, packed},
      {"ranmar48_scaled", "PairCentred",
       expect_all_ways_agree<RanmarGenerator<Ranmar48Scaled>, PairCentred>, centred, pair},
      {"ranmar48x", "PairPublished",
       expect_all_ways_agree<RanmarGenerator<Ranmar48x>, PairPublished>, published, pair}};
  std::erase_if(all, [](const PointCase& one) { return find_generator(one.generator) == nullptr; });
  return all;
}

class PiWays : public testing::TestWithParam<PointCase> {};
INSTANTIATE_TEST_SUITE_P(Generators, PiWays, testing::ValuesIn(point_cases()), [](const auto& one) {
  return std::string(one.param.generator) + std::string(one.param.point);
});

TEST_P(PiWays, Agree) { GetParam().expect(GetParam().mapping, GetParam().kind); }

TEST(PiEstimate, IsThatOfTheArticle) {
  // The article prints N = 67108860, the estimate 3.141863, and the standard deviation
  // 5.0109735E-05 of the mean.
  constexpr std::uint64_t points = 67108860;
  const auto hits = static_cast<std::uint64_t>(3.141863 / 4 * points);
  const PiEstimate estimate = pi_estimate(hits, points);
  EXPECT_NEAR(estimate.pi, 3.141863, 1e-7);
  EXPECT_NEAR(std::sqrt(estimate.variance), 5.0109735e-05, 2e-9);
  EXPECT_DOUBLE_EQ(estimate.standard_error, 4 * std::sqrt(estimate.variance));
  EXPECT_DOUBLE_EQ(pi_estimate(10, 10).deviation, 0);
}

}  // namespace
}  // namespace rivulet

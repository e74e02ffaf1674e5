// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "generators/dcmt.hpp"
#include "message_of.hpp"
#include "power_of_t.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "start_steps.hpp"
#include "state_words.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

StreamRequest request_of(std::uint64_t streams) {
  return {.streams = streams, .seed = 0x0123456789abcdef};
}

template <int P>
DcmtStreams<P> seeded(const DcmtPlan& plan, StreamRange range) {
  DcmtStreams<P> streams(plan, range);
  typename Twister<P>::Starter(plan, range).seed(Space(), streams);
  return streams;
}

/// Returns a stream's scalar engine on the host.
template <int P>
Dcmt<P> engine_of(const DcmtStreams<P>& streams, const DcmtSets& sets, std::uint64_t stream) {
  const DcmtSet& set = sets.sets[(streams.range().first + stream) % sets.sets.size()];
  DcmtState<P, std::uint32_t> state;
  const auto words = state_words<std::uint32_t>(streams, stream);
  for (int k = 0; k < state.words; ++k) state.x[k] = words[static_cast<std::size_t>(k)];
  return {{set.a, set.b, set.c}, state};
}

/// Returns a stream's first numbers, which determine its state (dead bits aside).
template <int P>
std::vector<std::uint32_t> draws(Dcmt<P> engine) {
  std::vector<std::uint32_t> numbers(100);
  for (std::uint32_t& number : numbers) number = engine();
  return numbers;
}

TEST(StreamRanges, CoverAllStreamsOnce) {
  for (const std::uint64_t streams : {1U, 7U, 1037U, 4096U}) {
    for (const std::uint64_t ranks : {1U, 2U, 3U, 4U, 7U}) {
      std::uint64_t next = 0;
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const StreamRange range = stream_range(streams, rank, ranks);
        EXPECT_EQ(range.first, next);
        EXPECT_LE(range.count, streams / ranks + 1);
        next += range.count;
      }
      EXPECT_EQ(next, streams);
    }
  }
}

TEST(DcmtPlan, GivesEachStreamASetAndAPlaceOnIt) {
  const DcmtPlan plan(published_dcmt521(), request_of(100));
  EXPECT_EQ(plan.set_of(31), 31U);
  EXPECT_EQ(plan.index_of(31), 0U);
  EXPECT_EQ(plan.set_of(99), 3U);
  EXPECT_EQ(plan.index_of(99), 3U);
}

std::string refusal(const DcmtSets& sets, const StreamRequest& request) {
  return message_of([&] { const DcmtPlan plan(sets, request); });
}

TEST(DcmtPlan, RefusesWhatItCannotKeepApart) {
  const DcmtSets& sets = published_dcmt521();
  EXPECT_THAT(refusal(sets, request_of(0)), HasSubstr("no streams"));

  StreamRequest published = request_of(33);
  published.seeding = Seeding::published;
  EXPECT_THAT(refusal(sets, published), HasSubstr("at or below 32, or set"));
  published.streams = 32;
  EXPECT_EQ(refusal(sets, published), "nothing was thrown");

  StreamRequest far = request_of(65);
  far.options.at(log2_jump_option) = 518;  // a stream covers up to 2^520 of the 2^521 - 1 steps
  EXPECT_THAT(refusal(sets, far), HasSubstr("more than can be made disjoint"));
  far.streams = 64;
  EXPECT_EQ(refusal(sets, far), "nothing was thrown");

  StreamRequest beyond = request_of(1);
  beyond.options.at(log2_jump_option) = 520;
  EXPECT_THAT(refusal(sets, beyond), HasSubstr("Choose from 64 to 519"));
  beyond.options.at(log2_jump_option) = 63;
  EXPECT_THAT(refusal(sets, beyond), HasSubstr("Choose from 64 to 519"));

  DcmtSets twins = sets;
  twins.sets[7].a = twins.sets[9].a;
  EXPECT_THAT(refusal(twins, request_of(1)), HasSubstr("the same twister"));
  EXPECT_THAT(refusal({521, "empty", {}}, request_of(1)), HasSubstr("no parameter sets"));
}

TEST(DcmtPlan, CertificateNamesTheJumpsOnlyIfThereAreAny) {
  const auto value_of = [](const DcmtPlan& plan, const std::string& wanted) {
    for (const auto& [name, value] : plan.certificate()) {
      if (name == wanted) return value;
    }
    return std::string("missing");
  };
  EXPECT_EQ(value_of(DcmtPlan(published_dcmt521(), request_of(32)), "within a set"),
            "one stream per set");
  EXPECT_THAT(value_of(DcmtPlan(published_dcmt521(), request_of(33)), "within a set"),
              HasSubstr("2 streams start at irregular places, at least 2^128 steps apart"));
}

TEST(SeedStreams, NativeIsInitByArrayOfSeedAndSet) {
  const DcmtSets sets = shipped_dcmt(607);
  const DcmtPlan plan(sets, request_of(50));
  const auto streams = seeded<607>(plan, {0, 50});
  for (const std::uint32_t stream : {0U, 1U, 49U}) {
    std::vector<std::uint32_t> expected(19);
    const DcmtSet& set = sets.sets[stream];
    const std::uint32_t key[8] = {0x89abcdef, 0x01234567, stream, 0, 607, set.a, set.b, set.c};
    init_by_array(expected, 19, key, 8);
    EXPECT_EQ(state_words<std::uint32_t>(streams, stream), expected);
  }
}

TEST(SeedStreams, OtherSetsOfOneSeedHaveOtherStarts) {
  DcmtSets others = shipped_dcmt(521);
  others.sets[1].b ^= 0x80;
  const auto start = [](const DcmtSets& sets, std::uint64_t stream) {
    return state_words<std::uint32_t>(seeded<521>(DcmtPlan(sets, request_of(3)), {0, 3}), stream);
  };
  EXPECT_EQ(start(shipped_dcmt(521), 0), start(others, 0));
  const auto first = start(shipped_dcmt(521), 1);
  for (const auto& other : {start(others, 1), start(published_dcmt521(), 1)}) {
    for (std::size_t k = 1; k < first.size(); ++k) EXPECT_NE(first[k], other[k]);
  }
}

TEST(SeedStreams, PublishedIsInitGenrandOfTheId) {
  StreamRequest request = request_of(32);
  request.seeding = Seeding::published;
  const DcmtPlan plan(published_dcmt521(), request);
  const auto streams = seeded<521>(plan, {0, 32});
  for (std::uint32_t stream = 0; stream < 32; ++stream) {
    std::vector<std::uint32_t> expected(17);
    init_genrand(expected, 17, 0x33ff * stream);
    expected[0] &= dcmt_shape(521).upper_mask;  // the other bits are not significant
    EXPECT_EQ(state_words<std::uint32_t>(streams, stream), expected);
  }
}

template <class T>
class Jumps : public testing::Test {};
using Shapes = testing::Types<std::integral_constant<int, 521>, std::integral_constant<int, 607>,
                              std::integral_constant<int, 1279>, std::integral_constant<int, 2203>>;
TYPED_TEST_SUITE(Jumps, Shapes);

/// Returns sets of exponent p. Their polynomials need not be irreducible, because stepping and
/// jumping agree modulo any characteristic polynomial.
DcmtSets any_sets(int p, std::size_t count) {
  DcmtSets sets = shipped_dcmt(521);
  sets.p = p;
  sets.sets.resize(count);
  return sets;
}

TYPED_TEST(Jumps, KernelIsStepping) {
  constexpr int P = TypeParam::value;
  const DcmtSets sets = any_sets(P, 37);
  StreamRequest request = request_of(37);
  const DcmtPlan plan(sets, request);
  for (const std::uint64_t steps : {1U, 2U, 31U, 1000U, 54321U}) {
    const auto streams = seeded<P>(plan, {0, 37});
    std::vector<Dcmt<P>> stepped;
    JumpTable table{37, std::vector<std::uint32_t>((P + 31) / 32 * 37, 0)};
    for (std::uint64_t s = 0; s < 37; ++s) {
      stepped.push_back(engine_of(streams, sets, s));
      stepped.back().discard(steps);
      const auto g =
          power_of_t(steps, 0, dcmt_characteristic_polynomial(dcmt_shape(P), sets.sets[s].a));
      for (int i = 0; i <= g.degree(); ++i) {
        const auto row = static_cast<std::size_t>(i / 32);
        table.bits[row * 37 + s] |= static_cast<std::uint32_t>(g.coefficient(i)) << (i % 32);
      }
    }
    jump_all(streams, table);
    for (std::uint64_t s = 0; s < 37; ++s) {
      ASSERT_EQ(draws(engine_of(streams, sets, s)), draws(stepped[s])) << "stream " << s;
    }
  }
}

TEST(JumpAhead, AWholePeriodAndOneIsOneStep) {
  // Because 2^521 = (2^521 - 1) + 1, the jump is right only if the polynomials are primitive and
  // all 521 squarings are right.
  const DcmtSets& sets = published_dcmt521();
  const DcmtPlan plan(sets, request_of(32));
  const auto streams = seeded<521>(plan, {0, 32});
  std::vector<Dcmt<521>> once;
  JumpTable table{32, std::vector<std::uint32_t>(17 * 32, 0)};
  for (std::uint64_t s = 0; s < 32; ++s) {
    once.push_back(engine_of(streams, sets, s));
    once.back().discard(1);
    const auto g =
        power_of_t(1, 521, dcmt_characteristic_polynomial(dcmt_shape(521), sets.sets[s].a));
    EXPECT_EQ(g.degree(), 1);
    for (int i = 0; i <= g.degree(); ++i) {
      table.bits[s] |= static_cast<std::uint32_t>(g.coefficient(i)) << i;
    }
  }
  jump_all(streams, table);
  for (std::uint64_t s = 0; s < 32; ++s) {
    EXPECT_EQ(draws(engine_of(streams, sets, s)), draws(once[s]));
  }
}

/// Returns the engine with state g(A) x, where x is the state of `start`, and A is one step.
/// Computes it by single steps, without the jump kernel.
Dcmt<521> moved(const Dcmt<521>& start, const Gf2Polynomial& g, const DcmtSet& set) {
  DcmtState<521, std::uint32_t> sum{};
  Dcmt<521> walker = start;
  for (int i = 0; i <= g.degree(); ++i) {
    const auto& state = walker.state();
    for (int k = 0; g.coefficient(i) && k < 17; ++k) sum.x[k] ^= state.x[(state.next + k) % 17];
    walker.discard(1);
  }
  return {{set.a, set.b, set.c}, sum};
}

/// 1500 streams: 500 on each of three sets.
class StartsOnThreeSets : public testing::Test {
 protected:
  static constexpr std::uint64_t total = 1500;
  static DcmtSets three() {
    DcmtSets sets = published_dcmt521();
    sets.sets.resize(3);
    return sets;
  }
  static StreamRequest request() {
    StreamRequest request = request_of(total);
    request.options.at(log2_jump_option) = 64;
    return request;
  }
  const DcmtSets sets = three();
  const DcmtPlan plan{sets, request()};
  const DcmtStreams<521> whole = seeded<521>(plan, {0, total});
};

TEST_F(StartsOnThreeSets, AreThoseStated) {
  for (std::uint64_t s = 3; s < total; s += 41) {
    const DcmtSet& set = sets.sets[s % 3];
    const auto g =
        power_of_t(jumps_to(IrregularStarts(64), s / 3) + IrregularStarts::hashed_steps(s / 3),
                   dcmt_characteristic_polynomial(dcmt_shape(521), set.a));
    ASSERT_EQ(draws(engine_of(whole, sets, s)), draws(moved(engine_of(whole, sets, s % 3), g, set)))
        << "stream " << s;
  }
}

TEST_F(StartsOnThreeSets, AreTheSameInEveryRange) {
  // The ranges begin at the indices 0, 1, 15, 16, 17, 255, 256 and 271 on a set, and have streams
  // on all three sets or only on some. Their last indices vary in the same way.
  for (const std::uint64_t first : {0U, 1U, 4U, 47U, 48U, 53U, 767U, 768U, 770U, 813U}) {
    for (const std::uint64_t count : {1U, 2U, 3U, 46U, 50U, 97U, 150U, 650U}) {
      const DcmtStreams<521> part = seeded<521>(plan, {first, count});
      for (std::uint64_t s = 0; s < count; ++s) {
        ASSERT_EQ(draws(engine_of(part, sets, s)), draws(engine_of(whole, sets, first + s)))
            << "stream " << s << " of " << count << " from " << first;
      }
    }
  }
}

}  // namespace
}  // namespace rivulet

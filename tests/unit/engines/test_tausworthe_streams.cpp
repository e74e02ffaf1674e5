// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/tausworthe.hpp"
#include "message_of.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"
#include "start_steps.hpp"
#include "state_words.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

template <class Kind>
using State = typename Tausworthe<Kind>::State;

template <class Kind>
std::vector<std::uint32_t> words_of(const State<Kind>& state) {
  return {state.z, state.z + Kind::words};
}

template <class Kind>
class TauswortheFamily : public testing::Test {
 protected:
  using Streams = TauswortheStreams<Kind>;
  static constexpr bool has_native = Kind::components > 0;

  static StreamRequest request(std::uint64_t streams) {
    return {.streams = streams,
            .seed = 31415,
            .seeding = has_native ? Seeding::native : Seeding::published};
  }
  static TausworthePlan plan(const StreamRequest& request) {
    return TausworthePlan(tausworthe_cycle<Kind>(), request);
  }
  static Streams started(const TausworthePlan& plan, StreamRange range) {
    Streams streams(plan, range);
    TauswortheStarter<Kind>(plan, range).seed(Space(), streams);
    return streams;
  }
  static Tausworthe<Kind> engine(const Streams& streams, std::uint64_t stream) {
    State<Kind> state{};
    const auto words = state_words<std::uint32_t>(streams, stream);
    EXPECT_EQ(words.size(), std::size_t{Kind::words});
    std::copy_n(words.begin(), Kind::words, state.z);
    return Tausworthe<Kind>(state);
  }
  static void expect_same(Tausworthe<Kind> a, Tausworthe<Kind> b) {
    for (int i = 0; i < 100; ++i) ASSERT_EQ(a(), b());
  }
};

using Kinds = testing::Types<HybridTausworthe, Lfsr113, HybridTauswortheListing>;
TYPED_TEST_SUITE(TauswortheFamily, Kinds);

Uint128 start_of(std::uint64_t s) { return jumps_to(IrregularStarts(64), s) + hashed_powers(s); }

TYPED_TEST(TauswortheFamily, NativeStreamsStartWhereStated) {
  if constexpr (TestFixture::has_native) {
    const auto request = this->request(70);
    const auto plan = this->plan(request);
    const auto streams = this->started(plan, {0, plan.streams()});
    for (std::uint64_t s = 0; s < plan.streams(); ++s) {
      auto state = native_tausworthe_start<TypeParam>(request.seed);
      tausworthe_jump<TypeParam>(start_of(s))(state.z);
      this->expect_same(this->engine(streams, s), Tausworthe<TypeParam>(state));
    }
  }
}

TYPED_TEST(TauswortheFamily, PublishedStreamsStartFromTheirSeeds) {
  auto request = this->request(40);
  request.seeding = Seeding::published;
  const auto plan = this->plan(request);
  const auto streams = this->started(plan, {3, 37});
  for (std::uint64_t s = 0; s < 37; ++s) {
    this->expect_same(this->engine(streams, s),
                      Tausworthe<TypeParam>(published_tausworthe_start<TypeParam>(3 + s)));
    EXPECT_EQ(plan.columns({3, 37})[0].values[s], (3 + s) * 1099087573 % (std::uint64_t{1} << 32));
  }
}

TEST(TausworthePublished, MinimaAreEnforced) {
  // The seed of id 0 is 0.
  EXPECT_THAT(words_of<HybridTausworthe>(published_tausworthe_start<HybridTausworthe>(0)),
              testing::ElementsAre(2, 8, 16, 0));
  EXPECT_THAT(words_of<Lfsr113>(published_tausworthe_start<Lfsr113>(0)),
              testing::ElementsAre(2, 8, 16, 128));
}

TEST(TausworthePublished, IdsOfLfsr113RepeatWhereThePlanSaysSo) {
  const std::uint64_t ids = published_tausworthe_ids<Lfsr113>;
  Tausworthe<Lfsr113> first(published_tausworthe_start<Lfsr113>(0));
  Tausworthe<Lfsr113> again(published_tausworthe_start<Lfsr113>(ids));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(first(), again());
  // Equal starts come from seeds 0 .. 3, or from seeds 2 j and 2 j + 1, whose ids are 1881311869
  // apart.
  EXPECT_EQ(1881311869U * published_tausworthe_factor, 1U);
  EXPECT_LT(ids, 1881311869U);
  for (const std::uint32_t seed : {1U, 2U, 3U}) EXPECT_GE(seed * 1881311869U, ids);
}

void expect_refused(const TauswortheCycle& cycle, const StreamRequest& request,
                    const std::string& message) {
  EXPECT_THAT(message_of([&] { const TausworthePlan plan(cycle, request); }), HasSubstr(message));
}

TEST(TausworthePlan, RefusesWhatItCannotKeepApart) {
  const auto hybrid = tausworthe_cycle<HybridTausworthe>();
  StreamRequest request;
  const auto fit = static_cast<std::uint64_t>(hybrid.period() >> 66);
  EXPECT_EQ(std::bit_width(fit), 54);  // the period is a little less than 2^120
  request.streams = fit;
  EXPECT_NO_THROW(TausworthePlan(hybrid, request));
  request.streams = fit + 1;
  expect_refused(hybrid, request, "do not fit on the generator's cycle");
  StreamRequest published{.streams = std::uint64_t{1} << 32, .seeding = Seeding::published};
  EXPECT_NO_THROW(TausworthePlan(hybrid, published));
  expect_refused(tausworthe_cycle<Lfsr113>(), published, "would not all differ");
  ++published.streams;
  expect_refused(hybrid, published, "would not all differ");
  expect_refused(tausworthe_cycle<HybridTauswortheListing>(), StreamRequest{},
                 "hybrid_tausworthe_listing has no native seeding");
}

TEST(TausworthePlan, CertificateSaysWhatIsProved) {
  const auto said = [](const TauswortheCycle& cycle, Seeding seeding, const std::string& what) {
    const StreamRequest request{.streams = 1024, .seeding = seeding, .numbers_per_stream = 1 << 20};
    for (const auto& [name, value] : TausworthePlan(cycle, request).certificate()) {
      if (name == what) return value;
    }
    return std::string();
  };
  const auto hybrid = tausworthe_cycle<HybridTausworthe>();
  EXPECT_THAT(said(hybrid, Seeding::native, "proved"), HasSubstr("1024 * 2^66"));
  EXPECT_THAT(said(hybrid, Seeding::native, "period"), HasSubstr("(2^28 - 1) 2^32"));
  // The bound is 2^20 pairs of streams, times 2^20 numbers, divided by a little less than 2^120.
  EXPECT_THAT(said(hybrid, Seeding::published, "only probable"), HasSubstr("2^-79"));
  StreamRequest two{.streams = 2};
  EXPECT_THAT(TausworthePlan(hybrid, two).warnings(), testing::IsEmpty());
  two.seeding = Seeding::published;
  EXPECT_THAT(TausworthePlan(hybrid, two).warnings(),
              testing::ElementsAre(HasSubstr("neighbouring streams correlate")));
  const auto listing = tausworthe_cycle<HybridTauswortheListing>();
  EXPECT_THAT(said(listing, Seeding::published, "proved"), HasSubstr("nothing more"));
  EXPECT_THAT(TausworthePlan(listing, {.seeding = Seeding::published}).warnings(),
              testing::ElementsAre(HasSubstr("known to be bad")));
}

}  // namespace
}  // namespace rivulet

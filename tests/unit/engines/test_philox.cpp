// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "kernels/generators/counter_based.hpp"
#include "kernels/pi/pi_fused.hpp"
#include "kernels/pi/pi_point.hpp"
#include "rivulet/error.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {
namespace {

using PhiloxPlan = CounterPlan<Philox4x32>;
using PhiloxStreams = CounterStreams<Philox4x32>;
using PhiloxStarter = CounterStarter<Philox4x32>;
using Quadruple = std::array<std::uint32_t, 4>;
using testing::HasSubstr;

constexpr std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

/// The definition, as the paper has it.
Quadruple philox(Quadruple counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
               static_cast<std::uint32_t>(product0)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

/// Word `number` of a stream by the definition.
std::uint32_t word_of(std::uint64_t seed, std::uint64_t stream, Uint128 number) {
  const auto block = static_cast<std::uint64_t>(number / 4);
  const Quadruple counter{
      static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
      static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)};
  return philox(counter, static_cast<std::uint32_t>(seed),
                static_cast<std::uint32_t>(seed >> 32))[static_cast<std::size_t>(number % 4)];
}

/// A line of Random123's kat_vectors (version 1.14), "philox4x32 10": counter, key, result.
struct KnownAnswer {
  Quadruple counter;
  std::array<std::uint32_t, 2> key;
  Quadruple result;
};
constexpr std::array<KnownAnswer, 3> known_answers{
    {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
     {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
      {0xffffffff, 0xffffffff},
      {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
     {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
      {0xa4093822, 0x299f31d0},
      {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}}};

/// The words of all lanes from quadruple `number` on, `count` quadruples.
template <class W>
std::vector<W> quadruples(std::uint64_t seed, const W& low, const W& high, std::uint64_t number,
                          int count) {
  PhiloxQuadruples<W> engine(PhiloxKeys(seed), low, high, number);
  std::vector<W> words;
  for (int i = 0; i < count; ++i) {
    engine.template draw<1>([&words](auto, const W& word) { words.push_back(word); });
  }
  return words;
}

template <class W>
class PhiloxWords : public testing::Test {};
using WordTypes = testing::Types<std::uint32_t, Word, SideBySide<1>, SideBySide<4>>;
TYPED_TEST_SUITE(PhiloxWords, WordTypes);

TYPED_TEST(PhiloxWords, Random123sKnownAnswers) {
  for (const KnownAnswer& known : known_answers) {
    EXPECT_EQ(philox(known.counter, known.key[0], known.key[1]), known.result);
    const auto words =
        quadruples(joined(known.key[0], known.key[1]), TypeParam(known.counter[2]),
                   TypeParam(known.counter[3]), joined(known.counter[0], known.counter[1]), 1);
    for (std::size_t k = 0; k < 4; ++k) {
      for (int l = 0; l < lanes<TypeParam>; ++l) {
        EXPECT_EQ(WordTraits<TypeParam>::lane(words[k], l), known.result[k]) << k << ", " << l;
      }
    }
  }
}

/// Every lane at a place of its own, most of them soon at a carry.
TYPED_TEST(PhiloxWords, LanesMayBeAtPlacesOfTheirOwn) {
  using Traits = WordTraits<TypeParam>;
  const auto next = [](int l) {
    constexpr std::uint64_t places[] = {0xfffffffdu, 0, 0x1fffffffeu, 0x123456789abcdef0u,
                                        0x4fffffffcu};
    return places[l % 5];
  };
  const auto ids = Traits::generate([](int l) { return static_cast<std::uint32_t>(3 * l + 1); });
  PhiloxQuadruples<TypeParam> engine(PhiloxKeys(2026), ids, TypeParam(7u), 5);
  engine.move_lanes_to(next);
  for (std::uint64_t i = 0; i < 6; ++i) {
    engine.template draw<1>([&](auto k, const TypeParam& word) {
      for (int l = 0; l < lanes<TypeParam>; ++l) {
        const std::uint64_t number = next(l) + i;
        const Quadruple expected =
            philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                    Traits::lane(ids, l), 7},
                   2026, 0);
        EXPECT_EQ(Traits::lane(word, l), expected[static_cast<std::size_t>(k.value)])
            << i << ", " << l;
      }
    });
  }
}

/// Ids without a pattern, both halves, and numbers on both sides of a carry.
TYPED_TEST(PhiloxWords, LanesAreTheDefinition) {
  using Traits = WordTraits<TypeParam>;
  const auto id = [](int l) { return 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(l + 1); };
  const auto low = Traits::generate([&](int l) { return static_cast<std::uint32_t>(id(l)); });
  const auto high =
      Traits::generate([&](int l) { return static_cast<std::uint32_t>(id(l) >> 32); });
  const std::uint64_t seed = 0xfedcba9876543210u;
  for (const std::uint64_t from : {0x0ul, 0xfffffffdul, 0x1234567fffffffeul}) {
    const auto words = quadruples(seed, low, high, from, 6);
    for (std::size_t k = 0; k < words.size(); ++k) {
      for (int l = 0; l < lanes<TypeParam>; ++l) {
        ASSERT_EQ(Traits::lane(words[k], l), word_of(seed, id(l), Uint128{from} * 4 + k))
            << from << ", " << k << ", " << l;
      }
    }
  }
}

TEST(Philox4x32, CallsAreTheStream) {
  const std::uint64_t stream = 0xabcdef0123456789u;
  PhiloxEngine engine(42, stream);
  for (unsigned i = 0; i < 100; ++i) ASSERT_EQ(engine(), word_of(42, stream, i)) << i;
  static_assert(PhiloxEngine::min() == 0 && PhiloxEngine::max() == 0xffffffffu);
}

TEST(Philox4x32, DiscardIsThatManyCalls) {
  for (unsigned before = 0; before < 9; ++before) {
    for (unsigned n = 0; n < 40; ++n) {
      PhiloxEngine engine(1, 2);
      for (unsigned i = 0; i < before; ++i) engine();
      engine.discard(n);
      for (unsigned i = 0; i < 9; ++i) {
        ASSERT_EQ(engine(), word_of(1, 2, before + n + i)) << before << ", " << n << ", " << i;
      }
    }
  }
}

TEST(Philox4x32, DiscardsAnyNumberAtOnce) {
  PhiloxEngine engine(1, 2);
  Uint128 place = 0;
  for (const std::uint64_t n : {~std::uint64_t{0}, std::uint64_t{1} << 34, ~std::uint64_t{0} - 6}) {
    engine.discard(n);
    place += n;
    ASSERT_EQ(engine(), word_of(1, 2, place++)) << n;
  }
}

TEST(Philox4x32, CarriesIntoTheNextCounterWord) {
  constexpr std::uint64_t carry = std::uint64_t{1} << 34;
  PhiloxEngine engine(7, 11);
  engine.discard(carry - 10);
  for (unsigned i = 0; i < 30; ++i) ASSERT_EQ(engine(), word_of(7, 11, carry - 10 + i)) << i;
}

StreamRequest request_for(std::uint64_t streams, std::uint64_t seed) {
  StreamRequest request;
  request.streams = streams;
  request.seed = seed;
  return request;
}

/// `rounds` rounds of every stream: word k of stream s to words(k, s).
template <class W>
struct DrawRounds {
  using Words = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;
  PhiloxStreams streams;
  int rounds;
  Words words;

  KOKKOS_FUNCTION void operator()(std::uint64_t group) const {
    const std::uint64_t first = group * static_cast<std::uint64_t>(lanes<W>);
    auto engine = streams.load<W>(first);
    const auto& to = words;
    for (int r = 0; r < rounds; ++r) {
      engine.draw_words([&to, r, first](int k, const W& word) RIVULET_INLINE_LAMBDA {
        WordTraits<W>::store(
            word, &to(static_cast<std::size_t>(r * PhiloxStreams::round_words + k), first));
      });
    }
    streams.store<W>(first, engine);
  }
};

template <class W>
auto drawn(const PhiloxStreams& streams, int rounds) {
  using Draw = DrawRounds<W>;
  const std::uint64_t padded = padded_streams(streams.count());
  const Draw draw{
      streams, rounds,
      typename Draw::Words("words", static_cast<std::size_t>(rounds * PhiloxStreams::round_words),
                           padded)};
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Kokkos::parallel_for("draw", Policy(0, padded / static_cast<std::uint64_t>(lanes<W>)), draw);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draw.words);
}

template <class W>
void expect_stream_words(const PhiloxStreams& streams, std::uint64_t seed, Uint128 place) {
  const auto words = drawn<W>(streams, 3);
  for (std::uint64_t s = 0; s < streams.count(); ++s) {
    for (std::size_t k = 0; k < words.extent(0); ++k) {
      ASSERT_EQ(words(k, s), word_of(seed, streams.range().first + s, place + k))
          << "stream " << s << ", word " << k;
    }
  }
}

constexpr std::uint64_t seed_of_tests = 0x0123456789abcdefu;

/// One group of lanes has ids on both sides of 2^32.
TEST(PhiloxStreams, EveryEngineDrawsTheDefinition) {
  const PhiloxPlan plan(request_for(std::uint64_t{1} << 40, seed_of_tests));
  const std::uint64_t count = 3 * tile_streams - 1;
  for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 32) - 5}) {
    const PhiloxStreams streams(plan, {first, count});
    expect_stream_words<Word>(streams, seed_of_tests, 0);
    if constexpr (lanes<Word> % 4 == 0 || device_build) {
      expect_stream_words<SideBySide<4>>(streams, seed_of_tests, 0);
    }
    expect_stream_words<std::uint32_t>(streams, seed_of_tests, 0);
  }
}

TEST(PhiloxStreams, APlaceIsAsManyRoundsOn) {
  constexpr int round = PhiloxStreams::round_words;
  const PhiloxPlan plan(request_for(40, seed_of_tests));
  const PhiloxStreams streams(plan, {0, 40});
  const auto stepped = drawn<Word>(streams, 5);
  const auto moved = drawn<Word>(streams.at(3), 2);
  for (std::size_t k = 0; k < moved.extent(0); ++k) {
    for (std::size_t s = 0; s < 40; ++s) ASSERT_EQ(moved(k, s), stepped(k + 3 * round, s));
  }
  constexpr Uint128 carry = (Uint128{1} << 34) / round;  // rounds until the counter's second word
  for (const Uint128 rounds : {carry - 1, carry, 5 * carry - 2, (Uint128{1} << 66) / round - 3}) {
    expect_stream_words<Word>(streams.at(rounds), seed_of_tests, rounds * round);
  }
  expect_stream_words<Word>(streams.at(3).at(4), seed_of_tests, 7 * round);
}

TEST(PhiloxStreams, StartersMoveThem) {
  constexpr int round = PhiloxStreams::round_words;
  const PhiloxPlan plan(request_for(20, seed_of_tests));
  PhiloxStreams streams(plan, {0, 20});
  const PhiloxStarter starter(plan, {0, 20});
  starter.advance(Space(), streams, 5);
  starter.advance(Space(), streams, Uint128{1} << 40);
  expect_stream_words<Word>(streams, seed_of_tests, ((Uint128{1} << 40) + 5) * round);
  starter.seed(Space(), streams);
  expect_stream_words<Word>(streams, seed_of_tests, 0);
}

TEST(PhiloxStreams, AreRestoredToThePlaceSaved) {
  const PhiloxPlan plan(request_for(20, seed_of_tests));
  const PhiloxStreams streams(plan, {0, 20});
  const Uint128 rounds = (Uint128{1} << 61) + 3;
  const std::vector<std::byte> saved = streams.at(rounds).save();
  ASSERT_EQ(saved.size(), 16U);
  Uint128 word = 0;
  std::memcpy(&word, saved.data(), sizeof word);
  EXPECT_EQ(word, rounds * PhiloxStreams::round_words) << "not of any build's rounds";
  PhiloxStreams restored(plan, {7, 9});
  restored.restore(saved);
  expect_stream_words<Word>(restored, seed_of_tests, rounds * PhiloxStreams::round_words);
  EXPECT_EQ(PhiloxStreams::state_bytes(), 0U);
}

std::string refusal_of(std::vector<std::byte> saved) {
  const PhiloxPlan plan(request_for(20, seed_of_tests));
  PhiloxStreams streams(plan, {0, 20});
  try {
    streams.restore(saved);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PhiloxStreams, RefuseToRestoreWhatIsNoPlace) {
  const PhiloxPlan plan(request_for(20, seed_of_tests));
  std::vector<std::byte> saved = PhiloxStreams(plan, {0, 20}).save();
  EXPECT_EQ(refusal_of(saved), "no error");
  saved.pop_back();
  EXPECT_THAT(refusal_of(saved), HasSubstr("15 B that are not a place"));
  saved.push_back(std::byte{0});
  saved.push_back(std::byte{0});
  EXPECT_THAT(refusal_of(saved), HasSubstr("17 B"));
  saved.pop_back();
  saved[0] = std::byte{4};
  EXPECT_THAT(refusal_of(saved), HasSubstr("not a place")) << "within a round";
  saved[0] = std::byte{0};
  saved[8] = std::byte{4};
  EXPECT_THAT(refusal_of(saved), HasSubstr("not a place")) << "beyond 2^66";
}

/// For one key the counters go one to one to quadruples; a sample of what the certificate says.
TEST(PhiloxStreams, HaveNoQuadrupleInCommon) {
  const PhiloxPlan plan(request_for(200, seed_of_tests));
  const auto words = drawn<Word>(PhiloxStreams(plan, {0, 200}), 10);
  std::set<Quadruple> seen;
  for (std::size_t k = 0; k < words.extent(0); k += 4) {
    for (std::size_t s = 0; s < 200; ++s) {
      const Quadruple next{words(k, s), words(k + 1, s), words(k + 2, s), words(k + 3, s)};
      EXPECT_TRUE(seen.insert(next).second) << k << ", " << s;
    }
  }
}

TEST(PhiloxStreams, FusedPiCountsTheirPoints) {
  const std::uint64_t count = tile_streams + 3;
  const StreamShare share{count * 83 + 2, count};  // a rest after the last whole round
  const PhiloxPlan plan(request_for(count, seed_of_tests));
  const PhiloxStreams streams(plan, {0, count});
  const HitView hits("hits", count);
  const Uint128 rounds = 48 / PhiloxStreams::round_words;
  const StreamRange all{0, count};
  count_pi_fused(Space(), streams, StreamMapping::lane, PiChoice{}, uncut({share, 0, 48}, all),
                 {hits});
  count_pi_fused(Space(), streams.at(rounds), StreamMapping::lane, PiChoice{},
                 uncut({share, 48, 100}, all), {hits});
  const auto counted = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hits);
  for (std::uint64_t s = 0; s < count; ++s) {
    std::uint32_t expected = 0;
    for (unsigned i = 0; i < share.of(s); ++i) {
      PackedCentred::count(word_of(seed_of_tests, s, i), std::uint32_t{0}, expected);
    }
    EXPECT_EQ(counted(s), expected) << s;
  }
}

TEST(PhiloxPlan, SaysWhyStreamsAreDisjoint) {
  StreamRequest request = request_for(std::uint64_t{1} << 40, 5);
  request.numbers_per_stream = 123456789;
  const PhiloxPlan plan(request);
  std::string all;
  for (const auto& [name, value] : plan.certificate()) all += name + ": " + value + "\n";
  EXPECT_THAT(all, HasSubstr("proved: "));
  EXPECT_THAT(all, HasSubstr("one to one"));
  EXPECT_THAT(all, HasSubstr("123456789"));
  EXPECT_TRUE(plan.warnings().empty());
  EXPECT_TRUE(plan.columns({0, 10}).empty());
  ASSERT_EQ(plan.facts().size(), 1U);
  EXPECT_EQ(plan.facts()[0].name, "run_seed");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[0].value), 5U);
}

TEST(PhiloxPlan, HasNoOtherSeeding) {
  StreamRequest request = request_for(10, 5);
  request.seeding = Seeding::published;
  try {
    const PhiloxPlan plan(request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("philox4x32 has no published seeding"));
    EXPECT_THAT(error.what(), HasSubstr("streams.seeding=native"));
  }
}

}  // namespace
}  // namespace rivulet

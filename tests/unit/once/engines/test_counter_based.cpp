// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// This file contains the common tests of counter-based generators, and each generator's known
// answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "generators/counter_based.hpp"
#include "launching/for_each_stream.hpp"
#include "library_drawing.hpp"
#include "message_of.hpp"
#include "rng/word.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

/// Draws `rounds` rounds of every stream. Word k of stream s is stored in words(k, s).
template <class S, class W>
struct DrawRounds {
  using Words = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;
  S streams;
  int rounds;
  Words words;

  KOKKOS_FUNCTION void operator()(std::uint64_t group) const {
    const std::uint64_t first = group * static_cast<std::uint64_t>(lanes<W>);
    auto engine = streams.template load<W>(first);
    const auto& to = words;
    for (int r = 0; r < rounds; ++r) {
      engine.draw_words([&to, r, first](int k, const W& word) RIVULET_INLINE_LAMBDA {
        WordTraits<W>::store(word, &to(static_cast<std::size_t>(r * S::round_words + k), first));
      });
    }
    streams.template store<W>(first, engine);
  }
};

template <class W, class S>
auto drawn_rounds(const S& streams, int rounds) {
  using Draw = DrawRounds<S, W>;
  const std::uint64_t padded = padded_streams(streams.count());
  const Draw draw{
      streams, rounds,
      typename Draw::Words("words", static_cast<std::size_t>(rounds * S::round_words), padded)};
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Kokkos::parallel_for("draw", Policy(0, padded / static_cast<std::uint64_t>(lanes<W>)), draw);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draw.words);
}

/// Lines of Random123's file kat_vectors (github.com/DEShawResearch/random123 at commit 9545ff6):
/// the words of the counter, the key and the block.
template <class G>
struct KnownAnswers;

template <>
struct KnownAnswers<Philox4x32> {
  static constexpr std::uint32_t lines[][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
       0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1}};
};

template <>
struct KnownAnswers<Philox4x32x7> {
  static constexpr std::uint32_t lines[][10] = {
      {0, 0, 0, 0, 0, 0, 0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x5207ddc2,
       0x45165e59, 0x4d8ee751, 0x8c52f662},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x4dfccaba,
       0x190a87f0, 0xc47362ba, 0xb6b5242a}};
};

template <>
struct KnownAnswers<Threefry4x64> {
  static constexpr std::uint64_t lines[][12] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0x09218ebde6c85537, 0x55941f5266d86105, 0x4bd25e16282434dc,
       0xee29ec846bd2e40b},
      {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, 0x29c24097942bba1b, 0x0371bbfb0f6f4e11,
       0x3c231ffa33f83a1c, 0xcd29113fde32d168},
      {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
       0x452821e638d01377, 0xbe5466cf34e90c6c, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd,
       0xa7e8fde591651bd9, 0xbaafd0c30138319b, 0x84a5c1a729e685b9, 0x901d406ccebc1ba4}};
};

template <>
struct KnownAnswers<Philox4x64> {
  static constexpr std::uint64_t lines[][10] = {
      {0, 0, 0, 0, 0, 0, 0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
       0x7e68b68aec7ba23b},
      {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, 0x87b092c3013fe90b, 0x438c3c67be8d0224,
       0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0},
      {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
       0x452821e638d01377, 0xbe5466cf34e90c6c, 0xa528f45403e61d95, 0x38c72dbd566e9788,
       0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}};
};

template <class G>
class CounterBased : public testing::Test {
 public:
  static constexpr std::uint64_t seed = 0xfedcba9876543210u;
  static constexpr int n = detail::block_numbers<G>;
  static constexpr int round = CounterStreams<G>::round_words;
  /// Position of the first number in block 2^32. Smaller block indices fit in 32 bits.
  static constexpr Uint128 carry = (Uint128{1} << 32) * n;

  static StreamRequest request(std::uint64_t streams) { return {.streams = streams, .seed = seed}; }
  /// Returns the stream id of a lane. Neither half of the ids has a pattern from lane to lane.
  static std::uint64_t id(int lane) {
    return 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(lane + 1);
  }
  /// Returns number k of a stream's block, computed directly with G::block(). The low half of a
  /// 64-bit word comes first.
  static std::uint32_t number(std::uint64_t stream, std::uint64_t block, int k) {
    using Word = typename G::Word;
    constexpr int halves = sizeof(Word) == 4 ? 1 : 2;
    Word key[G::key_words] = {static_cast<Word>(seed)};
    Word x[G::words] = {static_cast<Word>(block)};
    x[G::words / 2] = static_cast<Word>(stream);
    if (halves == 1) {
      key[1] = static_cast<Word>(seed >> 32);
      x[1] = static_cast<Word>(block >> 32);
      x[G::words / 2 + 1] = static_cast<Word>(stream >> 32);
    }
    G::block(key, x);
    return static_cast<std::uint32_t>(std::uint64_t{x[k / halves]} >> 32 * (k % halves));
  }
  static std::uint32_t number_at(std::uint64_t stream, Uint128 place) {
    return number(stream, static_cast<std::uint64_t>(place / n), static_cast<int>(place % n));
  }

  /// Checks three rounds that begin at position `place`.
  template <class W>
  static void expect_streams(const CounterStreams<G>& streams, Uint128 place) {
    const auto words = drawn_rounds<W>(streams, 3);
    for (std::uint64_t s = 0; s < streams.count(); ++s) {
      for (std::size_t k = 0; k < words.extent(0); ++k) {
        ASSERT_EQ(words(k, s), number_at(streams.range().first + s, place + k))
            << "stream " << s << ", word " << k;
      }
    }
  }

  static std::string refusal_of(const std::vector<std::byte>& saved) {
    CounterStreams<G> streams(CounterPlan<G>(request(20)), {0, 20});
    return message_of([&] { streams.restore(saved); });
  }

  /// Checks two draws of two blocks in all lanes. A lane's first block has the index place(lane).
  template <class W, class Place>
  static void expect_blocks(CounterBlocks<G, W>& blocks, const Place& place) {
    for (std::uint64_t before = 0; before < 4; before += 2) {
      W words[2 * n];
      blocks.template draw<2>([&words](auto k, const W& word) { words[k.value] = word; });
      for (int k = 0; k < 2 * n; ++k) {
        for (int l = 0; l < lanes<W>; ++l) {
          EXPECT_EQ(WordTraits<W>::lane(words[k], l),
                    number(id(l), place(l) + before + static_cast<unsigned>(k / n), k % n))
              << l << ", " << before << ", " << k;
        }
      }
    }
  }
  /// Checks lanes that start at the same position, and then lanes that start at different
  /// positions. Most of the positions are shortly before a carry.
  template <class W>
  static void expect_lanes() {
    const auto half = [](int shift) {
      return WordTraits<W>::generate(
          [shift](int l) { return static_cast<std::uint32_t>(id(l) >> shift); });
    };
    const CounterKeys<G> keys(seed);
    for (const std::uint64_t from : {0x0ul, 0x1fffffffeul, 0x1234567fffffffeul}) {
      CounterBlocks<G, W> together(keys, half(0), half(32), from);
      expect_blocks(together, [from](int) { return from; });
    }
    CounterBlocks<G, W> blocks(keys, half(0), half(32), 5);
    const auto place = [](int l) {
      constexpr std::uint64_t places[] = {0xfffffffcu, 0, 0x1fffffffeu, 0x123456789abcdef0u};
      return places[l % 4];
    };
    blocks.move_lanes_to(place);
    expect_blocks(blocks, place);
  }
};
TYPED_TEST_SUITE(CounterBased, TestedCounters, NameOfLibraryGenerator);

template <class G>
class CounterBlock : public testing::Test {};
TYPED_TEST_SUITE(CounterBlock, CounterGenerators, NameOfLibraryGenerator);

TYPED_TEST(CounterBlock, HasItsKnownAnswers) {
  using Word = typename TypeParam::Word;
  for (const auto& line : KnownAnswers<TypeParam>::lines) {
    Word x[TypeParam::words];
    Word key[TypeParam::key_words];
    const Word* next = line;
    for (Word& word : x) word = *next++;
    for (Word& word : key) word = *next++;
    TypeParam::block(key, x);
    for (const Word word : x) EXPECT_EQ(word, *next++);
  }
}

TYPED_TEST(CounterBased, DrawsItsBlocksInAnyLanes) {
  this->template expect_lanes<std::uint32_t>();
  this->template expect_lanes<Word>();
  this->template expect_lanes<detail::Vec<std::uint32_t, 1>>();
  this->template expect_lanes<detail::Vec<std::uint32_t, 4>>();
}

TYPED_TEST(CounterBased, CallsAreItsBlocks) {
  constexpr int n = TestFixture::n;
  using Engine = detail::CounterEngine<TypeParam>;
  static_assert(Engine::min() == 0 && Engine::max() == 0xffffffffu);
  for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{0xffffffff}}) {
    Engine rng(this->seed, this->id(7), block);
    for (int i = 0; i < 5 * n; ++i) {
      EXPECT_EQ(rng(), this->number(this->id(7), block + static_cast<unsigned>(i / n), i % n)) << i;
    }
  }
}

TYPED_TEST(CounterBased, PlacesAreDiscardsAndSums) {
  constexpr std::uint64_t n = TestFixture::n;
  for (std::uint64_t before = 0; before < 2 * n; ++before) {
    for (std::uint64_t some = 0; some < 3 * n; ++some) {
      detail::CounterEngine<TypeParam> rng(1, 2);
      for (std::uint64_t i = 0; i < before; ++i) rng();
      const detail::CounterPlace sum = rng.place().template after<TypeParam>(some);
      rng.discard(some);
      EXPECT_EQ(rng.position(), before + some);
      EXPECT_EQ(rng.place().block, sum.block);
      EXPECT_EQ(rng.place().number, sum.number);
      detail::CounterEngine<TypeParam> there(1, 2, sum);
      for (std::uint64_t i = 0; i < 2 * n; ++i) ASSERT_EQ(rng(), there()) << before << ", " << some;
    }
  }
}

/// Checks discards of any length. Some discards carry into the counter's next word.
TYPED_TEST(CounterBased, DiscardsAnyNumberAtOnce) {
  detail::CounterEngine<TypeParam> rng(this->seed, 2);
  Uint128 place = 0;
  for (const std::uint64_t n : {static_cast<std::uint64_t>(TestFixture::carry) - 10, ~0ul,
                                std::uint64_t{1} << 34, ~0ul - 6}) {
    rng.discard(n);
    place += n;
    for (int i = 0; i < 30; ++i) ASSERT_EQ(rng(), this->number_at(2, place++)) << n << ", " << i;
  }
}

TYPED_TEST(CounterBased, APlaceIsAsManyRoundsOn) {
  constexpr Uint128 round = TestFixture::round;
  constexpr Uint128 carry = TestFixture::carry / round;
  constexpr Uint128 all = (Uint128{1} << detail::log2_stream_numbers<TypeParam>) / round;
  const CounterStreams<TypeParam> streams(CounterPlan<TypeParam>(this->request(40)), {0, 40});
  for (const Uint128 rounds : {Uint128{3}, carry - 1, carry, 5 * carry - 2, all - 3}) {
    this->template expect_streams<Word>(streams.at(rounds), rounds * round);
  }
  this->template expect_streams<Word>(streams.at(3).at(4), 7 * round);
}

TYPED_TEST(CounterBased, StreamsAreRestoredToThePlaceSaved) {
  const CounterPlan<TypeParam> plan(this->request(20));
  const CounterStreams<TypeParam> streams(plan, {0, 20});
  const Uint128 rounds = (Uint128{1} << 61) + 3;
  const std::vector<std::byte> saved = streams.at(rounds).save();
  ASSERT_EQ(saved.size(), 16U);
  Uint128 word = 0;
  std::memcpy(&word, saved.data(), sizeof word);
  EXPECT_EQ(word, rounds * TestFixture::round) << "not of any build's rounds";
  CounterStreams<TypeParam> restored(plan, {7, 9});
  restored.restore(saved);
  this->template expect_streams<Word>(restored, rounds * TestFixture::round);
  EXPECT_EQ(CounterStreams<TypeParam>::state_bytes(), 0U);
}

TYPED_TEST(CounterBased, StreamsRefuseToRestoreWhatIsNoPlace) {
  std::vector<std::byte> saved(16);
  EXPECT_EQ(this->refusal_of(saved), "nothing was thrown");
  saved.resize(15);
  EXPECT_THAT(this->refusal_of(saved), HasSubstr("15 B are not a position"));
  saved.resize(17);
  EXPECT_THAT(this->refusal_of(saved), HasSubstr("17 B"));
  saved.resize(16);
  saved[0] = std::byte{4};
  EXPECT_THAT(this->refusal_of(saved), HasSubstr("not a position")) << "within a round";
  saved[0] = std::byte{0};
  saved[8] = std::byte{1 << (detail::log2_stream_numbers<TypeParam> - 64)};
  EXPECT_THAT(this->refusal_of(saved), HasSubstr("not a position")) << "beyond the last number";
}

TYPED_TEST(CounterBased, SaysWhyStreamsAreDisjoint) {
  StreamRequest request = this->request(std::uint64_t{1} << 40);
  request.numbers_per_stream = 123456789;
  const CounterPlan<TypeParam> plan(request);
  std::string all;
  for (const auto& [name, text] : plan.certificate()) all += name + ": " + text + "\n";
  const std::string log2 = std::to_string(detail::log2_stream_numbers<TypeParam>);
  const std::string bits = std::to_string(detail::counter_bits<TypeParam>);
  EXPECT_THAT(all, HasSubstr("proved: "));
  EXPECT_THAT(all, HasSubstr("maps the 2^" + bits + " counters one to one"));
  EXPECT_THAT(all, HasSubstr("each has 2^" + log2 + " numbers, and draws 123456789 at"));
  EXPECT_TRUE(plan.warnings().empty());
  EXPECT_TRUE(plan.columns({0, 10}).empty());
  ASSERT_EQ(plan.facts().size(), 1U);
  EXPECT_EQ(plan.facts()[0].name, "run_seed");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[0].value), this->seed);
}

TYPED_TEST(CounterBased, HasNoOtherSeeding) {
  StreamRequest request = this->request(10);
  request.seeding = Seeding::published;
  const std::string message = message_of([&] { const CounterPlan<TypeParam> plan(request); });
  EXPECT_THAT(message, HasSubstr(std::string(TypeParam::name) + " has no published seeding"));
  EXPECT_THAT(message, HasSubstr("streams.seeding=native"));
}

/// Compares numbers with random_raw(5) of numpy.random.Philox(key=[seed, 0], counter=[2^64 - 1,
/// 2^64 - 1, stream - 1, 0]) in NumPy 1.24.2. NumPy increments the counter before the first block.
/// Generator.random() takes the upper 53 bits of a number.
TEST(Philox4x64, DrawsWhatNumpyDraws) {
  constexpr std::uint64_t raw[] = {0x9117a30569fe2f2e, 0xb6de5260fc1a5d8b, 0xdc368c0526e144d9,
                                   0xe0c1e8bd712e09a2, 0xc8f280b24fc6da5c};
  detail::CounterEngine<Philox4x64> rng(20261123, 5);
  for (const std::uint64_t number : raw) {
    EXPECT_EQ(rng(), static_cast<std::uint32_t>(number));
    EXPECT_EQ(rng(), static_cast<std::uint32_t>(number >> 32));
  }
  Stream<Philox4x64> words(20261123, 5);
  Stream<Philox4x64> doubles(20261123, 5);
  for (const std::uint64_t number : raw) {
    EXPECT_EQ(StandardUniform<std::uint64_t>()(words), number);
    EXPECT_EQ(Uniform<double>()(doubles), std::ldexp(static_cast<double>(number >> 11), -53));
  }
}

}  // namespace
}  // namespace rivulet

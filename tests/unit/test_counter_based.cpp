// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every counter-based generator of the list must do, and each one's known answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/generators/counter_based.hpp"
#include "library_drawing.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {
namespace {

/// Lines of Random123's file kat_vectors (github.com/DEShawResearch/random123 at commit 9545ff6):
/// the words of a counter, of a key, and of the block.
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

  /// Ids without a pattern, both halves.
  static std::uint64_t id(int lane) {
    return 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(lane + 1);
  }
  /// Number k of a block of a stream, by the function itself: low halves first.
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

  /// Two draws of two blocks of all lanes, which begin at place(lane).
  template <class W, class Place>
  static void expect_blocks(CounterBlocks<G, W>& blocks, const Place& place) {
    for (std::uint64_t before = 0; before < 4; before += 2) {
      blocks.template draw<2>([&](auto k, const W& word) {
        for (int l = 0; l < lanes<W>; ++l) {
          EXPECT_EQ(WordTraits<W>::lane(word, l),
                    number(id(l), place(l) + before + k.value / n, k.value % n))
              << l << ", " << before << ", " << k.value;
        }
      });
    }
  }
  /// At one place, and at places of their own, most of them soon at a carry.
  template <class W>
  static void expect_lanes() {
    const auto half = [](int shift) {
      return WordTraits<W>::generate(
          [shift](int l) { return static_cast<std::uint32_t>(id(l) >> shift); });
    };
    constexpr std::uint64_t carry = 0x1fffffffeu;
    CounterBlocks<G, W> blocks(CounterKeys<G>(seed), half(0), half(32), carry);
    expect_blocks(blocks, [](int) { return carry; });
    const auto place = [](int l) {
      constexpr std::uint64_t places[] = {0xfffffffcu, 0, 0x1fffffffeu, 0x123456789abcdef0u};
      return places[l % 4];
    };
    blocks.move_lanes_to(place);
    expect_blocks(blocks, place);
  }
};
TYPED_TEST_SUITE(CounterBased, CounterGenerators, NameOfLibraryGenerator);

TYPED_TEST(CounterBased, HasItsKnownAnswers) {
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
  this->template expect_lanes<SideBySide<1>>();
  this->template expect_lanes<SideBySide<4>>();
}

TYPED_TEST(CounterBased, CallsAreItsBlocks) {
  constexpr int n = TestFixture::n;
  for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{0xffffffff}}) {
    detail::CounterEngine<TypeParam> rng(this->seed, this->id(7), block);
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

TYPED_TEST(CounterBased, SaysWhyStreamsAreDisjoint) {
  StreamRequest request;
  request.streams = std::uint64_t{1} << 40;
  request.numbers_per_stream = 123456789;
  std::string all;
  for (const auto& [name, text] : CounterPlan<TypeParam>(request).certificate()) {
    all += name + ": " + text + "\n";
  }
  const std::string log2 = std::to_string(detail::log2_stream_numbers<TypeParam>);
  const std::string bits = std::to_string(detail::counter_bits<TypeParam>);
  EXPECT_THAT(all, testing::HasSubstr("maps the 2^" + bits + " counters one to one"));
  EXPECT_THAT(all, testing::HasSubstr("each has 2^" + log2 + " numbers, and draws 123456789 at"));
}

/// What numpy.random.Philox(key=[seed, 0], counter=[2^64 - 1, 2^64 - 1, stream - 1, 0]) of NumPy
/// 1.24.2 gives as random_raw(5): it counts up before the first block. Its Generator.random() is
/// the upper 53 bits of one.
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

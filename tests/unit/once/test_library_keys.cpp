// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks child streams, streams saved as bytes, and streams that are identified by keys with
// fields.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

#include "../library_drawing.hpp"
#include "message_of.hpp"

namespace rivulet {
namespace {

enum class For : std::uint8_t { scattering = 3, decay = 200 };

template <class G>
using Words = std::vector<typename G::Word>;

/// Returns the words of a block, computed with G::block() alone.
template <class G>
std::vector<std::uint32_t> block_of(const Words<G>& key, const Words<G>& counter) {
  typename G::Word k[G::key_words] = {};
  typename G::Word x[G::words] = {};
  std::copy(key.begin(), key.end(), k);
  std::copy(counter.begin(), counter.end(), x);
  G::block(k, x);
  std::vector<std::uint32_t> numbers(sizeof x / 4);
  std::memcpy(numbers.data(), x, sizeof x);
  return numbers;
}
template <class Rng>
std::vector<std::uint32_t> drawn(Rng rng, std::size_t count = 8) {
  std::vector<std::uint32_t> numbers(count);
  for (auto& number : numbers) number = rng();
  return numbers;
}
std::vector<std::uint32_t> joined(std::vector<std::uint32_t> a,
                                  const std::vector<std::uint32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <class G>
class LibraryKeys : public testing::Test {};
TYPED_TEST_SUITE(LibraryKeys, CounterTypes::Types, NameOfLibraryGenerator);

// C++26 [rand.predef] states the 10000th number of a default-constructed philox4x32 and philox4x64,
// whose seed is 20111115. Rivulet draws a 64-bit number as two numbers, the lower half first.
TEST(LibraryKnownAnswers, AreThoseOfTheStandardLibrary) {
  Stream<Philox4x32> narrow(20111115, 0);
  narrow.discard(9999);
  EXPECT_EQ(narrow(), 1955073260u);
  Stream<Philox4x64> wide(20111115, 0);
  wide.discard(2 * 9999);
  const std::uint64_t low = wide();
  EXPECT_EQ(low | std::uint64_t{wide()} << 32, 3409172418970261260u);
}

// Fields fill the counter from its highest bit down; block numbers fill it from the lowest bit up.
// The generator's key combines the seed with a code of the fields' widths.
struct Odd {
  KeyField<12> a;
  KeyField<41> b;
  KeyField<43> c;
};
TEST(LibraryKeys32, FieldsAreBitsOfTheCounter) {
  constexpr std::uint64_t tag = detail::layout_tag<12, 41, 43>();
  constexpr std::uint64_t key = std::uint64_t{77} ^ tag;
  const Words<Philox4x32> keys{static_cast<std::uint32_t>(key),
                               static_cast<std::uint32_t>(key >> 32)};
  const Stream<Philox4x32> rng(77, Odd{0xabc, 0x1fedcba9876, 0x7123456789a});
  // The fields abc | 1 1111 1110 1101 ... form a number of 96 bits above the 32 bits of the block
  // number.
  const Uint128 all = (Uint128{0xabc} << 84 | Uint128{0x1fedcba9876} << 43 | 0x7123456789a) << 32;
  const auto word = [&](int k) { return static_cast<std::uint32_t>(all >> 32 * k); };
  EXPECT_EQ(drawn(rng), joined(block_of<Philox4x32>(keys, {0, word(1), word(2), word(3)}),
                               block_of<Philox4x32>(keys, {1, word(1), word(2), word(3)})));
  EXPECT_EQ(rng.start().last_block, 0xffffffffu);
}
struct Long {
  KeyField<64> a;
  KeyField<64> b;
  KeyField<60> c;
};
TEST(LibraryKeys64, FieldsAreBitsOfTheCounter) {
  constexpr std::uint64_t tag = detail::layout_tag<64, 64, 60>();
  const Stream<Philox4x64> rng(77, Long{11, 12, 13});
  EXPECT_EQ(drawn(rng), block_of<Philox4x64>({77, tag}, {0, 13 << 4, 12, 11}));
  const Stream<Threefry4x64> other(77, Long{11, 12, 13});
  EXPECT_EQ(drawn(other), block_of<Threefry4x64>({77, tag}, {0, 13 << 4, 12, 11}));
  EXPECT_EQ(other.start().last_block, ~std::uint64_t{0});
}

TEST(LibraryKeys32, EnumerationsAndIntegersAreFields) {
  struct Key {
    KeyField<8> what;
    KeyField<3> which;
  };
  const int which = 5;
  EXPECT_EQ(drawn(Stream<Philox4x32>(1, Key{.what = For::decay, .which = which})),
            drawn(Stream<Philox4x32>(1, Key{200, 5})));
  EXPECT_EQ(drawn(Stream<Philox4x32>(1, {.purpose = 2, .step = 9})),
            drawn(Stream<Philox4x32>(1, StreamKey{2, 9, 0, 0})));
}

/// Returns the part of a start in which any two streams must differ.
template <class G>
auto identity(const detail::CounterStart<G>& start) {
  std::vector<typename G::Word> all(std::begin(start.key.words), std::end(start.key.words));
  all.insert(all.end(), std::begin(start.counter), std::end(start.counter));
  return all;
}

TEST(LibraryKeys32, NoTwoKeysAreOneStream) {
  struct Key {
    KeyField<3> a;
    KeyField<64> b;
    KeyField<1> c;
    KeyField<4> d;
  };
  std::vector<std::vector<std::uint32_t>> all;
  for (std::uint64_t a = 0; a < 8; ++a) {
    for (std::uint64_t b : {0, 1, 2, 1 << 30, -1}) {
      for (std::uint64_t c = 0; c < 2; ++c) {
        for (std::uint64_t d = 0; d < 16; ++d) {
          const auto start = detail::keyed_start<Philox4x32>(1, Key{a, b, c, d});
          all.push_back(identity(start));
          // The lowest 56 bits hold only the block number.
          EXPECT_EQ(start.last_block, (std::uint64_t{1} << 56) - 1);
          EXPECT_EQ(start.counter[0], 0u);
          EXPECT_EQ(start.counter[1] & 0xffffffu, 0u);
        }
      }
    }
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_EQ(all.size(), 8u * 5 * 2 * 16);
}

template <int a, int b>
struct Two {
  static constexpr int log2_numbers = 2;
  KeyField<a> first;
  KeyField<b> second;
};
TEST(LibraryKeys32, OtherWidthsAreOtherStreams) {
  const auto key_of = [](const auto& key) {
    return std::vector(identity(detail::keyed_start<Philox4x32>(1, key)));
  };
  EXPECT_NE(key_of(Two<8, 40>{0, 0}), key_of(Two<40, 8>{0, 0}));
  EXPECT_NE(key_of(Two<8, 40>{0, 0}), identity(detail::CounterStart<Philox4x32>(1, 0)));
  EXPECT_NE(key_of(Two<8, 40>{0, 0}), key_of(StreamKey{}));
}

// Expects that a stream begins again after its last number, because the next counter belongs to
// another stream.
template <class G>
void expect_to_begin_again() {
  using Key = Two<64, 59>;  // 32 blocks
  constexpr std::uint64_t length = 128;
  const Stream<G> first(1, Key{5, 100});
  const auto twice = drawn(first, 2 * length);
  const std::vector once(twice.begin(), twice.begin() + length);
  EXPECT_EQ(twice, joined(once, once));
  for (const std::uint64_t skipped :
       {length - 1, length, length + 3, 9 * length + 70, std::uint64_t{1} << 63}) {
    Stream<G> rng = first;
    rng();
    rng.discard(skipped - 1);
    EXPECT_EQ(rng.position() % length, skipped % length);
    EXPECT_EQ(Stream<G>::from_bytes(rng.to_bytes()).position(), rng.position());
    const auto at = twice.begin() + static_cast<std::ptrdiff_t>(skipped % length);
    EXPECT_EQ(drawn(rng, length), std::vector(at, at + length)) << skipped;
  }
  EXPECT_EQ(drawn(Stream<G>(1, Two<64, 64>{5, 100}), 12),
            joined(drawn(Stream<G>(1, Two<64, 64>{5, 100})),
                   drawn(Stream<G>(1, Two<64, 64>{5, 100}), 4)));
}
TEST(LibraryKeys32, ShortStreamsBeginAgain) {
  expect_to_begin_again<Philox4x32>();
  expect_to_begin_again<Philox4x32x7>();
}
TYPED_TEST(LibraryKeys, NumberedStreamsBeginAgain) {
  constexpr std::uint32_t n = detail::CounterEngine<TypeParam>::numbers;
  const detail::CounterEngine<TypeParam> last(1, 2, ~std::uint64_t{0});
  const auto numbers = drawn(last, 3 * n);
  EXPECT_EQ(std::vector(numbers.begin() + n, numbers.end()), drawn(Stream<TypeParam>(1, 2), 2 * n));
}

TYPED_TEST(LibraryKeys, ChildrenDependOnTheParentAndTheirNumberAlone) {
  Stream<TypeParam> parent(42, 7);
  const auto before = drawn(parent.child(3));
  parent.discard(1001);
  EXPECT_EQ(drawn(parent.child(3)), before);
  EXPECT_NE(drawn(parent.child(4)), before);
  EXPECT_NE(drawn(Stream<TypeParam>(42, 8).child(3)), before);
  EXPECT_NE(drawn(Stream<TypeParam>(43, 7).child(3)), before);
  EXPECT_NE(drawn(Stream<TypeParam>(42, StreamKey{.particle = 7}).child(3)), before);
  EXPECT_EQ(drawn(parent.child(3).child(9)), drawn(parent.child(3).child(9)));
  EXPECT_NE(drawn(parent.child(3).child(9)), drawn(parent.child(9).child(3)));
  const Streams<TypeParam> streams({.count = 10, .seed = 42, .first = 5});
  EXPECT_EQ(drawn(streams.child(2, 3)), before);
}

// Checks that a child's key and counter are a block of the generator, computed under another key
// from the child's number and the parent's id. The expected block comes from the generator's
// function alone.
TEST(LibraryKeys32, ChildrenAreBlocks) {
  constexpr std::uint64_t tag = 0x6368696c6472656eu;  // "children"
  const std::uint64_t key = 42 ^ tag;
  const auto block = block_of<Philox4x32>(
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}, {5, 1, 7, 0});
  const auto child = Stream<Philox4x32>(42, 7).child(std::uint64_t{1} << 32 | 5);
  EXPECT_EQ(identity(child.start()),
            (Words<Philox4x32>{block[0], block[1], 0, 0, block[2], block[3]}));
}
TEST(LibraryKeys64, ChildrenHaveKeysThatNoSeedHas) {
  for (std::uint64_t n = 0; n < 100; ++n) {
    EXPECT_EQ(Stream<Philox4x64>(42, 7).child(n).start().key.words[1] % 2, 1u);
    EXPECT_EQ(Stream<Threefry4x64>(42, 7).child(n).child(n).start().key.words[1] % 2, 1u);
  }
  EXPECT_EQ((detail::layout_tag<8, 40, 40, 8>() % 2), 0u);
}

/// Checks keys that are wider than half a counter. Such keys also occupy the bits into which
/// child() puts a child's number.
TEST(LibraryKeys32, EveryBitOfAKeyMakesOtherChildren) {
  std::vector<std::vector<std::uint32_t>> all;
  for (int bit = 0; bit < 128; ++bit) {
    const std::uint64_t low = bit < 64 ? std::uint64_t{1} << bit : 0;
    const std::uint64_t high = bit < 64 ? 0 : std::uint64_t{1} << (bit - 64);
    all.push_back(identity(Stream<Philox4x32>(1, Two<64, 64>{high, low}).child(0).start()));
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

// Checks that no two of T = 2^20 descendants, in 40 generations of 26215, are the same stream. The
// test also counts equal pairs in the lowest 36 bits of key and counter together. Random bits have
// T^2 / 2^37 = 8 equal pairs on average, and at most 30 with probability 1 - 1e-9. If all 128 bits
// are as random, the probability of an equal pair is T^2 / 2^129, which is 2^-65 for T = 2^32.
TEST(LibraryKeys32, DescendantsDoNotMeet) {
  constexpr std::size_t lines = (1 << 20) / 40 + 1;
  std::vector<Stream<Philox4x32>> all;
  for (std::size_t i = 0; i < 40 * lines; ++i) {
    all.push_back(i < lines ? Stream<Philox4x32>(1, 0).child(i) : all[i - lines].child(i % 3));
  }
  std::vector<std::uint64_t> low;
  std::vector<std::tuple<std::uint64_t, std::uint64_t>> whole;
  for (const auto& stream : all) {
    const auto& start = stream.start();
    const std::uint64_t key = start.key.words[0] | std::uint64_t{start.key.words[1]} << 32;
    const std::uint64_t id = start.counter[2] | std::uint64_t{start.counter[3]} << 32;
    whole.emplace_back(key, id);
    low.push_back((key & 0x3ffff) << 18 | (id & 0x3ffff));
  }
  std::ranges::sort(whole);
  EXPECT_EQ(std::ranges::adjacent_find(whole), whole.end());
  std::ranges::sort(low);
  std::size_t equal = 0;
  for (std::size_t i = 1; i < low.size(); ++i) equal += low[i] == low[i - 1];
  EXPECT_GT(equal, 0u);
  EXPECT_LE(equal, 30u);
}

TYPED_TEST(LibraryKeys, BytesAreTheStreamAndItsPlace) {
  static_assert(std::is_trivially_copyable_v<Stream<TypeParam>>);
  for (const std::uint64_t skipped : {0, 1, 5, 1000}) {
    for (auto rng : {Stream<TypeParam>(42, 7), Stream<TypeParam>(42, StreamKey{1, 2, 3, 4}),
                     Stream<TypeParam>(42, 7).child(3)}) {
      rng.discard(skipped);
      const auto bytes = rng.to_bytes();
      auto again = Stream<TypeParam>::from_bytes(bytes);
      EXPECT_EQ(again.position(), skipped);
      EXPECT_EQ(again.to_bytes(), bytes);
      EXPECT_EQ(drawn(again.child(1)), drawn(rng.child(1)));
      EXPECT_EQ(drawn(again, 50), drawn(rng, 50));
    }
  }
}

// Checks the layout that stream.hpp describes.
TEST(LibraryBytes, StayWhatTheyAre) {
  Stream<Philox4x32> rng(0x0102030405060708, 0x1112131415161718);
  rng.discard(4 * std::uint64_t{0x21222324} + 3);
  const auto bytes = rng.to_bytes();
  ASSERT_EQ(bytes.size(), 80u);
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t k = 8; k-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + k]);
    return value;
  };
  EXPECT_EQ(std::memcmp(bytes.data(), "RVLT-ONE", 8), 0);
  EXPECT_EQ(word(8), 1u);
  EXPECT_EQ(word(16), 0x99b3a5b716e63d0du);  // checksum of "philox4x32"
  EXPECT_EQ(word(24), 0x0102030405060708u);
  EXPECT_EQ(word(32), 0u);
  EXPECT_EQ(word(40), 0x1112131415161718u);
  EXPECT_EQ(word(48), ~std::uint64_t{0});
  EXPECT_EQ(word(56), 0x21222324u);
  EXPECT_EQ(word(64), 3u);
  EXPECT_EQ(word(72), 0xa8adbbf054b10ca5u);
}

TEST(LibraryBytes, OthersAreRefused) {
  using S = Stream<Philox4x32>;
  const auto good = S(1, 2).to_bytes();
  const auto refused = [](std::span<const std::byte> bytes, const std::string& why) {
    const std::string message = message_of([&] { S::from_bytes(bytes); });
    EXPECT_NE(message.find("the bytes are not a stream of philox4x32"), std::string::npos)
        << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  refused({}, "do not begin as a saved stream does");
  refused(std::span(good).first(40), "cut short or altered");
  refused(Stream<Philox4x64>(1, 2).to_bytes(), "of another generator");
  for (std::size_t at = 0; at < good.size(); ++at) {
    auto bad = good;
    bad[at] ^= std::byte{4};
    refused(bad, at < 8    ? "do not begin"
                 : at < 16 ? "another format version"
                 : at < 24 ? "of another generator"
                           : "cut short or altered");
  }
}

/// Checks that bytes with a replaced word and a corrected checksum are refused.
TEST(LibraryBytes, ForgedOnesAreRefused) {
  const auto forged = [](const auto& rng, std::size_t at, std::uint64_t word) {
    auto bytes = rng.to_bytes();
    std::memcpy(bytes.data() + at, &word, sizeof word);
    const std::uint64_t sum = detail::checksum_of(std::span(bytes).first(bytes.size() - 8));
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, sizeof sum);
    return message_of([&] { std::decay_t<decltype(rng)>::from_bytes(bytes); });
  };
  const Stream<Philox4x32> narrow(1, 2);
  const Stream<Philox4x32> keyed(1, StreamKey{1, 2, 3, 5});
  const Stream<Threefry4x64> wide(1, 2);
  const std::string why = "their position or length is invalid";
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const std::string taken = "nothing was thrown";
  EXPECT_EQ(forged(narrow, 64, 3), taken);
  for (const std::uint64_t number : {std::uint64_t{4}, all}) {
    EXPECT_NE(forged(narrow, 64, number).find(why), std::string::npos) << "of a block";
  }
  EXPECT_EQ(forged(wide, 104, 7), taken);
  EXPECT_NE(forged(wide, 104, 8).find(why), std::string::npos);
  EXPECT_EQ(forged(keyed, 56, 0xffffffff), taken);
  EXPECT_NE(forged(keyed, 56, 0x100000000).find(why), std::string::npos) << "the block";
  for (const std::uint64_t last : {std::uint64_t{0xfffffffe}, std::uint64_t{0x1ffffffff}, all}) {
    EXPECT_NE(forged(keyed, 48, last).find(why), std::string::npos) << "the last block";
  }
  EXPECT_NE(forged(narrow, 32, 1).find(why), std::string::npos) << "the counter of block 0";
}

}  // namespace
}  // namespace rivulet

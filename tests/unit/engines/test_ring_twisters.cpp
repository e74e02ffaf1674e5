// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests what all twisters with ring buffers have in common. test_mt19937.cpp and test_mtgp.cpp test
// the numbers.

#include <gtest/gtest.h>

#include <vector>

#include "listed_generators.hpp"
#include "ring_streams.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

template <class G>
struct RingTwisters : testing::Test {
  using Streams = RingStreams<G>;
  /// Mask of the oldest word's bits that the recurrence ignores.
  static constexpr std::uint32_t unused =
      std::is_same_v<G, Mt19937Generator> ? 0x7fffffff : 0x0007ffff;

  static std::vector<StreamMapping> mappings() { return generator_of<G>().mappings; }

  /// Draws pieces of the given lengths in turn and compares them with numbers from single steps.
  /// The mappings alternate, or are all `first`.
  template <class Out>
  static void expect_pieces(std::uint64_t streams, const std::vector<std::uint64_t>& counts,
                            bool alternate, StreamMapping first, std::uint64_t offset) {
    using Format = NumberFormat<32, Out, Interval::closed_open>;
    const Streams some(native_ring(streams));
    std::vector<Numbers> raw;
    for (std::uint64_t s = 0; s < streams; ++s) raw.push_back(next_numbers(some.stepped(s), 12000));
    const auto choices = mappings();
    std::uint64_t begin = 0;
    for (std::size_t i = 0; (begin + counts[i % counts.size()]) * Format::raw <= 12000; ++i) {
      const StreamMapping mapping = alternate ? choices[i % choices.size()] : first;
      const std::uint64_t count = counts[i % counts.size()];
      const auto rows = draw<Out>(some.streams, mapping, begin, count, offset);
      for (std::uint64_t s = 0; s < streams; ++s) {
        for (std::uint64_t j = 0; j < count; ++j) {
          ASSERT_EQ(rows[s][j], Format::make(raw[s].data() + (begin + j) * Format::raw, 1))
              << "number " << begin + j << " of stream " << s << " of " << streams;
        }
      }
      begin += count;
    }
  }
};

using Rings = testing::Types<Mt19937Generator, MtgpGenerator>;
TYPED_TEST_SUITE(RingTwisters, Rings, NameOfGenerator);

TYPED_TEST(RingTwisters, AJumpIsStepping) {
  for (const std::uint64_t steps :
       {0u, 1u, 31u, 223u, 255u, 351u, 623u, 624u, 11212u, 11213u, 19936u, 19937u, 100003u}) {
    const RingStreams<TypeParam> few(native_ring(3));
    std::vector<Numbers> expected;
    for (std::uint64_t s = 0; s < 3; ++s) {
      auto one = few.stepped(s);
      next_numbers(one, steps);
      expected.push_back(one.state());
    }
    few.jump(steps);
    EXPECT_EQ(few.states(), expected) << steps;
  }
}

TYPED_TEST(RingTwisters, IgnoresInsignificantBits) {
  const RingStreams<TypeParam> clean(published_ring(5489, 4));
  const RingStreams<TypeParam> dirty(published_ring(5489, 4));
  for (const Numbers& state : clean.states()) {
    EXPECT_EQ(state[0] & this->unused, 0U);  // though init_genrand sets them
  }
  auto saved = dirty.streams.save();
  for (std::size_t stream = 0; stream < 4; ++stream) {  // word 0 of all streams comes first
    saved[stream * sizeof(std::uint32_t)] |= std::byte{0x78};
    saved[stream * sizeof(std::uint32_t) + 1] |= std::byte{0x56};
  }
  dirty.streams.restore(saved);
  EXPECT_NE(dirty.states(), clean.states());
  clean.jump(1000003);
  dirty.jump(1000003);
  EXPECT_EQ(dirty.states(), clean.states());
  for (const StreamMapping mapping : this->mappings()) {
    draw<std::uint32_t>(clean.streams, mapping, 0, 320);
    EXPECT_EQ(clean.state(0)[0] & this->unused, 0U);
  }
}

TYPED_TEST(RingTwisters, PiecesOfAnyLengthAreTheSequence) {
  const std::vector<std::vector<std::uint64_t>> patterns{{700},
                                                         {32},
                                                         {31, 97},
                                                         {224, 1, 623, 225},
                                                         {256, 1, 623, 257},
                                                         {1, 7, 96, 97, 98, 1000},
                                                         {2368, 2016, 5}};
  std::uint64_t offset = 0;  // numbers after a cache line's start, to vary where warps begin
  for (const auto& counts : patterns) {
    for (const StreamMapping mapping : this->mappings()) {
      this->template expect_pieces<std::uint32_t>(2, counts, false, mapping, offset);
      this->template expect_pieces<double>(1, counts, false, mapping, offset);
      offset = (offset + 7) % 32;
    }
    this->template expect_pieces<std::uint32_t>(tile_streams + 1, counts, true, StreamMapping::team,
                                                offset);
    this->template expect_pieces<std::uint64_t>(3, counts, true, StreamMapping::team, offset);
  }
}

/// A warp that begins before its stream's position steps backwards. The test covers every set,
/// because the places that a step reads depend on the set.
TYPED_TEST(RingTwisters, TheSequenceCanBeFollowedBackwards) {
  if (device_build) GTEST_SKIP() << "streams in the memory of a host";
  const RingStreams<TypeParam> all(native_ring(200));
  constexpr std::size_t n = TypeParam::Streams::words;
  constexpr std::size_t forward_steps = 200;
  for (std::uint64_t s = 0; s < 200; ++s) {
    const auto recurrence = all.streams.recurrence(s);
    Numbers words = all.state(s);
    for (std::size_t k = 0; k < forward_steps; ++k) {
      words.push_back(
          recurrence.next([&](int j) { return words[k + static_cast<std::size_t>(j)]; }));
    }
    for (const std::size_t back : {1U, 2U, 31U, 62U, 64U}) {
      const auto from = words.begin() + (forward_steps - back);
      Numbers expected(from, words.end());
      expected[0] &= ~this->unused;
      Numbers x = expected;
      for (std::size_t k = 0; k < back; ++k) x[k] = 0xdeadbeefU;
      x[back] &= ~this->unused;
      detail::step_back(recurrence, detail::ContiguousWords{x.data() + back},
                        static_cast<int>(back));
      ASSERT_EQ(x, expected) << "stream " << s << ", " << back;
    }
    ASSERT_EQ(words.size(), n + forward_steps);
  }
}

template <class G>
using WarpRing =
    std::conditional_t<std::is_same_v<G, Mt19937Generator>, detail::Mt19937Ring, detail::MtgpRing>;

TYPED_TEST(RingTwisters, WarpsDrawFromBeforeTheirStreamsAndSaveThem) {
  if (device_build) GTEST_SKIP() << "lanes of a host";
  using Engine = detail::RingWarp<WarpRing<TypeParam>>;
  constexpr int own = Engine::numbers_per_lane;
  constexpr int draws = 9;
  const RingStreams<TypeParam> all(native_ring(3));
  for (const int back : {0, 1, 33, 63}) {
    for (const int ago : {0, 1, 32 * own - 1}) {
      auto expected = all.stepped(2);
      const RingStreams<TypeParam> saved(native_ring(3));
      Numbers drawn(32 * own * draws);
      std::vector<std::uint64_t> scratch(Engine::scratch_bytes / 8 + 1);
      Warp<std::uint32_t>().run([&](const auto& lane) {
        Engine engine(lane, all.streams, 2, scratch.data(), back);
        for (std::size_t d = 0; d < draws; ++d) {
          std::uint32_t numbers[own];
          engine.next(lane, numbers);
          for (std::size_t i = 0; i < own; ++i) {
            drawn[(d * own + i) * 32 + static_cast<std::size_t>(lane.index)] = numbers[i];
          }
        }
        engine.store(lane, ago, saved.streams, 2);
      });
      const Numbers kept =
          next_numbers(expected, drawn.size() - static_cast<std::size_t>(back + ago));
      EXPECT_EQ(saved.state(2), expected.state()) << back << ", " << ago;
      EXPECT_EQ(Numbers(drawn.begin() + back, drawn.end() - ago), kept) << back << ", " << ago;
    }
  }
}

}  // namespace
}  // namespace rivulet

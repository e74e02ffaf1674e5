// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/register_warp.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "test_data.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

template <int P>
Dcmt<P> engine_of(const DcmtSet& set, std::uint32_t seed) {
  typename Dcmt<P>::State state;
  init_genrand(state.x, state.words, seed);
  return {{set.a, set.b, set.c}, state};
}

/// Draws from every set and seed of a reference file. Compares the first eight words, the
/// millionth, and the XOR and the sum of a million.
template <int P>
void expect_reference_words(const std::string& file) {
  const YAML::Node reference = test_data(file);
  std::size_t runs = 0;
  for (const auto& set : reference["sets"]) {
    const DcmtSet parameters{set["index"].as<std::uint32_t>(), set["aaa"].as<std::uint32_t>(),
                             set["maskB"].as<std::uint32_t>(), set["maskC"].as<std::uint32_t>()};
    for (const auto& run : set["runs"]) {
      auto engine = engine_of<P>(parameters, run["seed"].template as<std::uint32_t>());
      std::uint32_t exclusive = 0;
      std::uint64_t sum = 0;
      std::uint32_t word = 0;
      for (std::size_t i = 0; i < 1000000; ++i) {
        word = engine();
        if (i < 8) {
          ASSERT_EQ(word, run["first8"][i].template as<std::uint32_t>());
        }
        exclusive ^= word;
        sum += word;
      }
      EXPECT_EQ(word, run["at1e6"].template as<std::uint32_t>());
      EXPECT_EQ(exclusive, run["xor1e6"].template as<std::uint32_t>());
      EXPECT_EQ(sum, run["sum1e6"].template as<std::uint64_t>());
      ++runs;
    }
  }
  EXPECT_GE(runs, 16U);
}

TEST(Dcmt, GoldenWordsOfThePublishedSets) {
  expect_reference_words<521>("dc_p521_opencl_book_32sets.json");
}

TEST(Dcmt, GoldenWordsOfExponent607) { expect_reference_words<607>("dc_p607_8sets.json"); }

TEST(Dcmt, PublishedSetsAreTheReference) {
  const YAML::Node reference = test_data("dc_p521_opencl_book_32sets.json");
  const auto& sets = published_dcmt521().sets;
  ASSERT_EQ(sets.size(), reference["sets"].size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].a, reference["sets"][i]["aaa"].as<std::uint32_t>());
    EXPECT_EQ(sets[i].b, reference["sets"][i]["maskB"].as<std::uint32_t>());
    EXPECT_EQ(sets[i].c, reference["sets"][i]["maskC"].as<std::uint32_t>());
  }
}

template <class T>
class DcmtShapes : public testing::Test {};
using Shapes = testing::Types<std::integral_constant<int, 521>, std::integral_constant<int, 607>,
                              std::integral_constant<int, 1279>, std::integral_constant<int, 2203>>;
TYPED_TEST_SUITE(DcmtShapes, Shapes);

TYPED_TEST(DcmtShapes, DiscardIsAsManyCalls) {
  constexpr int P = TypeParam::value;
  for (const std::uint64_t n : {0U, 1U, 7U, 17U, 40U, 69U, 1000U, 12345U}) {
    auto skipped = engine_of<P>(published_dcmt521().sets[3], 77);
    auto stepped = skipped;
    skipped.discard(n);
    for (std::uint64_t i = 0; i < n; ++i) stepped();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(skipped(), stepped()) << "after " << n;
  }
}

template <class Exponent>
class DcmtWarps : public testing::Test {
 public:
  static constexpr int exponent = Exponent::value;
  using Team = detail::RegisterWarp<detail::DcmtRecurrence<exponent>>;
  static constexpr int n = Team::n;
  static constexpr int streams = 32 / Team::members;
  static constexpr int steps = 4 * Team::steps_around + 3;
  static constexpr int drawn_in_all = Team::members * steps;

  /// Arbitrary parameters whose twist coefficient has its highest bit set. The twister need not
  /// have full period.
  static DcmtParameters<std::uint32_t> set_of(int stream) {
    const auto id = static_cast<std::uint32_t>(stream);
    return {0x80000000u | 0x5bd1e995u * (id + 1), 0x9e3779b9u * (id + 3), 0x85ebca6bu * (id + 5)};
  }
  /// Returns twister `stream` after `drawn` numbers. If `drawn` is 0, the insignificant bits of its
  /// first word are not those that the recurrence would compute.
  static Dcmt<exponent> twister(int stream, std::uint64_t drawn) {
    typename Dcmt<exponent>::State state;
    init_genrand(state.x, state.words, static_cast<std::uint32_t>(stream + 1));
    Dcmt<exponent> one(set_of(stream), state);
    one.discard(drawn);
    return one;
  }

  /// The interface through which a warp's lanes load and store their streams.
  struct Streams {
    std::array<DcmtState<exponent, std::uint32_t>, streams>& states;

    detail::DcmtRecurrence<exponent> recurrence(std::uint64_t stream) const {
      return {set_of(static_cast<int>(stream))};
    }
    std::uint32_t& word(int k, std::uint64_t stream) const { return states[stream].x[k]; }
    void put_word(int k, std::uint64_t stream, std::uint32_t value) const {
      word(k, stream) = value & significant(k);
    }
  };
  /// The significant bits of word k.
  static constexpr std::uint32_t significant(int k) {
    return k == 0 ? detail::DcmtRecurrence<exponent>::shape.upper_mask : ~0U;
  }

  /// Checks a warp that loads the states after `position` numbers, begins to draw `back` numbers
  /// earlier, and stores the states of `ago` numbers before the end.
  static void expect_the_sequence(std::uint64_t position, int back, int ago) {
    std::array<std::vector<std::uint32_t>, streams> drawn;
    for (auto& one : drawn) one.resize(drawn_in_all);
    std::array<DcmtState<exponent, std::uint32_t>, streams> states;
    for (int stream = 0; stream < streams; ++stream) {
      states[static_cast<std::size_t>(stream)] = twister(stream, position).state();
    }
    auto saved = states;
    std::array<std::uint32_t, Team::scratch_bytes / sizeof(std::uint32_t)> scratch = {};
    Warp<std::uint32_t>().run([&](const auto& lane) {
      const int own = lane.index % Team::members;
      const auto s = static_cast<std::size_t>(lane.index / Team::members);
      Team team(lane, Streams{states}, s, scratch.data(), back);
      for (int step = 0; step < steps; ++step) {
        team.next(lane, &drawn[s][static_cast<std::size_t>(Team::members * step + own)]);
      }
      team.store(lane, ago, Streams{saved}, s);
    });
    const auto before = static_cast<std::size_t>(back);
    for (int stream = 0; stream < streams; ++stream) {
      const auto s = static_cast<std::size_t>(stream);
      auto one = twister(stream, position);
      for (std::size_t i = before; i < drawn[s].size(); ++i) {
        ASSERT_EQ(drawn[s][i], one()) << position << ", " << back << ", " << stream;
      }
      const auto end = position + drawn[s].size() - before - static_cast<std::uint64_t>(ago);
      const auto state = twister(stream, end).state();
      for (int k = 0; k < n; ++k) {
        ASSERT_EQ(saved[s].x[k], state.x[(state.next + k) % n] & significant(k))
            << position << ", " << back << ", " << ago << ", " << k;
      }
    }
  }
};
TYPED_TEST_SUITE(DcmtWarps, Shapes);

TYPED_TEST(DcmtWarps, DrawAllTheirStreamsFromBeforeTheirStatesAndSaveThem) {
  constexpr int members = TestFixture::Team::members;
  for (const auto& [back, ago] : {std::pair{0, 0}, std::pair{1, members - 1}, std::pair{members, 1},
                                  std::pair{TestFixture::Team::max_back + 0, members - 1}}) {
    TestFixture::expect_the_sequence(0, back, ago);
    TestFixture::expect_the_sequence(2 * TestFixture::n, back, ago);
  }
}

}  // namespace
}  // namespace rivulet

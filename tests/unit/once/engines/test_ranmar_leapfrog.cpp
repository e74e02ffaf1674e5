// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "generators/ranmar.hpp"
#include "generators/ranmar_team.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

/// Streams in memory: 97 words and a term each.
template <class V>
struct RanmarMemory {
  using Integer = typename V::Integer;
  using Words = std::array<Integer, ranmar_words + 1>;
  Words* all;

  Integer& word(int k, std::uint64_t stream) const {
    return all[stream][static_cast<std::size_t>(k)];
  }
  void put_word(int k, std::uint64_t stream, Integer value) const { word(k, stream) = value; }

  static Words words_of(const RanmarState<V>& state) {
    Words words;
    for (std::size_t k = 0; k < ranmar_words; ++k) {
      words[k] = state.x[(static_cast<std::size_t>(state.next) + k) % ranmar_words];
    }
    words.back() = state.c;
    return words;
  }
};

template <class V>
class RanmarTeams : public testing::Test {
 protected:
  using Integer = typename V::Integer;

  /// Draws by a team in batches of all lengths, and compares.
  template <class Team>
  static void expect_the_sequence() {
    Ranmar<V> sequential(native_start<V>(14, 15));
    for (int i = 0; i < ranmar_words; ++i) sequential();
    using Memory = RanmarMemory<V>;
    typename Memory::Words words = Memory::words_of(sequential.state());
    constexpr int lanes = 0;  // of no matter to vectors
    std::vector<std::uint64_t> scratch((Team::scratch_bytes + 7) / 8);
    Team team(lanes, Memory{&words}, 0, scratch.data());
    for (int i = 0; i < 3 * Team::team_numbers; ++i) {
      const int numbers = i % 7 == 0 ? Team::team_numbers : 1 + i % Team::team_numbers;
      // A number more, to see that it stays.
      std::vector<Integer> drawn(static_cast<std::size_t>(numbers) + 1, 77);
      team.draw(lanes, drawn.data(), numbers);
      for (int k = 0; k < numbers; ++k) {
        ASSERT_EQ(drawn[static_cast<std::size_t>(k)], sequential()) << numbers << ", " << k;
      }
      ASSERT_EQ(drawn.back(), 77U) << numbers;
      team.store(lanes, Memory{&words}, 0);
      ASSERT_EQ(words.back(), sequential.state().c);
    }
    const auto expected = Memory::words_of(sequential.state());
    for (std::size_t k = 0; k < ranmar_words; ++k) {
      ASSERT_EQ(words[k] & ranmar_mask<V>, expected[k] & ranmar_mask<V>);
    }
  }
};
using Variants = testing::Types<Ranmar24, Ranmar48x>;
TYPED_TEST_SUITE(RanmarTeams, Variants);

TYPED_TEST(RanmarTeams, OfAWarpsRegistersDrawTwoSequencesAndSaveTheirStates) {
  using Integer = typename TypeParam::Integer;
  using Team = RanmarWarpTeam<TypeParam>;
  constexpr int steps = 7;
  constexpr std::size_t drawn_in_all = Team::step * steps;
  for (const int back : {0, 1, 31, 32, 64}) {
    for (const int ago : {0, 1, 2, 31}) {
      using Memory = RanmarMemory<TypeParam>;
      std::array<RanmarState<TypeParam>, 2> starts;
      std::array<typename Memory::Words, 2> words;
      for (std::size_t s = 0; s < 2; ++s) {
        Ranmar<TypeParam> one(native_start<TypeParam>(16 + s, 17));
        one.discard((s + 1) * ranmar_words);
        starts[s] = one.state();
        words[s] = Memory::words_of(starts[s]);
      }
      std::array<std::vector<Integer>, 2> drawn;
      for (auto& one : drawn) one.resize(drawn_in_all);
      std::array<typename Memory::Words, 2> saved = {};
      Warp<Integer>().run([&](const auto& lane) {
        const auto s = static_cast<std::size_t>(lane.own / Team::members);
        Team team(lane, Memory{words.data()}, s, nullptr, back);
        for (int step = 0; step < steps; ++step) {
          team.next(lane, &drawn[s][static_cast<std::size_t>(
                              Team::step * step + Team::run * (lane.own % Team::members))]);
        }
        team.store(lane, ago, Memory{saved.data()}, s);
      });
      for (std::size_t s = 0; s < 2; ++s) {
        const auto numbers = static_cast<std::size_t>(back);
        Ranmar<TypeParam> sequential(starts[s]);
        for (std::size_t i = numbers; i < drawn_in_all; ++i) {
          ASSERT_EQ(drawn[s][i], sequential()) << back << ", " << i;
        }
        sequential = Ranmar<TypeParam>(starts[s]);
        sequential.discard(drawn_in_all - numbers - static_cast<std::size_t>(ago));
        const auto& state = sequential.state();
        ASSERT_EQ(saved[s][ranmar_words], state.c) << back << ", " << ago;
        for (int k = 0; k < ranmar_words; ++k) {
          ASSERT_EQ(saved[s][static_cast<std::size_t>(k)] & ranmar_mask<TypeParam>,
                    state.x[(state.next + k) % ranmar_words] & ranmar_mask<TypeParam>)
              << back << ", " << ago << ", " << k;
        }
      }
    }
  }
}

TYPED_TEST(RanmarTeams, OfVectorsDrawTheSequence) {
  this->template expect_the_sequence<RanmarVectorTeam<TypeParam>>();
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rng/ranmar_leapfrog.hpp"
#include "rng/ranmar_warp_leapfrog.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

/// Members of a team that take turns, upwards and downwards: within a step none may see what
/// another did.
class TurnTaking {
 public:
  template <class F>
  void each(int n, const F& f) const {
    up_ = !up_;
    for (int i = 0; i < n; ++i) f(up_ ? i : n - 1 - i);
  }

 private:
  mutable bool up_ = false;
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
    const auto start = sequential.state();
    const TurnTaking lanes;
    std::vector<std::uint64_t> scratch((Team::scratch_bytes + 7) / 8);
    Team team(lanes, scratch.data(), start.c, [&](int k) { return start.x[k]; });
    for (int i = 0; i < 3 * Team::team_numbers; ++i) {
      const int numbers = i % 7 == 0 ? Team::team_numbers : 1 + i % Team::team_numbers;
      // A number more, to see that it stays.
      std::vector<Integer> drawn(static_cast<std::size_t>(numbers) + 1, 77);
      team.draw(lanes, drawn.data(), numbers);
      for (int k = 0; k < numbers; ++k) {
        ASSERT_EQ(drawn[static_cast<std::size_t>(k)], sequential()) << numbers << ", " << k;
      }
      ASSERT_EQ(drawn.back(), 77U) << numbers;
      ASSERT_EQ(team.c(), sequential.state().c);
    }
    for (int k = 0; k < ranmar_words; ++k) {
      const auto& state = sequential.state();
      ASSERT_EQ(team.word(k) & ranmar_mask<V>,
                state.x[(state.next + k) % ranmar_words] & ranmar_mask<V>);
    }
  }

  template <int... smaller>
  static void expect_the_sequence_for_every_team(std::integer_sequence<int, smaller...>) {
    (expect_the_sequence<RanmarRingTeam<V, smaller + 1>>(), ...);
  }
};
using Variants = testing::Types<Ranmar24, Ranmar48, Ranmar48Scaled, Ranmar48x>;
TYPED_TEST_SUITE(RanmarTeams, Variants);

TYPED_TEST(RanmarTeams, OfOneToThirtyThreeDrawTheSequence) {
  this->expect_the_sequence_for_every_team(
      std::make_integer_sequence<int, ranmar_leapfrog_limit>{});
}

TYPED_TEST(RanmarTeams, OfAWarpsRegistersDrawTwoSequencesAndSaveTheirStates) {
  using Integer = typename TypeParam::Integer;
  using Team = RanmarWarpTeam<TypeParam>;
  constexpr int steps = 7;
  constexpr std::size_t drawn_in_all = Team::step * steps;
  for (const int back : {0, 1, 31, 32, 64}) {
    for (const int ago : {0, 1, 2, 31}) {
      std::array<RanmarState<TypeParam>, 2> starts;
      for (int s = 0; s < 2; ++s) {
        Ranmar<TypeParam> one(native_start<TypeParam>(16 + s, 17));
        for (int i = 0; i < (s + 1) * ranmar_words; ++i) one();
        starts[static_cast<std::size_t>(s)] = one.state();
      }
      std::array<std::vector<Integer>, 2> drawn;
      for (auto& one : drawn) one.resize(drawn_in_all);
      std::array<std::array<Integer, ranmar_words + 1>, 2> saved = {};
      Warp<Integer>().run([&](const auto& lane) {
        const auto s = static_cast<std::size_t>(lane.own / Team::members);
        const int own = lane.own % Team::members;
        const int base = lane.own - own;
        Team team(own, back, starts[s].c, [&](int k) { return starts[s].x[k]; });
        for (int step = 0; step < steps; ++step) {
          Integer numbers[Team::run];
          team.next(lane, base, numbers);
          for (int i = 0; i < Team::run; ++i) {
            drawn[s][static_cast<std::size_t>(Team::step * step + Team::run * own + i)] =
                numbers[i];
          }
        }
        team.save(ago, [&](int k, Integer word) { saved[s][static_cast<std::size_t>(k)] = word; });
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

TYPED_TEST(RanmarTeams, ThisMachinesDrawsTheSequence) {
  this->template expect_the_sequence<RanmarTeam<TypeParam>>();
}

}  // namespace
}  // namespace rivulet

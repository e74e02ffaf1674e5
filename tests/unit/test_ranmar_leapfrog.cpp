// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "rng/ranmar.hpp"
#include "rng/ranmar_leapfrog.hpp"
#include "rng/ranmar_seeding.hpp"

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

TYPED_TEST(RanmarTeams, ThisMachinesDrawsTheSequence) {
  this->template expect_the_sequence<RanmarTeam<TypeParam>>();
}

}  // namespace
}  // namespace rivulet

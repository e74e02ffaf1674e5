// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/generators/register_warp.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

template <class Exponent>
class DcmtWarps : public testing::Test {
 public:
  static constexpr int exponent = Exponent::value;
  using Team = detail::RegisterWarp<detail::DcmtRecurrence<exponent>>;
  static constexpr int n = Team::n;
  static constexpr int streams = 32 / Team::members;
  static constexpr int steps = 4 * Team::steps_around + 3;
  static constexpr int drawn_in_all = Team::members * steps;

  /// Any twister whose twist coefficient has its highest bit set; it need not be one of full
  /// period.
  static DcmtParameters<std::uint32_t> set_of(int stream) {
    const auto id = static_cast<std::uint32_t>(stream);
    return {0x80000000u | 0x5bd1e995u * (id + 1), 0x9e3779b9u * (id + 3), 0x85ebca6bu * (id + 5)};
  }
  /// Twister `stream` after `drawn` numbers. At its start, the insignificant bits of its first word
  /// differ from the recurrence's.
  static Dcmt<exponent> twister(int stream, std::uint64_t drawn) {
    typename Dcmt<exponent>::State state;
    init_genrand(state.x, state.words, static_cast<std::uint32_t>(stream + 1));
    Dcmt<exponent> one(set_of(stream), state);
    one.discard(drawn);
    return one;
  }

  /// Twisters of a warp, as its lanes load and store them.
  struct Streams {
    std::array<DcmtState<exponent, std::uint32_t>, streams>& states;

    detail::DcmtRecurrence<exponent> recurrence(std::uint64_t stream) const {
      return {set_of(static_cast<int>(stream))};
    }
    std::uint32_t& word(int k, std::uint64_t stream) const { return states[stream].x[k]; }
  };

  /// A warp that begins `back` numbers before states of `position` numbers, and saves the states
  /// that it had `ago` numbers ago.
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
      const int own = lane.own % Team::members;
      const auto s = static_cast<std::size_t>(lane.own / Team::members);
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
        ASSERT_EQ(saved[s].x[k], state.x[(state.next + k) % n])
            << position << ", " << back << ", " << ago << ", " << k;
      }
    }
  }
};
template <int P>
using Exponent = std::integral_constant<int, P>;
using Exponents = testing::Types<Exponent<521>, Exponent<607>, Exponent<1279>, Exponent<2203>>;
TYPED_TEST_SUITE(DcmtWarps, Exponents);

TYPED_TEST(DcmtWarps, DrawAllTheirStreamsFromBeforeTheirStatesAndSaveThem) {
  for (const int back : {0, 1, TestFixture::Team::members, TestFixture::Team::most_back}) {
    for (const int ago : {0, 1, TestFixture::Team::members - 1}) {
      TestFixture::expect_the_sequence(0, back, ago);
      TestFixture::expect_the_sequence(2 * TestFixture::n, back, ago);
    }
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams side by side in one word draw what each draws alone.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "rivulet/create.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {
namespace {

template <class Together, class Alone>
void expect_same(Together& together, std::vector<Alone>& alone) {
  using W = typename Together::result_type;
  ASSERT_EQ(alone.size(), static_cast<std::size_t>(lanes<W>));
  for (int round = 0; round < 100; ++round) {
    together.round([&](auto k, const W& word) {
      for (int l = 0; l < lanes<W>; ++l) {
        ASSERT_EQ(WordTraits<W>::lane(word, l), alone[static_cast<std::size_t>(l)]())
            << round << ", " << k.value << ", " << l;
      }
    });
  }
}

/// The word of of(0), of(1), ...
template <class W, class Of>
W word_of(const Of& of) {
  return WordTraits<W>::generate([&](int l) { return of(static_cast<std::size_t>(l)); });
}

TEST(SideBySide, DcmtOfOneSetEach) {
  using W = SideBySide<4>;
  const DcmtSets& sets = published_dcmt521();
  std::vector<Dcmt<521>> alone;
  for (std::uint32_t l = 0; l < 4; ++l) {
    Dcmt<521>::State state;
    init_genrand(state.x, state.words, l);
    alone.push_back({{sets.sets[l].a, sets.sets[l].b, sets.sets[l].c}, state});
  }
  Dcmt<521, W>::State state;
  for (int k = 0; k < state.words; ++k) {
    state.x[k] = word_of<W>([&](std::size_t l) { return alone[l].state().x[k]; });
  }
  Dcmt<521, W> together({word_of<W>([&](std::size_t l) { return sets.sets[l].a; }),
                         word_of<W>([&](std::size_t l) { return sets.sets[l].b; }),
                         word_of<W>([&](std::size_t l) { return sets.sets[l].c; })},
                        state);
  expect_same(together, alone);
}

TEST(SideBySide, Ranmar24) {
  using W = SideBySide<2>;
  std::mt19937 words(1);
  RanmarState<Ranmar24, W> state;
  std::vector<RanmarState<Ranmar24>> states(lanes<W>);
  for (int k = 0; k < ranmar_words; ++k) {
    for (auto& one : states) one.x[k] = words() & ranmar_mask<Ranmar24>;
    state.x[k] = word_of<W>([&](std::size_t l) { return states[l].x[k]; });
  }
  Ranmar<Ranmar24, W> together(state);
  std::vector<Ranmar<Ranmar24>> alone(states.begin(), states.end());
  expect_same(together, alone);
}

template <class Kind>
class TauswortheSideBySide : public testing::Test {};
using Kinds = testing::Types<HybridTausworthe, Lfsr113, HybridTauswortheListing>;
TYPED_TEST_SUITE(TauswortheSideBySide, Kinds);

TYPED_TEST(TauswortheSideBySide, DrawWhatEachDrawsAlone) {
  using W = SideBySide<4>;
  using One = Tausworthe<TypeParam>;
  std::mt19937 words(1);
  std::vector<typename One::State> states(lanes<W>);
  for (auto& one : states) {
    for (auto& z : one.z) z = static_cast<std::uint32_t>(words());
    TypeParam::make_good(one.z);
  }
  typename Tausworthe<TypeParam, W>::State state;
  for (int k = 0; k < TypeParam::words; ++k) {
    state.z[k] = word_of<W>([&](std::size_t l) { return states[l].z[k]; });
  }
  Tausworthe<TypeParam, W> together(state);
  std::vector<One> alone(states.begin(), states.end());
  expect_same(together, alone);
}

}  // namespace
}  // namespace rivulet

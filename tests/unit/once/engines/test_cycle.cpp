// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// This file contains the common tests of generators of few words, and each generator's known
// answers. test_few_words.cpp tests individual features of these generators.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "generators/cycle.hpp"
#include "library_drawing.hpp"
#include "message_of.hpp"
#include "start_steps.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

template <class G>
struct KnownAnswers;

/// Numbers of the Rust crate rand_xoshiro 0.6, "calculated with the reference implementation"
/// (prng.di.unimi.it/xoshiro256plusplus.c).
template <>
struct KnownAnswers<Xoshiro256pp> {
  static constexpr std::uint64_t start[] = {1, 2, 3, 4};
  static constexpr std::uint64_t numbers[] = {41943041,
                                              58720359,
                                              3588806011781223,
                                              3591011842654386,
                                              9228616714210784205u,
                                              9973669472204895162u,
                                              14011001112246962877u,
                                              12406186145184390807u,
                                              15849039046786891736u,
                                              10450023813501588000u};
};

/// Numbers that random_raw(6) of numpy.random.PCG64DXSM in NumPy 1.24.2 returns from this state
/// with inc = 0x5851f42d4c957f2d14057b7ef767814f.
template <>
struct KnownAnswers<Pcg64dxsm> {
  static constexpr std::uint64_t start[] = {0xfedcba9876543210u, 0x0123456789abcdefu};
  static constexpr std::uint64_t numbers[] = {0xa5c2f45958c644a2, 0xd0903e4c1d97f138,
                                              0x41d5d04452fde70e, 0xd36342dda726e612,
                                              0x91067ada23415da7, 0x54b9d038b7d4aac6};
};

/// Numbers that random_raw(8) of numpy.random.SFC64 in NumPy 1.24.2 returns from this state.
template <>
struct KnownAnswers<Sfc64> {
  static constexpr std::uint64_t start[] = {0x0123456789abcdefu, 0x0f1e2d3c4b5a6978u,
                                            0xfedcba9876543210u, 5};
  static constexpr std::uint64_t numbers[] = {
      0x104172a3d506376c, 0x4e25e5615c8c4cb,  0xe4523492d99e9185, 0x9f73b1f6c68cd201,
      0x7421365e8fc2c7e6, 0xe8f43cc63bd32796, 0x112cde7f9271b2b7, 0xd4d71782c038352d};
};

/// Numbers z, computed from published numbers z / (m1 + 1). The published numbers are the first
/// numbers of RngStreams: 0.127011122046577, 0.318527565396795, 0.309186015583270, ...
template <>
struct KnownAnswers<Mrg32k3a> {
  static constexpr std::uint64_t start[] = {12345, 12345, 12345, 12345, 12345, 12345};
  static constexpr std::uint64_t numbers[] = {0x2083cd06, 0x518b05c3, 0x4f26d090,
                                              0xd36ab333, 0x38bcbcf7, 0x888c99a2};
};

/// The state of ROOT's RanluxppEngine2048 with seed 314159265, and the numbers computed from this
/// state with Python's big integers. test_few_words.cpp has the numbers of ROOT's test.
template <>
struct KnownAnswers<Ranluxpp> {
  static constexpr std::uint64_t start[] = {
      0x12181,  0x23d075, 0x2c56f7, 0x921add, 0x5f853e, 0x21c526, 0x4394a4, 0xa6a705,
      0xb19195, 0x70d0f9, 0x82cd2e, 0xa8b981, 0xe7d57b, 0xf4a07c, 0x83b845, 0x3980ec,
      0x78f705, 0xd84912, 0xdd9059, 0x634e05, 0x4264c5, 0x2f7ed9, 0xaaf550, 0x2b0a44};
  static constexpr std::uint64_t numbers[] = {
      0x23d075012181, 0x921add2c56f7, 0x21c5265f853e, 0xa6a7054394a4, 0x70d0f9b19195,
      0xa8b98182cd2e, 0xf4a07ce7d57b, 0x3980ec83b845, 0xd8491278f705, 0x634e05dd9059,
      0x2f7ed94264c5, 0x2b0a44aaf550, 0xa842e3eac49d, 0x48b66375825c};
};

/// The state of Boost's mixmax with its default seed. This state is 2^512 steps after the unit
/// vector. The upper 48 bits of the numbers were computed with Python's integers.
template <>
struct KnownAnswers<Mixmax17> {
  static constexpr std::uint64_t start[] = {
      0xe7456623ec64d0d,  0xa8fa928bab1b284,  0x94e9f1df1ebfb55,  0x15ddda763aa1513c,
      0x1d55d57496a120ea, 0x19ab404484e3f78a, 0x1ee3b7a16875588b, 0x17f212d496e92193,
      0x1f039518871542a,  0x18de05be42c31215, 0x134b07252062d3ab, 0x13efb2336cf0228,
      0xf39e432fdb95afe,  0x158fe90e1a687cea, 0x48c4f7f9be707e2,  0x1f440aeedee0be8a,
      0x16e4095237e73578};
  static constexpr std::uint64_t numbers[] = {
      0x547d4945d58d, 0x4a74f8ef8f5f, 0xaeeed3b1d50a, 0xeaaeaba4b509, 0xcd5a0224271f,
      0xf71dbd0b43aa, 0xbf9096a4b749, 0xf81ca8c438a,  0xc6f02df21618, 0x9a5839290316,
      0x9f7d919b678,  0x79cf2197edca, 0xac7f4870d343, 0x24627bfcdf38, 0xfa205776f705,
      0xb7204a91bf39, 0xfb6ba687468d, 0xf3372ae6ea1f};
};

template <class G>
class OfFewWords : public testing::Test {
 public:
  using Engine = detail::CycleEngine<G>;
  using State = typename Engine::State;
  using Streams = CycleStreams<G>;
  using Starter = typename CycleGeneratorOf<G>::Starter;
  using Plan = detail::PlanOnCycle<G>;
  /// True if a number is drawn as two halves.
  static constexpr bool in_halves = detail::number_bits<G> == 64;
  static constexpr unsigned log2_step = detail::log2_step_numbers<G>;

  static StreamRequest request(std::uint64_t streams) {
    return {.streams = streams, .seed = 31415};
  }
  static State start() {
    State state;
    G::start(SeedHash(request(1).seed, 0, G::tag), state.z);
    return state;
  }
  static State moved(State state, Uint128 steps) {
    G::jump(steps)(state.z);
    return state;
  }
  static std::vector<std::uint64_t> words(const State& state) {
    return {std::begin(state.z), std::end(state.z)};
  }
  static Streams started(const Plan& plan, StreamRange range) {
    Streams streams(plan, range);
    Starter(plan, range).seed(Space(), streams);
    return streams;
  }
};
TYPED_TEST_SUITE(OfFewWords, SmallStateGenerators, NameOfLibraryGenerator);
template <class G>
class OnACycle : public OfFewWords<G> {};
TYPED_TEST_SUITE(OnACycle, CycleGenerators, NameOfLibraryGenerator);

TYPED_TEST(OfFewWords, HasItsKnownAnswers) {
  using Known = KnownAnswers<TypeParam>;
  typename TestFixture::State state;
  std::copy(std::begin(Known::start), std::end(Known::start), state.z);
  typename TestFixture::Engine engine(state);
  for (const std::uint64_t number : Known::numbers) {
    using Number = typename TestFixture::Engine::result_type;
    EXPECT_EQ(engine(), static_cast<Number>(number));
    if (TestFixture::in_halves) {
      EXPECT_EQ(engine(), number >> 32);
    }
  }
}

TYPED_TEST(OfFewWords, AJumpIsAsManySteps) {
  auto stepped = this->start();
  for (std::uint64_t steps = 0; steps <= 1000; ++steps, TypeParam::step(stepped.z)) {
    if (steps > 70 && steps % 100 != 0) continue;
    ASSERT_EQ(this->words(this->moved(this->start(), steps)), this->words(stepped)) << steps;
  }
}

/// Checks that a 64-bit word consists of two 32-bit numbers. Some words begin with the upper half
/// of a 64-bit number.
TYPED_TEST(OfFewWords, WordsAreTwoNumbers) {
  using Engine = typename TestFixture::Engine;
  if constexpr (requires(Engine engine) { engine.next_word(); }) {
    Engine words(this->start());
    Engine numbers(this->start());
    for (int draw = 0; draw < 100; ++draw) {
      const std::uint64_t lower = numbers();
      const std::uint64_t upper = numbers();
      ASSERT_EQ(detail::draw_number<std::uint64_t>(words), upper << 32 | lower) << draw;
      if (draw % 3 != 0) continue;
      ASSERT_EQ(words(), numbers()) << draw;
    }
  } else {
    EXPECT_FALSE(this->in_halves);
  }
}

TYPED_TEST(OnACycle, FarJumpsAreSumsOfShorterOnes) {
  for (unsigned log2 = 1; log2 < 128; ++log2) {
    const Uint128 half = (Uint128{1} << (log2 - 1)) + 12345;
    const auto twice = this->moved(this->moved(this->start(), half), half);
    ASSERT_EQ(this->words(this->moved(this->start(), 2 * half)), this->words(twice)) << log2;
  }
}

/// Checks the starts of streams in several ranges. The ranges include the last stream that fits on
/// a cycle of 2^128.
TYPED_TEST(OnACycle, StreamsStartWhereStated) {
  const typename TestFixture::Plan plan(this->request(detail::max_cycle_streams));
  for (const StreamRange range : {StreamRange{0, 70}, StreamRange{(1u << 20) - 7, 9},
                                  StreamRange{detail::max_cycle_streams - 3, 3}}) {
    const auto streams = this->started(plan, range);
    for (std::uint64_t s = 0; s < range.count; ++s) {
      const std::uint64_t id = range.first + s;
      const Uint128 steps = jumps_to(IrregularStarts(64), id) + hashed_powers(id);
      EXPECT_EQ(this->words(streams.scalar(s).state()),
                this->words(this->moved(this->start(), steps)))
          << id;
    }
  }
}

TYPED_TEST(OnACycle, SaysWhyStreamsAreDisjoint) {
  StreamRequest request = this->request(1000);
  request.numbers_per_stream = 123456789;
  std::string all;
  for (const auto& [name, text] : typename TestFixture::Plan(request).certificate()) {
    all += name + ": " + text + "\n";
  }
  EXPECT_THAT(all, HasSubstr("period: " + std::string(TypeParam::period) + "\n"));
  EXPECT_THAT(all, HasSubstr("at least 2^64 steps"));
  EXPECT_EQ(all.find("assumed: that the period is") != std::string::npos,
            (std::is_same_v<TypeParam, Mixmax17>));
  EXPECT_THAT(all, HasSubstr("1000 * 2^66 is at most the period"));
  EXPECT_THAT(all, HasSubstr("123456789 numbers, which is at most 2^" +
                             std::to_string(64 + TestFixture::log2_step)));
}

TYPED_TEST(OnACycle, RefusesWhatItCannotKeepApart) {
  using Plan = typename TestFixture::Plan;
  auto request = this->request(detail::max_cycle_streams + 1);
  EXPECT_THAT(message_of([&] { const Plan plan(request); }), HasSubstr("do not fit on"));
  request = this->request(1);
  request.seeding = Seeding::published;
  EXPECT_THAT(message_of([&] { const Plan plan(request); }),
              HasSubstr(std::string(TypeParam::name) + " has no published seeding"));
}

}  // namespace
}  // namespace rivulet

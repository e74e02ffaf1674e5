// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every generator of few words must do, and each one's known answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "draw_rounds.hpp"
#include "kernels/generators/cycle.hpp"
#include "library_drawing.hpp"
#include "message_of.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

template <class G>
struct KnownAnswers;

/// Those of the Rust crate rand_xoshiro 0.6, "calculated with the reference implementation"
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

/// What numpy.random.PCG64DXSM of NumPy 1.24.2 gives as random_raw(6) from this state, with
/// inc = 0x5851f42d4c957f2d14057b7ef767814f.
template <>
struct KnownAnswers<Pcg64dxsm> {
  static constexpr std::uint64_t start[] = {0xfedcba9876543210u, 0x0123456789abcdefu};
  static constexpr std::uint64_t numbers[] = {0xa5c2f45958c644a2, 0xd0903e4c1d97f138,
                                              0x41d5d04452fde70e, 0xd36342dda726e612,
                                              0x91067ada23415da7, 0x54b9d038b7d4aac6};
};

/// What numpy.random.SFC64 of NumPy 1.24.2 gives as random_raw(8) from this state.
template <>
struct KnownAnswers<Sfc64> {
  static constexpr std::uint64_t start[] = {0x0123456789abcdefu, 0x0f1e2d3c4b5a6978u,
                                            0xfedcba9876543210u, 5};
  static constexpr std::uint64_t numbers[] = {
      0x104172a3d506376c, 0x4e25e5615c8c4cb,  0xe4523492d99e9185, 0x9f73b1f6c68cd201,
      0x7421365e8fc2c7e6, 0xe8f43cc63bd32796, 0x112cde7f9271b2b7, 0xd4d71782c038352d};
};

/// Of the published numbers z / (m1 + 1), which are RngStreams' first ones: 0.127011122046577,
/// 0.318527565396795, 0.309186015583270, ...
template <>
struct KnownAnswers<Mrg32k3a> {
  static constexpr std::uint64_t start[] = {12345, 12345, 12345, 12345, 12345, 12345};
  static constexpr std::uint64_t numbers[] = {0x2083cd06, 0x518b05c3, 0x4f26d090,
                                              0xd36ab333, 0x38bcbcf7, 0x888c99a2};
};

/// The state of ROOT's RanluxppEngine2048 with seed 314159265, and its numbers by big integers of
/// Python, of which ROOT's test has the published ones below.
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

/// The state of Boost's mixmax with its default seed, the unit vector 2^512 steps on, and the upper
/// 48 bits of its numbers, by integers of Python.
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
  /// A number is drawn as two.
  static constexpr bool in_halves = detail::number_bits<G> == 64;
  static constexpr unsigned log2_step = detail::log2_step_numbers<G>;

  static StreamRequest request(std::uint64_t streams) {
    StreamRequest request;
    request.streams = streams;
    request.seed = 31415;
    return request;
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
  template <class W>
  static void expect_lanes_are_scalar() {
    const Plan plan(request(3 * tile_streams - 1));
    const Streams streams = started(plan, {0, plan.streams()});
    std::vector<Engine> engines;
    for (std::uint64_t s = 0; s < plan.streams(); ++s) engines.push_back(streams.scalar(s));
    for (int draw = 0; draw < 2; ++draw) {  // the second from where the first put the states
      const auto drawn = drawn_rounds<W>(streams, 3);
      for (std::uint64_t s = 0; s < plan.streams(); ++s) {
        for (std::size_t k = 0; k < drawn.extent(0); ++k) {
          const std::uint64_t number = engines[s]();
          ASSERT_EQ(drawn(k, s), detail::BlockGenerator<G> ? number >> 16 : number) << s;
        }
      }
    }
  }
};
TYPED_TEST_SUITE(OfFewWords, GeneratorsOfFewWords, NameOfLibraryGenerator);
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

/// Also where the first of them is the upper half of a word.
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

TYPED_TEST(OfFewWords, LanesAreScalarStreams) {
  this->template expect_lanes_are_scalar<Word>();
  this->template expect_lanes_are_scalar<std::uint32_t>();
  if constexpr (lanes<Word> % 4 == 0 || device_build) {
    this->template expect_lanes_are_scalar<SideBySide<4>>();
  }
}

/// Also the last one that fits on a cycle of 2^128.
TYPED_TEST(OnACycle, StreamsStartWhereStated) {
  const typename TestFixture::Plan plan(this->request(detail::cycle_fit));
  for (const StreamRange range : {StreamRange{0, 70}, StreamRange{(1u << 20) - 7, 9},
                                  StreamRange{detail::cycle_fit - 3, 3}}) {
    const auto streams = this->started(plan, range);
    for (std::uint64_t s = 0; s < range.count; ++s) {
      const std::uint64_t id = range.first + s;
      const Uint128 steps = IrregularStarts(64).jumps(id) + IrregularStarts::hashed_powers(id);
      EXPECT_EQ(this->words(streams.scalar(s).state()),
                this->words(this->moved(this->start(), steps)))
          << id;
    }
  }
}

/// From whole numbers of 64 bits on and from their middle.
TYPED_TEST(OfFewWords, LibraryJumpsAreDraws) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Exec exec;
  const Streams<TypeParam, Exec> streams(exec, {.count = 3, .seed = 7, .first = 40});
  const NumberList all = drawn(exec, streams, 200);
  for (const std::uint64_t before : {0, 1, 2, 3}) {
    for (const std::uint64_t jump : {1, 2, 3, 4, 5, 100, 101}) {
      streams.restart(exec);
      drawn(exec, streams, before);
      streams.jump(exec, jump);
      const auto jumped = streams.save(exec);
      EXPECT_EQ(drawn(exec, streams, 5), part(all, 200, before + jump, 5))
          << before << ", " << jump;
      streams.restart(exec);
      drawn(exec, streams, before + jump);
      EXPECT_EQ(streams.save(exec), jumped) << before << ", " << jump;
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
  auto request = this->request(detail::cycle_fit + 1);
  EXPECT_THAT(message_of([&] { const Plan plan(request); }), HasSubstr("do not fit on"));
  request = this->request(1);
  request.seeding = Seeding::published;
  EXPECT_THAT(message_of([&] { const Plan plan(request); }),
              HasSubstr(std::string(TypeParam::name) + " has no published seeding"));
}

/// Each from (seed, id), seeded as NumPy does, whose state counts 12 steps from 1 on.
TEST(Sfc64, StreamsStartFromTheirIds) {
  const std::uint64_t last = ~std::uint64_t{0} - 1;
  const OnACycle<Sfc64>::Plan plan(OnACycle<Sfc64>::request(~std::uint64_t{0}));
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 62, last - 2}) {
    const auto streams = OnACycle<Sfc64>::started(plan, {first, 3});
    for (std::uint64_t s = 0; s < 3; ++s) {
      const SeedHash hash(plan.request().seed, first + s, Sfc64::tag);
      std::uint64_t z[] = {hash(0), hash(1), hash(2), 1};
      for (int k = 0; k < 12; ++k) Sfc64::step(z);
      EXPECT_THAT(streams.scalar(s).state().z, testing::ElementsAreArray(z));
      EXPECT_EQ(z[3], 13U);
    }
  }
}

/// A step can be taken back: it is a permutation of the states, on which disjointness rests.
TEST(Sfc64, StepsCanBeTakenBack) {
  for (std::uint64_t id = 0; id < 1000; ++id) {
    const SeedHash hash(1, id, Sfc64::tag);
    std::uint64_t z[] = {hash(0), hash(1), hash(2), hash(3)};
    const std::vector<std::uint64_t> before(std::begin(z), std::end(z));
    const std::uint64_t number = Sfc64::step(z);
    const std::uint64_t c = z[1] * 0x8e38e38e38e38e39;  // 9 times it is 1
    std::uint64_t b = z[0];
    for (int shift = 11; shift < 64; shift *= 2) b ^= b >> shift;
    EXPECT_EQ(number, z[2] - std::rotl(c, 24));
    EXPECT_THAT(before, testing::ElementsAre(number - b - (z[3] - 1), b, c, z[3] - 1));
  }
}

TEST(Sfc64, SaysWhatItsStreamsRestOn) {
  StreamRequest request;
  request.streams = 1000;
  request.numbers_per_stream = 123456789;
  const auto certificate = OnACycle<Sfc64>::Plan(request).certificate();
  ASSERT_EQ(certificate.size(), 3U);
  EXPECT_EQ(certificate[1].second, "a multiple of 2^64");
  EXPECT_THAT(certificate[2].second,
              AllOf(HasSubstr("all starts differ"),
                    HasSubstr("123456789 numbers, which is at most 2^65: no two meet")));
}

TEST(Sfc64, RefusesJumpsOfHours) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const Streams<Sfc64, Kokkos::DefaultHostExecutionSpace> streams(exec, {});
  EXPECT_EQ(
      message_of([&] { streams.jump(exec, (Uint128{1} << 45) + 3); }),
      "jumps of more than 2^44 steps, of all streams together, are too long for sfc64 (it has "
      "no way ahead but its steps). Jump less far, or use a generator that jumps, such as "
      "xoshiro256pp.");
  EXPECT_THAT(message_of([&] { streams.jump(exec, (Uint128{1} << 64) - 1); }),
              HasSubstr("too long for sfc64"));
}

/// Words, the lowest first, times a number.
std::vector<std::uint64_t> times(std::vector<std::uint64_t> words, std::uint64_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& word : words) {
    const Uint128 product = Uint128{word} * factor + carry;
    word = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  return words;
}

/// The order of t divides 2^256 - 1, but not that divided by any of its primes, which are those of
/// Fermat's numbers F_0 .. F_7.
TEST(Xoshiro256pp, PolynomialIsPrimitive) {
  const Gf2Polynomial& phi = Xoshiro256pp::polynomial();
  ASSERT_EQ(phi.degree(), 256);
  EXPECT_TRUE(is_irreducible(phi));
  const std::vector<std::uint64_t> primes{
      3, 5, 17, 257, 65537, 641, 6700417, 274177, 67280421310721, 59649589127497217};
  std::vector<std::uint64_t> below_f7{1, 0, 0, 0};  // (2^256 - 1) / (2^128 + 1)
  for (std::size_t i = 0; i + 1 < primes.size(); ++i) below_f7 = times(below_f7, primes[i]);
  ASSERT_EQ(below_f7, (std::vector{~std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0},
                                   std::uint64_t{0}}));
  const Gf2Modulus modulo(phi);
  const auto one = modulo.power_of_t({0});
  EXPECT_EQ(modulo.power_of_t(std::vector(4, ~std::uint64_t{0})), one);
  EXPECT_NE(modulo.power_of_t(times(below_f7, primes.back())), one);
  for (const std::uint64_t left_out : primes) {
    // 2^128 + 1 = 59649589127497217 * (309 * 2^64 + 4645281908877605377)
    std::vector<std::uint64_t> exponent{4645281908877605377u, 309, 0, 0};
    for (const std::uint64_t prime : primes) {
      if (prime != left_out) exponent = times(exponent, prime);
    }
    EXPECT_NE(modulo.power_of_t(exponent), one) << left_out;
  }
}

/// The polynomial of the published jump(), 2^128 steps.
TEST(Xoshiro256pp, JumpsAsPublished) {
  EXPECT_EQ(power_of_t(1, 128, Xoshiro256pp::polynomial()),
            Gf2Polynomial(
                {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa, 0x39abdc4529b1661c}));
}

/// The first numbers of RngStreams as its example prints them.
TEST(Mrg32k3a, IsThePublishedOne) {
  constexpr double published[] = {0.127011122046577, 0.318527565396795, 0.309186015583270};
  std::uint64_t z[] = {12345, 12345, 12345, 12345, 12345, 12345};
  for (const double number : published) {
    // Of the published number u, z - 1 is u (m1 + 1) - 1, and a 32-bit number 209 z / 2^32 more.
    const double least = number * (Mrg32k3a::m1 + 1) - 1;
    EXPECT_NEAR(static_cast<double>(Mrg32k3a::step(z)), least * (1 + 209 * 0x1p-32), 1);
  }
}

/// In 32 bits, and as words of several streams are.
template <std::uint32_t c>
void expect_remainders() {
  constexpr std::uint64_t m = (std::uint64_t{1} << 32) - c;
  using Form = detail::WideForm<Word>;
  using Wide = Form::type;
  const auto first = [](const Wide& x) { return WordTraits<Word>::lane(Form::low(x), 0); };
  for (const std::uint64_t upper : {0u, 1u, 2u, 5u, (1u << 31) / c - 1}) {
    for (const std::uint64_t lower :
         {0u, 1u, c - 1, c, c + 1, 0u - c - 1, 0u - c, 0u - c + 1, 0u - 1}) {
      const std::uint64_t x = upper << 32 | lower;
      EXPECT_EQ(detail::folded_once<c>(x), x % m) << x;
      EXPECT_EQ(first(detail::folded_once<c>(Wide(x))), x % m) << x;
      if (x >= 2 * m) continue;
      EXPECT_EQ(detail::below_modulus<c>(x), x % m) << x;
      EXPECT_EQ(first(detail::below_modulus<c>(Wide(x))), x % m) << x;
    }
  }
}

TEST(Mrg32k3a, HasExactRemainders) {
  expect_remainders<Mrg32k3a::c1>();
  expect_remainders<Mrg32k3a::c2>();
}

/// Those of ROOT's test random2048 (math/mathcore/test/RanluxppEngine.cxx), whose seed is the
/// number of jumps of 2^96 steps from 1.
TEST(Ranluxpp, IsROOTs) {
  detail::CycleEngine<Ranluxpp>::State start{{1}};
  Ranluxpp::jump(Uint128{314159265} << 96)(start.z);
  detail::CycleEngine<Ranluxpp> engine(start);
  EXPECT_EQ(engine(), 39378223178113u);
  EXPECT_EQ(detail::draw_number<double>(engine), 0.57072241146576274673);
  engine.discard(8);
  EXPECT_EQ(engine(), 52221857391813u);
  EXPECT_EQ(detail::draw_number<double>(engine), 0.16812543081078956675);
  EXPECT_EQ(engine(), 185005245121693u);
  EXPECT_EQ(detail::draw_number<double>(engine), 0.28403302782895423206);
  engine.discard(10);
  EXPECT_EQ(engine(), 89237874214503u);
  EXPECT_EQ(detail::draw_number<double>(engine), 0.79969842495805920635);
  engine.discard(42);
  EXPECT_EQ(engine(), 49145148745150u);
  EXPECT_EQ(detail::draw_number<double>(engine), 0.74670661284082484599);
}

/// Factors' product modulo m.
detail::RanluxPairs product_of(detail::RanluxPairs base, const std::vector<std::uint64_t>& of) {
  for (const std::uint64_t factor : of) base = power(base, factor, detail::RanluxPairs{{1}});
  return base;
}
/// x, canonical, is 1.
bool is_one(detail::RanluxPairs x) {
  detail::RanluxPairs::to_ranlux(x.pair);
  return x.pair[0] == 1 && std::all_of(x.pair + 1, x.pair + 12, [](auto k) { return k == 0; });
}

/// The order of a step is 2^225 (2^336 - 1) / 3: with that exponent it is 1, and with none of those
/// that lack one of the primes.
TEST(Ranluxpp, HasThePeriodStated) {
  std::vector<std::uint64_t> primes(225, 2);
  const std::vector<std::uint64_t> others{3,           5,
                                          7,           7,
                                          13,          17,
                                          29,          43,
                                          97,          113,
                                          127,         241,
                                          257,         337,
                                          673,         1429,
                                          2017,        3361,
                                          5153,        5419,
                                          14449,       15790321,
                                          25629623713, 54410972897,
                                          88959882481, 1538595959564161};
  primes.insert(primes.end(), others.begin(), others.end());
  Uint128 low = 1;  // the product modulo 2^128: of 2^336 - 1 by 3, times 3, -1
  for (const std::uint64_t prime : others) low *= prime;
  EXPECT_EQ(low * 3, ~Uint128{0});
  EXPECT_TRUE(is_one(product_of(detail::ranluxpp_factor, primes)));
  for (std::size_t i = 224; i < primes.size(); ++i) {
    auto fewer = primes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(is_one(product_of(detail::ranluxpp_factor, fewer))) << primes[i];
  }
}

/// The 10000th number of Boost's mixmax, as its own test has it.
TEST(Mixmax17, IsBoosts) {
  detail::CycleEngine<Mixmax17>::State start{{1}};
  auto jump = Mixmax17::jump(Uint128{1} << 127);
  for (int log2 = 127; log2 < 512; ++log2) jump = jump * jump;
  jump(start.z);
  detail::CycleEngine<Mixmax17> engine(start);
  engine.discard(9999);
  EXPECT_EQ(engine(), 1842572666014501720u >> 13);
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks individual features of generators of few words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

#include "generators/cycle.hpp"
#include "library_drawing.hpp"
#include "message_of.hpp"
#include "power_of_t.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

StreamRequest request_of(std::uint64_t streams) { return {.streams = streams, .seed = 31415}; }

/// Checks that each stream is seeded from (seed, id) as in NumPy: the counter starts at 1, and 12
/// steps follow.
TEST(Sfc64, StreamsStartFromTheirIds) {
  const std::uint64_t last = ~std::uint64_t{0} - 1;
  const detail::PlanOnCycle<Sfc64> plan(request_of(~std::uint64_t{0}));
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 62, last - 2}) {
    const CycleStreams<Sfc64> streams(plan, {first, 3});
    CycleGeneratorOf<Sfc64>::Starter(plan, {first, 3}).seed(Space(), streams);
    for (std::uint64_t s = 0; s < 3; ++s) {
      const SeedHash hash(plan.request().seed, first + s, Sfc64::tag);
      std::uint64_t z[] = {hash(0), hash(1), hash(2), 1};
      for (int k = 0; k < 12; ++k) Sfc64::step(z);
      EXPECT_THAT(streams.scalar(s).state().z, testing::ElementsAreArray(z));
      EXPECT_EQ(z[3], 13U);
    }
  }
}

/// Checks that a step is invertible and thus permutes the states. Streams are disjoint because of
/// this property.
TEST(Sfc64, StepsCanBeTakenBack) {
  for (std::uint64_t id = 0; id < 1000; ++id) {
    const SeedHash hash(1, id, Sfc64::tag);
    std::uint64_t z[] = {hash(0), hash(1), hash(2), hash(3)};
    const std::vector<std::uint64_t> before(std::begin(z), std::end(z));
    const std::uint64_t number = Sfc64::step(z);
    const std::uint64_t c = z[1] * 0x8e38e38e38e38e39;  // the factor is 1 / 9 modulo 2^64
    std::uint64_t b = z[0];
    for (int shift = 11; shift < 64; shift *= 2) b ^= b >> shift;
    EXPECT_EQ(number, z[2] - std::rotl(c, 24));
    EXPECT_THAT(before, testing::ElementsAre(number - b - (z[3] - 1), b, c, z[3] - 1));
  }
}

TEST(Sfc64, SaysWhatItsStreamsRestOn) {
  StreamRequest request = request_of(1000);
  request.numbers_per_stream = 123456789;
  const auto certificate = detail::PlanOnCycle<Sfc64>(request).certificate();
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
      "jumps of more than 2^44 steps, summed over all streams, are too long for sfc64 (it "
      "advances only one number at a time). Make shorter jumps, or use a generator that jumps, "
      "such as xoshiro256pp.");
  EXPECT_THAT(message_of([&] { streams.jump(exec, (Uint128{1} << 64) - 1); }),
              HasSubstr("too long for sfc64"));
  const Streams<Sfc64, Kokkos::DefaultHostExecutionSpace> many(exec, {.count = 1000});
  EXPECT_THAT(message_of([&] { many.jump(exec, Uint128{1} << 36); }),
              HasSubstr("summed over all streams"));
}

/// Returns a number times a factor. The number has several words, the lowest first.
std::vector<std::uint64_t> times(std::vector<std::uint64_t> words, std::uint64_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& word : words) {
    const Uint128 product = Uint128{word} * factor + carry;
    word = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  return words;
}

/// Checks that the order of t divides 2^256 - 1, but does not divide (2^256 - 1) / q for any prime
/// factor q. The prime factors are those of Fermat's numbers F_0 .. F_7.
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

/// Checks the polynomial of the published jump(), which jumps 2^128 steps.
TEST(Xoshiro256pp, JumpsAsPublished) {
  EXPECT_EQ(power_of_t(1, 128, Xoshiro256pp::polynomial()),
            Gf2Polynomial(
                {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa, 0x39abdc4529b1661c}));
}

/// Checks remainders of a 64-bit number, and of vectors of such numbers.
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

/// Compares numbers with those in ROOT's test random2048 (math/mathcore/test/RanluxppEngine.cxx).
/// ROOT's seed is the number of jumps of 2^96 steps from state 1.
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

/// Returns `base` to the power of the product of the factors, modulo m.
detail::RanluxPairs product_of(detail::RanluxPairs base, const std::vector<std::uint64_t>& of) {
  for (const std::uint64_t factor : of) base = power(base, factor, detail::RanluxPairs{{1}});
  return base;
}
/// Returns true if the canonical form of x is 1.
bool is_one(detail::RanluxPairs x) {
  detail::RanluxPairs::to_ranlux(x.pair);
  return x.pair[0] == 1 && std::all_of(x.pair + 1, x.pair + 12, [](auto k) { return k == 0; });
}

/// Checks that the order of a step is 2^225 (2^336 - 1) / 3. This power of the step is 1, and no
/// power whose exponent lacks one of the prime factors is 1.
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
  Uint128 low = 1;  // (2^336 - 1) / 3 modulo 2^128; three times this is -1
  for (const std::uint64_t prime : others) low *= prime;
  EXPECT_EQ(low * 3, ~Uint128{0});
  EXPECT_TRUE(is_one(product_of(detail::ranluxpp_factor, primes)));
  for (std::size_t i = 224; i < primes.size(); ++i) {
    auto fewer = primes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(is_one(product_of(detail::ranluxpp_factor, fewer))) << primes[i];
  }
}

/// Compares the 10000th number with that of Boost's own test of mixmax.
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

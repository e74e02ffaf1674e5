// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <variant>
#include <vector>

#include "message_of.hpp"
#include "power_of_t.hpp"
#include "ring_streams.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

constexpr int n = Mt19937Recurrence::n;

using Streams = RingStreams<Mt19937Generator>;

Numbers std_numbers(std::uint32_t seed, std::uint64_t count) {
  std::mt19937 engine(seed);
  Numbers numbers(count);
  for (auto& number : numbers) number = static_cast<std::uint32_t>(engine());
  return numbers;
}

std::vector<StreamMapping> mappings() { return generator_of<Mt19937Generator>().mappings; }

TEST(Mt19937, PublishedStreamZeroIsTheStandardLibrarys) {
  for (const StreamMapping mapping : mappings()) {
    for (const std::uint32_t seed : {5489u, 0u, 1u, 4357u, 4294967295u}) {
      const Streams one(published_ring(seed));
      const auto numbers = draw<std::uint32_t>(one.streams, mapping, 0, 10000)[0];
      EXPECT_EQ(numbers, std_numbers(seed, 10000));
    }
  }
}

TEST(Mt19937, ReferenceNumbersOfBothInitialisers) {
  const auto data = test_data("mt19937.json");
  const auto expect = [](const YAML::Node& run, const Numbers& numbers) {
    EXPECT_EQ(Numbers(numbers.begin(), numbers.begin() + 10), run["first10"].as<Numbers>());
    EXPECT_EQ(numbers[999], run["at1000"].as<std::uint32_t>());
    EXPECT_EQ(numbers[9999], run["at10000"].as<std::uint32_t>(numbers[9999]));
  };
  int runs = 0;
  for (const auto& run : data["init_genrand"]) {
    const Streams one(published_ring(run["seed"].as<std::uint64_t>()));
    expect(run, draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 10000)[0]);
    ++runs;
  }
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(data["init_genrand"][0]["at10000"].as<std::uint32_t>(), 4123659995u);
  Numbers state(n);
  const std::uint32_t key[] = {0x123, 0x234, 0x345, 0x456};
  init_by_array(state, n, key, 4);
  expect(data["init_by_array_0x123_0x234_0x345_0x456"], next_numbers(SteppedMt19937(state), 10000));
}

TEST(Mt19937, NativeSeedingIsInitByArrayOfTheSeedAndTheGenerator) {
  const Streams one(native_ring());
  Numbers state(n);
  const std::uint32_t key[] = {0x89abcdef, 0x01234567, 19937, 0x9908b0df};
  init_by_array(state, n, key, 4);
  EXPECT_EQ(one.state(0), state);
  EXPECT_EQ(draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 2000)[0],
            next_numbers(SteppedMt19937(state), 2000));
}

TEST(Mt19937, MinimalPolynomialInClosedForm) {
  const auto data = test_data("mt19937.json")["minpoly"];
  const Gf2Polynomial& phi = detail::mt19937_polynomial();
  EXPECT_EQ(phi.degree(), data["degree"].as<int>());
  std::vector<int> exponents;
  for (int i = 0; i <= phi.degree(); ++i) {
    if (phi.coefficient(i)) exponents.push_back(i);
  }
  EXPECT_EQ(exponents.size(), 135U);
  EXPECT_EQ(exponents, data["exponents"].as<std::vector<int>>());
}

TEST(Mt19937, JumpsReachTheReference) {
  const auto jump_of = [](const std::string& steps) {
    const Gf2Polynomial& phi = detail::mt19937_polynomial();
    if (!steps.starts_with("2^")) return power_of_t(Uint128{std::stoull(steps)}, phi);
    return power_of_t(1, static_cast<unsigned>(std::stoul(steps.substr(2))), phi);
  };
  int jumps = 0;
  for (const auto& run : test_data("mt19937.json")["jumps_from_init_genrand_5489"]) {
    const Streams one(published_ring(5489));
    const Gf2Polynomial jump = jump_of(run["n"].as<std::string>());
    int weight = 0;
    for (const std::uint64_t word : jump.words()) weight += std::popcount(word);
    EXPECT_EQ(weight, run["poly_weight"].as<int>());
    one.jump(jump);
    EXPECT_EQ(draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 5)[0],
              run["next5"].as<Numbers>());
    ++jumps;
  }
  EXPECT_EQ(jumps, 6);
}

TEST(Mt19937Plan, SaysWhyStreamsAreDisjoint) {
  const Mt19937Plan plan(native_ring(4096));
  const auto lines = plan.certificate();
  EXPECT_THAT(lines.back().second, testing::HasSubstr("4096 * 2^130 is less than the period"));
  ASSERT_EQ(plan.facts().size(), 2U);
  EXPECT_EQ(plan.facts()[0].name, "run_seed");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[0].value), native_ring().seed);
  EXPECT_EQ(plan.facts()[1].name, "log2_jump");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[1].value), 128U);
  EXPECT_TRUE(plan.warnings().empty());
  EXPECT_TRUE(plan.columns({0, 4}).empty());
}

TEST(Mt19937Plan, PublishedSeedsHave32Bits) {
  EXPECT_NO_THROW(Mt19937Plan{published_ring(4294967295)});
  EXPECT_NO_THROW(Mt19937Plan{native_ring()});
  EXPECT_EQ(message_of([&] { const Mt19937Plan plan(published_ring(4294967296)); }),
            "streams.seed=4294967296 does not fit (the published seeding of mt19937, "
            "init_genrand, takes 32 bits). Choose from 0 to 4294967295, or set "
            "streams.seeding=native.");
}

}  // namespace
}  // namespace rivulet

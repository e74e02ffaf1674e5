// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

template <class Kind>
using State = typename Tausworthe<Kind>::State;

template <class Kind>
State<Kind> state_of(const YAML::Node& words) {
  State<Kind> state{};
  for (std::size_t i = 0; i < Kind::words; ++i) state.z[i] = words[i].as<std::uint32_t>();
  return state;
}

template <class Kind>
std::vector<std::uint32_t> words_of(const State<Kind>& state) {
  return {state.z, state.z + Kind::words};
}

template <class Kind>
std::vector<std::uint32_t> jumped(State<Kind> state, Uint128 steps) {
  tausworthe_jump<Kind>(steps)(state.z);
  return words_of<Kind>(state);
}

/// Compares the first numbers, the millionth, the XOR of a million, and the final state.
template <class Kind>
void expect_run(const YAML::Node& run) {
  Tausworthe<Kind> engine(state_of<Kind>(run["z"]));
  std::uint32_t sum = 0;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < 1000000; ++i) {
    last = engine();
    sum ^= last;
    if (i < 10) {
      EXPECT_EQ(last, run["first10"][i].as<std::uint32_t>()) << i;
    }
  }
  EXPECT_EQ(last, run["at1e6"].as<std::uint32_t>());
  EXPECT_EQ(sum, run["xor1e6"].as<std::uint32_t>());
  EXPECT_EQ(words_of<Kind>(engine.state()), run["state_at1e6"].as<std::vector<std::uint32_t>>());
}

TEST(HybridTausworthe, GoldenNumbers) {
  for (const auto& run : test_data("hybrid_taus.json")["runs"]) {
    SCOPED_TRACE(run["first10"][0].as<std::string>());
    expect_run<HybridTausworthe>(run);
    const auto start = state_of<HybridTausworthe>(run["z"]);
    std::array<std::uint32_t, 3> components{start.z[0], start.z[1], start.z[2]};
    for (const auto& sum : run["taus88_only_first5"]) {
      components = {TauswortheComponent<31, 13, 12>::step(components[0]),
                    TauswortheComponent<29, 2, 4>::step(components[1]),
                    TauswortheComponent<28, 3, 17>::step(components[2])};
      EXPECT_EQ(components[0] ^ components[1] ^ components[2], sum.as<std::uint32_t>());
    }
  }
}

TEST(HybridTausworthe, JumpsToTheGoldenStates) {
  for (const auto& run : test_data("hybrid_taus.json")["runs"]) {
    const auto start = state_of<HybridTausworthe>(run["z"]);
    const auto expected = [&](const char* what) {
      return run[what].as<std::vector<std::uint32_t>>();
    };
    EXPECT_EQ(jumped<HybridTausworthe>(start, 1000000), expected("state_at1e6"));
    EXPECT_EQ(jumped<HybridTausworthe>(start, Uint128{1} << 40), expected("state_after_2p40"));
    EXPECT_EQ(jumped<HybridTausworthe>(start, Uint128{1} << 64), expected("state_after_2p64"));
    EXPECT_EQ(jumped<HybridTausworthe>(start, Uint128{1} << 100), expected("state_after_2p100"));
  }
}

TEST(Lfsr113, GoldenNumbers) { expect_run<Lfsr113>(test_data("lfsr113.json")); }

TEST(Lfsr113, IsGslsTaus113) {
  const YAML::Node golden = test_data("lfsr113.json")["gsl_seed_1"];
  State<Lfsr113> start;  // gsl_rng_set: each word is 69069 times the one before it
  std::uint32_t word = 1;
  const std::array<std::uint32_t, 4> least{2, 8, 16, 128};
  for (std::size_t i = 0; i < 4; ++i) {
    word *= 69069;
    if (word < least[i]) word += least[i];
    start.z[i] = word;
  }
  Tausworthe<Lfsr113> engine(start);
  engine.discard(10);
  std::vector<std::uint32_t> numbers(10000);
  for (auto& number : numbers) number = engine();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(numbers[i], golden["first3"][i].as<std::uint32_t>());
  }
  EXPECT_EQ(numbers.back(), golden["at1e4"].as<std::uint32_t>());
}

TEST(HybridTauswortheListing, DrawsThePapersNumbers) {
  for (const auto& row : test_data("hybrid_taus.json")["seed003_literal_r0_r3"]["rows"]) {
    Tausworthe<HybridTauswortheListing> engine(
        published_tausworthe_start<HybridTauswortheListing>(row["id"].as<std::uint64_t>()));
    for (const auto& r : row["r"]) EXPECT_EQ(engine(), r.as<std::uint32_t>());
  }
}

TEST(HybridTauswortheListing, SoonRepeatsItself) {
  for (std::uint64_t id = 0; id < 10; ++id) {
    Tausworthe<HybridTauswortheListing> engine(
        published_tausworthe_start<HybridTauswortheListing>(id));
    std::set<std::uint32_t> seen;
    while (seen.insert(engine()).second) {
    }
    EXPECT_LT(seen.size(), 1000000U) << id;
  }
}

/// Returns the minimal polynomial in t (degree <= 32) of a bit sequence, by the Berlekamp-Massey
/// algorithm.
std::uint64_t minimal_polynomial(const std::vector<bool>& bits) {
  std::uint64_t connection = 1;  // bit i: coefficient of the bit that is i places earlier
  std::uint64_t before = 1;
  int degree = 0;
  int since = 1;
  for (std::size_t n = 0; n < bits.size(); ++n) {
    bool discrepancy = false;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(degree) && i <= n; ++i) {
      discrepancy ^= (connection >> i & 1) != 0 && bits[n - i];
    }
    if (!discrepancy) {
      ++since;
    } else if (2 * degree <= static_cast<int>(n)) {
      const std::uint64_t old = connection;
      connection ^= before << since;
      degree = static_cast<int>(n) + 1 - degree;
      before = old;
      since = 1;
    } else {
      connection ^= before << since;
      ++since;
    }
  }
  std::uint64_t reversed = 0;
  for (int i = 0; i <= degree; ++i) {
    reversed |= (connection >> i & 1) << (degree - i);
  }
  return reversed;
}

/// Verifies for four of a component's bits that the minimal polynomial is primitive and has degree
/// k.
template <class Component>
void expect_primitive(const std::vector<std::uint64_t>& factors) {
  const std::uint64_t order = (std::uint64_t{1} << Component::k) - 1;
  std::uint64_t rest = order;
  for (const std::uint64_t factor : factors) rest /= factor;
  ASSERT_EQ(rest, 1U) << "of the factors given";
  for (const int bit : {0, 1, 17, 31}) {
    std::uint32_t z = Component::valid_seed(12345);
    std::vector<bool> bits;
    for (int i = 0; i < 200; ++i) {
      z = Component::step(z);
      bits.push_back((z >> bit & 1) != 0);
    }
    const Gf2Polynomial minimal({minimal_polynomial(bits)});
    EXPECT_EQ(minimal.degree(), Component::k);
    EXPECT_TRUE(is_irreducible(minimal));
    const Gf2Polynomial one({1});
    EXPECT_EQ(power_of_t(Uint128{order}, minimal), one);
    for (const std::uint64_t factor : factors) {
      EXPECT_NE(power_of_t(Uint128{order / factor}, minimal), one) << factor;
    }
  }
}

TEST(TauswortheComponents, HavePrimitivePolynomials) {
  const std::vector<std::uint64_t> of_31{2147483647};
  const std::vector<std::uint64_t> of_29{233, 1103, 2089};
  const std::vector<std::uint64_t> of_28{3, 5, 29, 43, 113, 127};
  const std::vector<std::uint64_t> of_25{31, 601, 1801};
  expect_primitive<TauswortheComponent<31, 13, 12>>(of_31);
  expect_primitive<TauswortheComponent<29, 2, 4>>(of_29);
  expect_primitive<TauswortheComponent<28, 3, 17>>(of_28);
  expect_primitive<TauswortheComponent<31, 6, 18>>(of_31);
  expect_primitive<TauswortheComponent<29, 2, 2>>(of_29);
  expect_primitive<TauswortheComponent<28, 13, 7>>(of_28);
  expect_primitive<TauswortheComponent<25, 3, 13>>(of_25);
}

template <class Component>
void expect_least_seed(std::uint32_t least) {
  EXPECT_EQ(Component::least_seed, least);
  for (std::uint32_t seed = 0; seed < least; ++seed) {
    EXPECT_EQ(Component::step(Component::step(seed)), 0U) << "a dead seed, " << seed;
    EXPECT_EQ(Component::valid_seed(seed), seed + least);
  }
  EXPECT_EQ(Component::valid_seed(least), least);
  EXPECT_NE(Component::step(least), 0U);
}

TEST(TauswortheComponents, SeedsBelowTheLeastAreDead) {
  expect_least_seed<TauswortheComponent<31, 13, 12>>(2);
  expect_least_seed<TauswortheComponent<29, 2, 4>>(8);
  expect_least_seed<TauswortheComponent<28, 3, 17>>(16);
  expect_least_seed<TauswortheComponent<25, 3, 13>>(128);
}

TEST(TauswortheJump, AWholePeriodAndOneIsOneStep) {
  const auto hybrid = native_tausworthe_start<HybridTausworthe>(7);
  const Uint128 period = tausworthe_cycle<HybridTausworthe>().period();
  EXPECT_EQ(jumped<HybridTausworthe>(hybrid, period + 1), jumped<HybridTausworthe>(hybrid, 1));
  EXPECT_NE(jumped<HybridTausworthe>(hybrid, period / 3 + 1), jumped<HybridTausworthe>(hybrid, 1));
  const auto lfsr = native_tausworthe_start<Lfsr113>(7);
  const Uint128 shorter = tausworthe_cycle<Lfsr113>().period();
  EXPECT_EQ(jumped<Lfsr113>(lfsr, shorter + 1), jumped<Lfsr113>(lfsr, 1));
}

}  // namespace
}  // namespace rivulet

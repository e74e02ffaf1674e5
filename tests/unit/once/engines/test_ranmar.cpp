// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "generators/ranmar.hpp"
#include "generators/ranmar_team.hpp"
#include "message_of.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"
#include "test_data.hpp"
#include "warp_of_threads.hpp"

namespace rivulet {
namespace {

const YAML::Node& reference() {
  static const YAML::Node node = test_data("ranmar.json");
  return node;
}

/// The scaled extension with the prime modulus, as the reference vectors interpret it.
struct Ranmar48ScaledPrime : Ranmar48Scaled {
  static constexpr Integer c_modulus = Ranmar48x::c_modulus;
};

/// Return the variants' names in the reference vectors, which do not contain ranmar48_scaled.
std::string reference_name(Ranmar24) { return "ranmar24"; }
std::string reference_name(Ranmar48) { return "ranmar48_corsika"; }
std::string reference_name(Ranmar48ScaledPrime) { return "x48_scaled_thesis_reading"; }
std::string reference_name(Ranmar48x) { return "x48_recommended"; }
std::string reference_name(Ranmar48Scaled) { return {}; }

RanmarSeed seed_of(const YAML::Node& run) {
  return {run["ij"].as<std::int64_t>(), run["kl"].as<std::int64_t>()};
}

template <class V>
class RanmarVariants : public testing::Test {
 protected:
  using Engine = Ranmar<V>;
  using Integer = typename V::Integer;
  using State = RanmarState<V>;

  static void expect_numbers(Engine engine, const YAML::Node& expected, const std::string& what) {
    ASSERT_GE(expected.size(), 4U) << what;
    for (const auto& number : expected) ASSERT_EQ(engine(), number.as<Integer>()) << what;
  }

  /// Returns the significant words of a state.
  static std::vector<Integer> words_of(const State& state) {
    std::vector<Integer> words;
    for (int k = 0; k < state.words; ++k) {
      words.push_back(state.x[(state.next + k) % state.words] & ranmar_mask<V>);
    }
    words.push_back(state.c);
    return words;
  }

  template <class Use>
  static void for_each_reference(Use&& use) {
    int runs = 0;
    for (const auto& run : reference()["runs"]) {
      if (run["variant"].as<std::string>() != reference_name(V())) continue;
      use(published_start<V>(seed_of(run)), run);
      ++runs;
    }
    EXPECT_EQ(runs, reference_name(V()).empty() ? 0 : 5);
  }
};
using Variants = testing::Types<Ranmar24, Ranmar48, Ranmar48Scaled, Ranmar48ScaledPrime, Ranmar48x>;
TYPED_TEST_SUITE(RanmarVariants, Variants);

TYPED_TEST(RanmarVariants, ConstantsAreTheReference) {
  using V = TypeParam;
  this->for_each_reference([](const auto&, const YAML::Node& run) {
    const auto shift = run["c_shift"].as<int>();
    EXPECT_EQ(V::bits, run["word_bits"].as<int>());
    EXPECT_EQ(V::c_start, run["c0"].as<std::uint64_t>() << shift);
    EXPECT_EQ(V::c_step, run["d"].as<std::uint64_t>() << shift);
    EXPECT_EQ(V::c_modulus, run["m"].as<std::uint64_t>() << shift);
  });
}

TYPED_TEST(RanmarVariants, GoldenNumbers) {
  using Engine = Ranmar<TypeParam>;
  this->for_each_reference([&](const auto& start, const YAML::Node& run) {
    this->expect_numbers(Engine(start), run["first10"], "first10");
    Engine engine(start);
    engine.discard(1000000);
    this->expect_numbers(engine, run["after_skip_1e6"], "stepped 10^6");
  });
}

TYPED_TEST(RanmarVariants, GoldenSkips) {
  using Engine = Ranmar<TypeParam>;
  const LaggedFibonacciJump million(1000000);
  const LaggedFibonacciJump billions(1000000000000);
  const LaggedFibonacciJump beyond(1, 100);
  this->for_each_reference([&](const auto& start, const YAML::Node& run) {
    const auto expect = [&](const LaggedFibonacciJump& jump, const std::string& what) {
      this->expect_numbers(Engine(ranmar_jump(start, jump)), run[what], what);
    };
    expect(million, "after_skip_1e6");
    expect(billions, "after_skip_1e12");
    expect(beyond, "after_skip_2p100");
  });
}

TYPED_TEST(RanmarVariants, SkipsAreSteps) {
  Ranmar<TypeParam> stepped(native_start<TypeParam>(1, 2));
  stepped.discard(50);  // not at a round boundary
  const auto start = stepped.state();
  std::uint64_t position = 0;
  for (const std::uint64_t n :
       {0U, 1U, 2U, 33U, 63U, 64U, 96U, 97U, 98U, 127U, 128U, 200U, 12345U, 1000000U}) {
    stepped.discard(n - position);
    position = n;
    const auto jumped = ranmar_jump(start, LaggedFibonacciJump(n));
    EXPECT_EQ(this->words_of(jumped), this->words_of(stepped.state())) << "by " << n;
    EXPECT_EQ(jumped.next, 0);
  }
}

TYPED_TEST(RanmarVariants, LaggedFibonacciPeriod) {
  // Checks that (2^97 - 1) 2^(bits-1) steps are a period, and that half as many are not.
  constexpr unsigned bits = TypeParam::bits;
  const auto start = native_start<TypeParam>(5, 6);
  const auto words_after = [&](unsigned log2) {
    auto words = this->words_of(ranmar_jump(start, LaggedFibonacciJump(1, log2)));
    words.pop_back();
    return words;
  };
  EXPECT_EQ(words_after(97 + bits - 1), words_after(bits - 1));
  EXPECT_NE(words_after(97 + bits - 2), words_after(bits - 2));
}

TYPED_TEST(RanmarVariants, NativeStartsAreDistinctAndOdd) {
  std::vector<std::vector<typename TypeParam::Integer>> starts;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
      starts.push_back(this->words_of(native_start<TypeParam>(seed, stream)));
      typename TypeParam::Integer any = 0;
      for (int w = 0; w < ranmar_words; ++w) any |= starts.back()[static_cast<std::size_t>(w)];
      EXPECT_EQ(any & 1, 1U);
    }
  }
  std::ranges::sort(starts);
  EXPECT_EQ(std::ranges::adjacent_find(starts), starts.end());
}

TEST(Ranmar, PublishedTestOfNumbers20001To20006) {
  // Compares numbers times 2^24 with those of James, Comput. Phys. Commun. 60 (1990) 329. The seed
  // is (1802, 9373).
  Ranmar<Ranmar24> engine(published_start<Ranmar24>({1802, 9373}));
  engine.discard(20000);
  for (const std::uint32_t number :
       {6533892U, 14220222U, 7275067U, 6172232U, 8354498U, 10633180U}) {
    EXPECT_EQ(engine(), number);
  }
}

TEST(Ranmar, GoldenNumbersOfTheScaledExtension) {
  // An independent implementation with Python's integers computed these numbers.
  struct Golden {
    RanmarSeed seed;
    std::vector<std::uint64_t> first;
    std::vector<std::uint64_t> after_million;
  };
  const Golden goldens[] = {{{1802, 9373},
                             {133543109155832, 225387100884287, 145340595363923, 85170298257476},
                             {238917155585424, 203601949935428, 137698863390555, 58367085759000}},
                            {{31328, 30081},
                             {31445188677286, 43692487661948, 156926181926298, 114092711793874},
                             {261510363425183, 199990300367850, 20835225731804, 278963289877914}}};
  for (const Golden& golden : goldens) {
    const auto start = published_start<Ranmar48Scaled>(golden.seed);
    Ranmar<Ranmar48Scaled> engine(start);
    for (const auto number : golden.first) EXPECT_EQ(engine(), number);
    Ranmar<Ranmar48Scaled> later(ranmar_jump(start, LaggedFibonacciJump(1000000)));
    for (const auto number : golden.after_million) EXPECT_EQ(later(), number);
  }
}

TEST(Ranmar, ArithmeticSequencesHaveTheirFullPeriod) {
  EXPECT_EQ(std::gcd(Ranmar24::c_step, Ranmar24::c_modulus), 1U);
  EXPECT_EQ(std::gcd(Ranmar48::c_step, Ranmar48::c_modulus), 1U << 24);
  EXPECT_EQ(std::gcd(Ranmar48Scaled::c_step, Ranmar48Scaled::c_modulus), 1U);
  EXPECT_EQ(std::gcd(Ranmar48x::c_step, Ranmar48x::c_modulus), 1U);
}

TEST(Ranmar, SkipPolynomialIsTheReference) {
  const auto& example = reference()["skip_polynomial_example"];
  const LaggedFibonacciJump jump(example["n"].as<std::uint64_t>());
  ASSERT_EQ(example["coeffs_mod_2p48"].size(), jump.coefficients().size());
  for (std::size_t i = 0; i < jump.coefficients().size(); ++i) {
    EXPECT_EQ(jump.coefficients()[i] & ranmar_mask<Ranmar48>,
              example["coeffs_mod_2p48"][i].as<std::uint64_t>());
  }
}

TEST(Ranmar, SeedsOutOfRangeAreRefused) {
  for (const RanmarSeed seed : {RanmarSeed{-1, 0}, {31329, 0}, {0, -1}, {0, 30082}}) {
    EXPECT_FALSE(is_valid(seed));
    EXPECT_THROW(published_start<Ranmar24>(seed), Error);
    EXPECT_THROW(published_start<Ranmar48>(seed), Error);
    EXPECT_THROW(ranmar_index(seed), Error);
  }
  EXPECT_EQ(message_of([&] {
              require_valid({31329, 7});
            }),
            "RANMAR has no sequence (ij, kl) = (31329, 7) (ij ranges over 0 .. 31328 and kl "
            "over 0 .. 30081). Choose a pair in range.");
  EXPECT_THROW(ranmar_seed(-1), Error);
  EXPECT_THROW(ranmar_seed(RanmarSeed::count), Error);
}

TEST(Ranmar, SequencesAreNumberedInOneRow) {
  EXPECT_EQ(ranmar_index({1802, 9373}), 54217137);  // CORSIKA's default seed
  EXPECT_EQ(RanmarSeed::count, 942438978);
  for (const RanmarSeed seed : {RanmarSeed{0, 0}, {0, 30081}, {1, 0}, {31328, 30081}}) {
    EXPECT_EQ(ranmar_seed(ranmar_index(seed)), seed);
  }
  EXPECT_EQ(ranmar_index({1, 0}), ranmar_index({0, 30081}) + 1);
}

/// Returns true if all products in the published seeding are 1 or -1 modulo 179.
bool degenerate(unsigned i, unsigned j, unsigned k) {
  const auto trivial = [](unsigned value) { return value == 1 || value == 178; };
  return trivial(i) && trivial(j) && trivial(k);
}

std::uint64_t weak_streams(std::int64_t ij, std::int64_t kl, std::uint64_t streams) {
  StreamRequest request{.streams = streams, .seeding = Seeding::published};
  request.options.at(ij_option) = static_cast<std::uint64_t>(ij);
  request.options.at(kl_option) = static_cast<std::uint64_t>(kl);
  return RanmarPlan(Ranmar48::bits, request).weak_streams();
}

TEST(Ranmar, WeakSeedsAre338) {
  std::uint64_t all = 0;
  for (std::int64_t ij = 0; ij < RanmarSeed::ij_limit; ++ij) {
    const auto i = static_cast<unsigned>(ij / 177 % 177 + 2);
    const auto j = static_cast<unsigned>(ij % 177 + 2);
    std::uint64_t weak = 0;
    if (degenerate(i, j, 1)) {
      for (std::int64_t kl = 0; kl < RanmarSeed::kl_limit; ++kl) {
        const bool expected = degenerate(i, j, static_cast<unsigned>(kl / 169 % 178 + 1));
        ASSERT_EQ(weak_streams(ij, kl, 1), expected ? 1 : 0) << ij << ' ' << kl;
        weak += expected ? 1 : 0;
      }
    }
    ASSERT_EQ(weak_streams(ij, 0, RanmarSeed::kl_limit), weak) << ij;
    all += weak;
  }
  EXPECT_EQ(all, 338U);
}

TEST(Ranmar, CertificateBoundsTheChanceOfAnOverlap) {
  const StreamRequest request{.streams = 1024, .numbers_per_stream = 1 << 20};
  const auto bound = [&](int bits) {
    const std::string text = RanmarPlan(bits, request).certificate().back().second;
    return text.substr(text.rfind(' ') + 1);
  };
  // The bound is 2^20 pairs of streams, times 2^20 numbers, divided by 2^(97 * bits).
  EXPECT_EQ(bound(Ranmar24::bits), "2^-2288");
  EXPECT_EQ(bound(Ranmar48::bits), "2^-4616");
}

/// Streams in memory. Each stream has 97 words and an arithmetic term.
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

  /// Compares a team's draws, in batches of all lengths, with sequential draws.
  template <class Team>
  static void expect_the_sequence() {
    Ranmar<V> sequential(native_start<V>(14, 15));
    for (int i = 0; i < ranmar_words; ++i) sequential();
    using Memory = RanmarMemory<V>;
    typename Memory::Words words = Memory::words_of(sequential.state());
    constexpr int lanes = 0;  // ignored by vectors
    std::vector<std::uint64_t> scratch((Team::scratch_bytes + 7) / 8);
    Team team(lanes, Memory{&words}, 0, scratch.data());
    for (int i = 0; i < 3 * Team::team_numbers; ++i) {
      const int numbers = i % 7 == 0 ? Team::team_numbers : 1 + i % Team::team_numbers;
      // The element after the last number must stay untouched.
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
using TeamVariants = testing::Types<Ranmar24, Ranmar48x>;
TYPED_TEST_SUITE(RanmarTeams, TeamVariants);

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
        const auto s = static_cast<std::size_t>(lane.index / Team::members);
        Team team(lane, Memory{words.data()}, s, nullptr, back);
        for (int step = 0; step < steps; ++step) {
          team.next(lane, &drawn[s][static_cast<std::size_t>(
                              Team::step * step + Team::run * (lane.index % Team::members))]);
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

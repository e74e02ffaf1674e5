// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that streams of the C++ library yield the same numbers in a caller's kernels as in
// Rivulet's CLI. The tests include the highest ids, whose sums and products do not fit in 64 bits.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/generators.hpp"
#include "library_drawing.hpp"
#include "ready_generators.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr std::uint64_t seed = 20261122;
/// Larger than the number of state words of any generator, and not a multiple of any such number.
constexpr std::uint64_t numbers = 701;

template <class G>
class LibraryStreams : public testing::Test {
 public:
  static Streams<G> make(std::uint64_t first, std::uint64_t count = enough_streams<G>) {
    return Streams<G>(Exec(), options(first, count));
  }
  static StreamsOptions options(std::uint64_t first, std::uint64_t count = enough_streams<G>) {
    return with_sets<G>({.count = count, .seed = seed, .first = first, .sets = {}});
  }
  static void expect_program_numbers(std::uint64_t first, std::uint64_t count) {
    EXPECT_TRUE(drawn(Exec(), make(first, count), numbers) ==
                program_numbers(Streams<G>::name(), options(first, count), numbers))
        << "streams from " << first << " on";
  }
};
TYPED_TEST_SUITE(LibraryStreams, LibraryGenerators, NameOfLibraryGenerator);

/// A single template serves all generators, so representatives suffice.
template <class G>
class LibraryStreamsOf : public LibraryStreams<G> {};
TYPED_TEST_SUITE(LibraryStreamsOf, TestedGenerators, NameOfLibraryGenerator);

template <class G>
constexpr std::uint64_t far_stream() {
  // Tausworthe generators have room for at least 2^47 streams. Other generators on one cycle have
  // room for 2^62 streams.
  constexpr int log2 = detail::TauswortheGenerator<G> ? 46 : detail::CycleGenerator<G> ? 61 : 63;
  return (std::uint64_t{1} << log2) + 12345;
}

TYPED_TEST(LibraryStreams, DrawWhatTheProgramDraws) {
  this->expect_program_numbers(0, enough_streams<TypeParam>);
  this->expect_program_numbers(0, 1);
  this->expect_program_numbers(1000, enough_streams<TypeParam>);
  this->expect_program_numbers(390, 20);
}

/// Checks the first streams of all 200 sets, and the second streams of three sets, whose starts are
/// computed by jumps.
TEST(LibraryStreamsOfMtgp, DrawWhatTheProgramDraws) {
  LibraryStreams<Mtgp11213>::expect_program_numbers(0, 203);
}

TYPED_TEST(LibraryStreams, DrawWhatTheProgramDrawsFarAway) {
  this->expect_program_numbers(far_stream<TypeParam>(), 40);
}

TYPED_TEST(LibraryStreamsOf, AreOfTheSeed) {
  const Streams<TypeParam> other(Exec(), with_sets<TypeParam>({.count = 2, .seed = seed + 1}));
  EXPECT_FALSE(drawn(Exec(), this->make(0, 2), 10) == drawn(Exec(), other, 10));
  EXPECT_EQ(other.seed(), seed + 1);
  const Streams<TypeParam> with_defaults(with_sets<TypeParam>({}));
  EXPECT_EQ(with_defaults.count(), 1U);
  EXPECT_EQ(with_defaults.seed(), default_seed);
}

TYPED_TEST(LibraryStreamsOf, CloseAndOpenFromAnyPosition) {
  const auto streams = this->make(7, 50);
  const NumberList at_once = drawn(Exec(), streams, numbers);
  streams.restart(Exec());
  EXPECT_TRUE(drawn(Exec(), streams, numbers, {1, 3, 97, 2, 0, 130, 5, 33}) == at_once);
  streams.restart(Exec());
  EXPECT_TRUE(drawn(Exec(), streams, 333) == part(at_once, numbers, 0, 333));
  EXPECT_TRUE(drawn(Exec(), streams, numbers - 333) == part(at_once, numbers, 333, numbers - 333));
}

TYPED_TEST(LibraryStreamsOf, EnginesAreUniformRandomBitGenerators) {
  using Engine = typename Streams<TypeParam>::Engine;
  static_assert(std::uniform_random_bit_generator<Engine>);
  const NumberList some = drawn(Exec(), this->make(3, 20), 2000);
  std::uint64_t any = 0;
  std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t number : some) {
    ASSERT_LE(number, std::uint64_t{Engine::max()});
    any |= number;
    all &= number;
  }
  EXPECT_EQ(Engine::min(), 0U);
  EXPECT_EQ(any, std::uint64_t{Engine::max()}) << "every bit is set in some number";
  EXPECT_EQ(all, 0U);
  EXPECT_EQ(any, ~std::uint64_t{0} >> (64 - built_generator(Streams<TypeParam>::name()).bits));
}

TYPED_TEST(LibraryStreamsOf, JumpsAreSteps) {
  const auto streams = this->make(600, 6);
  const auto start = streams.save(Exec());
  const NumberList stepped = drawn(Exec(), streams, 70001);
  for (const std::uint64_t jump : {0, 1, 2, 623, 1000, 65536}) {
    for (const std::uint64_t before : {0, 1, 700}) {
      streams.restore(Exec(), start);
      drawn(Exec(), streams, before);
      streams.jump(Exec(), jump);
      EXPECT_TRUE(drawn(Exec(), streams, 1500) == part(stepped, 70001, before + jump, 1500))
          << jump << " from " << before << " on";
    }
  }
}

TYPED_TEST(LibraryStreams, FarJumpsAreSumsOfShorterOnes) {
  const auto at_once = this->make(9, 3);
  const auto in_two = this->make(9, 3);
  const auto expect_same = [&](Uint128 first_jump, Uint128 second_jump) {
    at_once.jump(Exec(), first_jump + second_jump);
    in_two.jump(Exec(), first_jump);
    in_two.jump(Exec(), second_jump);
    EXPECT_TRUE(drawn(Exec(), at_once, 41) == drawn(Exec(), in_two, 41));
  };
  // JumpsAreSteps checks that a jump of 2^16 equals 2^16 steps. From there, this test proceeds by
  // induction.
  constexpr int most = detail::CountsSteps<TypeParam> ? 20 : 32;
  for (int log2 = 17; log2 <= most; ++log2) {
    expect_same(Uint128{1} << (log2 - 1), Uint128{1} << (log2 - 1));
  }
  if (detail::CountsSteps<TypeParam>) return;  // jumps are steps
  expect_same(Uint128{1} << 32, 5);
  expect_same(Uint128{1} << 61, Uint128{1} << 61);
  if (detail::TauswortheGenerator<TypeParam>) return;  // streams of 2^64 numbers
  if (detail::CycleGenerator<TypeParam>) return;       // streams of 2^64 and 2^65 numbers
  expect_same(Uint128{1} << 63, Uint128{1} << 63);     // from 64 bits to more
  expect_same((Uint128{5} << 62) - 7, 3);
  if (detail::CounterBased<TypeParam>) return;  // streams of 2^66 and 2^67 numbers
  expect_same(Uint128{1} << 69, Uint128{1} << 69);
  expect_same(Uint128{1} << 64, 1);
  expect_same(Uint128{1} << 126, (Uint128{1} << 126) - 1);
}

TYPED_TEST(LibraryStreamsOf, RestoredStreamsContinueMidSequence) {
  const auto streams = this->make(600, 70);
  drawn(Exec(), streams, 123);
  const auto saved = streams.save(Exec());
  const NumberList next = drawn(Exec(), streams, numbers);
  const auto other = this->make(600, 70);
  other.restore(Exec(), saved);
  EXPECT_TRUE(other.save(Exec()) == saved);
  EXPECT_TRUE(drawn(Exec(), other, numbers) == next);
  streams.restore(Exec(), saved);
  EXPECT_TRUE(drawn(Exec(), streams, numbers) == next);
  streams.restore(Exec(), saved);
  streams.jump(Exec(), 300);
  EXPECT_TRUE(drawn(Exec(), streams, 100) == part(next, numbers, 300, 100));
}

TYPED_TEST(LibraryStreamsOf, CopiesShareTheStreams) {
  const auto streams = this->make(0, 5);
  const NumberList at_once = drawn(Exec(), streams, 20);
  streams.restart(Exec());
  Streams<TypeParam> copy = streams;
  EXPECT_TRUE(drawn(Exec(), copy, 7) == part(at_once, 20, 0, 7));
  EXPECT_TRUE(drawn(Exec(), streams, 13) == part(at_once, 20, 7, 13));
  copy = Streams<TypeParam>();  // `streams` keeps the memory
  streams.restart(Exec());
  EXPECT_TRUE(drawn(Exec(), streams, 20) == at_once);
}

TYPED_TEST(LibraryStreamsOf, MayBeNone) {
  const auto none = this->make(5, 0);
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.first(), 5U);
  EXPECT_EQ(none.bytes(), 0U);
  none.restart(Exec());
  none.jump(Exec(), 77);
  none.restore(Exec(), none.save(Exec()));
  EXPECT_TRUE(drawn(Exec(), none, 3).empty());
  EXPECT_EQ(Streams<TypeParam>().count(), 0U);
}

TYPED_TEST(LibraryStreamsOf, SayWhatKeepsThemApart) {
  const auto streams = this->make(600, 70);
  const Certificate certificate = streams.certificate();
  ASSERT_GE(certificate.size(), 4U);
  EXPECT_EQ(certificate[0],
            std::make_pair(std::string("generator"), std::string(Streams<TypeParam>::name())));
  EXPECT_EQ(certificate[1], std::make_pair(std::string("seed"), std::to_string(seed)));
  EXPECT_EQ(certificate[2], std::make_pair(std::string("streams"), std::string("600 to 669")));
  for (const auto& [name, text] : certificate) EXPECT_FALSE(name.empty() || text.empty());
}

TEST(LibraryStreams, CertificatesCountStreamsAndSets) {
  const auto last_of = [](const Certificate& certificate) { return certificate.back().second; };
  EXPECT_EQ(last_of(Streams<HybridTausworthe>({.count = 5, .first = 10}).certificate()),
            "15 * 2^66 is at most the period, and no stream draws more than 2^64 numbers, which is "
            "at most 2^64: no two meet");
  const auto source_of = [](const StreamsOptions& options) {
    for (const auto& [name, text] : Streams<Dcmt521>(options).certificate()) {
      if (name == "parameter source") return text;
    }
    return std::string();
  };
  EXPECT_EQ(source_of({.count = 2}), "shipped");
  DcmtSets some = shipped_dcmt(521);
  some.sets.resize(3);
  EXPECT_EQ(source_of({.count = 2, .sets = some}), "the program's own");
}

/// Checks that the certificates agree word for word, except for the maximum count of numbers drawn
/// per stream. Only Rivulet's CLI knows this maximum in advance. The library states the largest
/// possible count.
TEST(LibraryStreams, CertificatesOfCountersAreTheProgramsOwn) {
  const Streams<Philox4x32> streams({.count = 5, .first = 10});
  const StreamRequest request{.streams = 15, .numbers_per_stream = 123456789};
  std::string ours = "generator: philox4x32\nseed: 20261120\nstreams: 10 to 14\n";
  for (const auto& [name, text] :
       built_generator("philox4x32").plan(request, io::Communicator::self())->certificate()) {
    ours += name + ": " + text + "\n";
  }
  std::string theirs;
  for (const auto& [name, text] : streams.certificate()) theirs += name + ": " + text + "\n";
  const std::string most = "draws 123456789 at most";
  ours.replace(ours.find(most), most.size(), "draws 2^66 at most");
  EXPECT_EQ(theirs, ours);
}

/// Draws numbers beyond the first 2^64 of a stream, which a 64-bit index cannot reach.
TEST(LibraryStreams, OfCountersHaveTheProgramsRange) {
  const Streams<Philox4x32> streams({.count = 3, .seed = seed});
  for (int i = 0; i < 2; ++i) streams.jump(Exec(), (Uint128{1} << 65) - 7);  // to 2^66 - 14
  const NumberList far = drawn(Exec(), streams, 11);
  for (std::uint64_t s = 0; s < 3; ++s) {
    detail::CounterEngine<Philox4x32> rng(seed, s, ~std::uint64_t{0} - 3);  // from 2^66 - 16 on
    rng.discard(2);
    for (std::uint64_t i = 0; i < 11; ++i) EXPECT_EQ(far[s * 11 + i], rng()) << s << ", " << i;
  }
}

template <template <class...> class List, class... G>
std::set<std::string_view> names_of(List<G...>) {
  return {Streams<G>::name()...};
}

TEST(LibraryGenerators, AreThoseOfTheList) {
  std::set<std::string_view> listed;
  for (const Generator* one : generators()) listed.insert(one->name);
  // Only the list of Rivulet's CLI has this generator, which reproduces a paper's misprints.
  EXPECT_EQ(listed.erase("hybrid_tausworthe_listing"), 1U);
  EXPECT_EQ(names_of(LibraryGenerators{}), listed);
}

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

/// Returns one more than the last stream's id.
template <class G>
std::uint64_t end_of_streams() {
  if constexpr (detail::TauswortheGenerator<G>) return tausworthe_cycle<G>().max_streams();
  if constexpr (detail::CycleGenerator<G> && !detail::CountsSteps<G>) return two_to_63 >> 1;
  return ~std::uint64_t{0};
}

template <class G>
Streams<G> make(std::uint64_t first, std::uint64_t count) {
  return Streams<G>(Exec(), with_sets<G>({.count = count, .seed = 1, .first = first}));
}

template <class G>
class LibraryLastStreams : public testing::Test {};
TYPED_TEST_SUITE(LibraryLastStreams, LibraryGenerators, NameOfLibraryGenerator);

/// Compares the streams of a range with the same streams created one by one. The streams of a range
/// share jumps from the seeded states of several sets, but single streams do not.
template <class G>
void expect_single_streams(std::uint64_t first, std::uint64_t count) {
  const NumberList all = drawn(Exec(), make<G>(first, count), 3);
  for (std::uint64_t s = 0; s < count; s += s + 2 < count && s > 1 ? count / 3 : 1) {
    EXPECT_TRUE(drawn(Exec(), make<G>(first + s, 1), 3) == part(all, 3 * count, 3 * s, 3))
        << first << " + " << s << " of " << count;
  }
}
TYPED_TEST(LibraryLastStreams, AreEachItself) {
  const std::uint64_t end = end_of_streams<TypeParam>();
  for (const std::uint64_t count : {1, 2, 5, 600}) {
    if (count > 100 && enough_streams<TypeParam> < 1000) continue;  // twisters of many words
    expect_single_streams<TypeParam>(end - count, count);
    if (end <= two_to_63) continue;
    for (const std::uint64_t first : {two_to_63 - count / 2, two_to_63, two_to_63 + 7}) {
      expect_single_streams<TypeParam>(first, count);
    }
  }
  for (const std::uint64_t first : {0xc000000000000005u, 0 - std::uint64_t{512}}) {
    if (first < end) expect_single_streams<TypeParam>(first, 3);
  }
}

/// Numbers 0 and 1 of the last stream of seed 1. tests/cli/starts.py and starts_on_a_cycle.py
/// compute them from formulas alone.
const std::map<std::string_view, NumberList> by_formulas{
    {"philox4x32", {0x6195df20, 0xded9e447}},
    {"philox4x32_7", {0xeacd388b, 0xeff007e8}},
    {"xoshiro256pp", {0x5ea66629, 0xc5aa96d8}},
    {"pcg64dxsm", {0x947eeda7, 0xc4de8b9e}},
    {"sfc64", {0xfdbc9cfc, 0x7d05ff85}},
    {"mrg32k3a", {0x381d1a72, 0x2dc38a3a}},
    {"ranluxpp", {0x8e39e86aeed2, 0x59c2b3a6eb38}},
    {"mixmax17", {0xa1f4525c9ca0, 0x8fd972c1c904}},
    {"hybrid_tausworthe", {0x37fcb6b8, 0x1607ba57}},
    {"lfsr113", {0x5fbe1af9, 0xca2c4061}},
    {"dcmt521", {0x04009dc2, 0xfc65c0ff}},
    {"dcmt607", {0xe4aca5e0, 0x0d81ba51}},
    {"mt19937", {0xf05a2954, 0xade2b40c}},
    {"mtgp11213", {0xb02ef420, 0x88dbf83b}},
    {"ranmar24", {0x0098ec3a, 0x00c34610}},
    {"ranmar48", {0x880ebf55eaef, 0xe85196a77fe1}},
    {"ranmar48_scaled", {0xdba04702b6b7, 0x9f6b9a718705}},
    {"ranmar48x", {0x4dba54dd556b, 0xa44f951f7fca}},
};
TYPED_TEST(LibraryLastStreams, AreWhereTheFormulasSay) {
  const auto found = by_formulas.find(Streams<TypeParam>::name());
  if (found == by_formulas.end()) return;  // not listed: dcmt with p > 607, 64-bit counters
  EXPECT_EQ(drawn(Exec(), make<TypeParam>(end_of_streams<TypeParam>() - 1, 1), 2), found->second);
}

}  // namespace
}  // namespace rivulet

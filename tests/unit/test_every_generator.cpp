// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares every generator in the list with its scalar engine, which runs in the default execution
// space (the device). Golden words are in each generator's own test.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "any_plan.hpp"
#include "generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "listed_generators.hpp"
#include "rivulet/error.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t streams = 75;  // not a multiple of the vector or warp width
constexpr std::uint64_t numbers = 1511;

template <class G>
std::unique_ptr<StreamPlan> plan_of(std::uint64_t count = streams) {
  return any_plan<G>({.streams = count});
}

/// Streams of a range at their starts, and their starter.
template <class G>
struct Started {
  typename G::Streams streams;
  typename G::Starter starter;

  Started(const StreamPlan& plan, StreamRange range)
      : streams(dynamic_cast<const typename G::Plan&>(plan), range),
        starter(dynamic_cast<const typename G::Plan&>(plan), range) {
    starter.seed(Space(), streams);
  }
  std::vector<std::uint64_t> numbers(std::uint64_t count) const {
    return scalar_numbers(streams, count);
  }
};

/// Converts raw numbers to uint32 as defined in docs/fill.md.
std::vector<std::uint32_t> words_of(const std::vector<std::uint64_t>& raw, int bits) {
  std::vector<std::uint32_t> words;
  if (bits >= 32) {
    for (const std::uint64_t one : raw)
      words.push_back(static_cast<std::uint32_t>(one >> (bits - 32)));
    return words;
  }
  for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
    words.push_back(static_cast<std::uint32_t>(raw[i] >> 8 << 16 | raw[i + 1] >> 8));
  }
  return words;
}

/// Returns each stream's words, drawn by the library with the mapping, in two pieces.
std::vector<std::uint32_t> drawn_words(const StreamPlan& plan, StreamMapping mapping,
                                       std::uint64_t count) {
  const Space space;
  const auto source =
      make_number_source(space, plan, {0, streams}, {NumberType::uint32, {}, mapping, 1});
  source->restart();
  const Kokkos::View<std::uint32_t*, Space> to("rivulet::test", streams * count);
  constexpr std::uint64_t first = 333;
  source->draw({0, streams, 0, first}, {count, 1}, to.data());
  source->draw({0, streams, first, count - first}, {count, 1}, to.data() + first);
  return host_copy(to);
}

template <class G>
class EveryGenerator : public testing::Test {};

TYPED_TEST_SUITE(EveryGenerator, ListedGenerators, NameOfGenerator);

/// Returns each stream's words, drawn by its scalar engine.
template <class G>
std::vector<std::uint32_t> scalar_words(const StreamPlan& plan, std::uint64_t count) {
  const std::uint64_t of_stream = count * generator_of<G>().numbers_per_word();
  const auto raw = scalar_numbers(plan, {0, streams}, of_stream);
  std::vector<std::uint32_t> all;
  for (std::uint64_t s = 0; s < streams; ++s) {
    const auto begin = raw.begin() + static_cast<std::ptrdiff_t>(s * of_stream);
    const auto words =
        words_of({begin, begin + static_cast<std::ptrdiff_t>(of_stream)}, generator_of<G>().bits);
    all.insert(all.end(), words.begin(), words.end());
  }
  return all;
}

TYPED_TEST(EveryGenerator, EveryMappingDrawsWhatItsScalarEngineDraws) {
  const Generator& generator = generator_of<TypeParam>();
  const auto plan = plan_of<TypeParam>();
  const std::uint64_t count = numbers / generator.numbers_per_word();
  const auto expected = scalar_words<TypeParam>(*plan, count);
  ASSERT_FALSE(generator.mappings.empty());
  for (const StreamMapping mapping : generator.mappings) {
    EXPECT_EQ(drawn_words(*plan, mapping, count), expected) << name_of(mapping);
  }
}

TYPED_TEST(EveryGenerator, RefusesTheMappingsThatItLacks) {
  const auto plan = plan_of<TypeParam>();
  for (const StreamMapping mapping : {StreamMapping::lane, StreamMapping::team}) {
    if (plan->generator().has(mapping)) continue;
    EXPECT_THROW(
        make_number_source(Space(), *plan, {0, streams}, {NumberType::uint32, {}, mapping, 1}),
        Error);
    EXPECT_THROW(make_pi_counter(Space(), *plan, {0, streams}, mapping, {}), Error);
  }
}

/// The ranges begin and end before, at and after multiples of the vector and warp width, and around
/// stream 200, where the sets of mtgp11213 repeat.
TYPED_TEST(EveryGenerator, ARangeHasTheStreamsOfTheWhole) {
  constexpr std::uint64_t of_each = 40;
  const auto plan = plan_of<TypeParam>(1037);
  const auto whole = Started<TypeParam>(*plan, {0, 1037}).numbers(of_each);
  for (const StreamRange range : {StreamRange{0, 5},
                                  {1, 1},
                                  {3, 40},
                                  {31, 2},
                                  {32, 38},
                                  {64, 64},
                                  {64, 0},
                                  {199, 2},
                                  {100, 31},
                                  {250, 400},
                                  {517, 520},
                                  {1036, 1}}) {
    const auto part = Started<TypeParam>(*plan, range).numbers(of_each);
    ASSERT_EQ(part.size(), range.count * of_each);
    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                           whole.begin() + static_cast<std::ptrdiff_t>(range.first * of_each)))
        << range.first << " + " << range.count;
  }
}

/// Returns every stream's numbers from number `first` on.
std::vector<std::uint64_t> from(const std::vector<std::uint64_t>& all, std::uint64_t of_each,
                                std::uint64_t first) {
  std::vector<std::uint64_t> rest;
  for (std::uint64_t begin = 0; begin < all.size(); begin += of_each) {
    rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(begin + first),
                all.begin() + static_cast<std::ptrdiff_t>(begin + of_each));
  }
  return rest;
}

TYPED_TEST(EveryGenerator, AdvancingIsStepping) {
  constexpr std::uint64_t round = TypeParam::Streams::round_numbers;
  constexpr std::uint64_t rest = 100;
  const auto plan = plan_of<TypeParam>();
  Started<TypeParam> moved(*plan, {0, streams});
  const auto start = moved.numbers(rest);
  for (const std::uint64_t rounds : {0, 1, 2, 101}) {
    const std::uint64_t of_each = rounds * round + rest;
    const auto stepped = from(moved.numbers(of_each), of_each, rounds * round);
    moved.starter.advance(Space(), moved.streams, rounds);
    EXPECT_EQ(moved.numbers(rest), stepped) << rounds;
  }
  moved.starter.seed(Space(), moved.streams);
  EXPECT_EQ(moved.numbers(rest), start) << "seeding again starts again";
}

TYPED_TEST(EveryGenerator, AdvancesFarInOneJumpAsInThree) {
  const auto plan = plan_of<TypeParam>();
  Started<TypeParam> once(*plan, {0, streams});
  Started<TypeParam> thrice(*plan, {0, streams});
  const Uint128 far = (Uint128{1} << (generator_of<TypeParam>().jumps ? 60 : 16)) + 12345;
  once.starter.advance(Space(), once.streams, far);
  thrice.starter.advance(Space(), thrice.streams, 3217);
  thrice.starter.advance(Space(), thrice.streams, far / 2);
  thrice.starter.advance(Space(), thrice.streams, far - far / 2 - 3217);
  EXPECT_EQ(once.numbers(100), thrice.numbers(100));
}

TEST(GeneratorList, NamesAreUniqueAndFactsComplete) {
  std::set<std::string_view> names;
  for (const Generator* one : generators()) {
    EXPECT_TRUE(names.insert(one->name).second) << one->name;
    EXPECT_FALSE(one->doc.empty() || one->period.empty()) << one->name;
    EXPECT_EQ(one->disjoint.empty(), one->name == "hybrid_tausworthe_listing") << one->name;
    EXPECT_TRUE(one->bits == 24 || one->bits == 32 || one->bits == 48) << one->name;
    EXPECT_EQ(find_generator(one->name), one);
    for (const GeneratorOption* option : one->options) {
      EXPECT_LE(option->least, option->fallback) << option->name;
      EXPECT_LE(option->fallback, option->most) << option->name;
      EXPECT_EQ(find_generator_option(option->name), option);
    }
  }
  EXPECT_EQ(find_generator("no such"), nullptr);
}

}  // namespace
}  // namespace rivulet

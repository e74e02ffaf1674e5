// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every generator of the list, by its scalar engine, run where streams are: on the device. Whoever
// adds a line to the list is tested here.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "any_plan.hpp"
#include "kernels/generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "listed_generators.hpp"
#include "rivulet/error.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t streams = 75;  // no whole number of vectors or warps
constexpr std::uint64_t numbers = 1511;

template <class G>
std::unique_ptr<StreamPlan> plan_of() {
  StreamRequest request;
  request.streams = streams;
  return any_plan<G>(request);
}

/// uint32 of the library as docs/fill.md makes it of raw numbers.
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

/// Words of each stream that the library draws by a mapping, in two pieces.
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
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  return {host.data(), host.data() + host.extent(0)};
}

/// A test of its own for each line of the list.
template <class G>
class EveryGenerator : public testing::Test {};

TYPED_TEST_SUITE(EveryGenerator, ListedGenerators, NameOfGenerator);

TYPED_TEST(EveryGenerator, EveryMappingDrawsWhatItsScalarEngineDraws) {
  const Generator& generator = generator_of<TypeParam>();
  const auto plan = plan_of<TypeParam>();
  const auto raw = scalar_numbers(*plan, {0, streams}, numbers);
  const std::uint64_t count = numbers / generator.numbers_per_word();
  std::vector<std::uint32_t> expected;
  for (std::uint64_t s = 0; s < streams; ++s) {
    const auto begin = raw.begin() + static_cast<std::ptrdiff_t>(s * numbers);
    const auto words =
        words_of({begin, begin + static_cast<std::ptrdiff_t>(numbers)}, generator.bits);
    expected.insert(expected.end(), words.begin(), words.end());
  }
  ASSERT_FALSE(generator.mappings.empty());
  for (const StreamMapping mapping : generator.mappings) {
    EXPECT_EQ(drawn_words(*plan, mapping, count), expected) << name_of(mapping);
  }
}

TYPED_TEST(EveryGenerator, RefusesTheMappingsThatItLacks) {
  const auto plan = plan_of<TypeParam>();
  for (const StreamMapping mapping : stream_mappings) {
    if (plan->generator().has(mapping)) continue;
    EXPECT_THROW(
        make_number_source(Space(), *plan, {0, streams}, {NumberType::uint32, {}, mapping, 1}),
        Error);
    EXPECT_THROW(make_pi_counter(Space(), *plan, {0, streams}, mapping, {}), Error);
  }
}

TYPED_TEST(EveryGenerator, CountsTheSamePointsByEveryMapping) {
  const auto plan = plan_of<TypeParam>();
  std::set<std::vector<std::uint64_t>> all;
  for (const StreamMapping mapping : plan->generator().mappings) {
    for (const PiKernel kernel : {PiKernel::fused, PiKernel::stored}) {
      for (const PointKind point : {PointKind::packed, PointKind::pair}) {
        const auto counter = make_pi_counter(Space(), *plan, {0, streams}, mapping,
                                             {kernel, PointMapping::centred, point, 0});
        counter->restart();
        const StreamShare share{streams * 3001 + 7, streams};
        const std::uint64_t step = 3 * counter->round_points();
        for (std::uint64_t begin = 0; begin < share.most(); begin += step) {
          counter->count({share, begin, std::min(begin + step, share.most())});
        }
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counter->hits());
        std::vector<std::uint64_t> hits(host.data(), host.data() + host.extent(0));
        hits.push_back(static_cast<std::uint64_t>(point));
        all.insert(hits);
      }
    }
  }
  EXPECT_EQ(all.size(), 2U);  // of packed points and of pairs
}

TYPED_TEST(EveryGenerator, AdvancesAndComesBack) {
  const auto plan = plan_of<TypeParam>();
  const Space space;
  for (const StreamMapping mapping : plan->generator().mappings) {
    const auto source =
        make_number_source(space, *plan, {0, streams}, {NumberType::uint32, {}, mapping, 1});
    source->restart();
    const std::uint64_t period = source->period();
    const Kokkos::View<std::uint32_t*, Space> first("rivulet::test", streams * period);
    const Kokkos::View<std::uint32_t*, Space> second("rivulet::test", streams * period);
    const auto same = [&] {
      space.fence();
      const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), first);
      const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), second);
      return std::memcmp(a.data(), b.data(), a.extent(0) * sizeof(std::uint32_t)) == 0;
    };
    for (std::uint64_t p = 0; p < 5; ++p) {
      source->draw({0, streams, p * period, period}, {period, 1}, first.data());
    }
    const auto saved = source->save();  // after five periods
    source->restart();
    source->draw({0, streams, 0, period}, {period, 1}, second.data());
    EXPECT_FALSE(same());
    source->advance(3);
    source->draw({0, streams, 0, period}, {period, 1}, second.data());
    EXPECT_TRUE(same()) << "the fifth period, by advancing from the second one's start";
    source->draw({0, streams, period, period}, {period, 1}, first.data());
    source->restore(saved);
    source->draw({0, streams, 0, period}, {period, 1}, second.data());
    EXPECT_TRUE(same()) << "the sixth, by restoring";
  }
}

TEST(GeneratorList, NamesAreUniqueAndFactsComplete) {
  std::set<std::string_view> names;
  for (const Generator* one : generators()) {
    EXPECT_TRUE(names.insert(one->name).second) << one->name;
    EXPECT_FALSE(one->doc.empty() || one->period.empty() || one->disjoint.empty()) << one->name;
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

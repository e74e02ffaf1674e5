// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "battery/test_class.hpp"
#include "battery_words.hpp"
#include "rivulet/error.hpp"
#include "sequences/sequence.hpp"

namespace rivulet {
namespace {

// What TestU01 counted in the same words (tests/data/battery_counts.json).
const YAML::Node& reference() {
  static const YAML::Node node =
      YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/battery_counts.json");
  return node;
}

const std::map<std::string, TestKind> kinds{{"birthday_spacings", TestKind::birthday_spacings},
                                            {"collision", TestKind::collision},
                                            {"gap", TestKind::gap},
                                            {"simp_poker", TestKind::simp_poker},
                                            {"coupon_collector", TestKind::coupon_collector},
                                            {"max_oft", TestKind::max_oft},
                                            {"weight_distrib", TestKind::weight_distrib},
                                            {"matrix_rank", TestKind::matrix_rank},
                                            {"linear_comp", TestKind::linear_comp},
                                            {"hamming_indep", TestKind::hamming_indep},
                                            {"random_walk", TestKind::random_walk},
                                            {"serial_over", TestKind::serial_over},
                                            {"collision_over", TestKind::collision_over},
                                            {"number_run", TestKind::number_run},
                                            {"permutation", TestKind::permutation},
                                            {"collision_permut", TestKind::collision_permut},
                                            {"sample_prod", TestKind::sample_prod},
                                            {"sample_mean", TestKind::sample_mean},
                                            {"sample_corr", TestKind::sample_corr},
                                            {"appearance_spacings", TestKind::appearance_spacings},
                                            {"sum_collector", TestKind::sum_collector},
                                            {"savir2", TestKind::savir2},
                                            {"gcd", TestKind::gcd},
                                            {"longest_head_run", TestKind::longest_head_run},
                                            {"periods_in_strings", TestKind::periods_in_strings},
                                            {"hamming_weight2", TestKind::hamming_weight2},
                                            {"hamming_corr", TestKind::hamming_corr},
                                            {"bit_run", TestKind::bit_run},
                                            {"autocor", TestKind::autocor},
                                            {"close_pairs", TestKind::close_pairs},
                                            {"bit_match", TestKind::bit_match},
                                            {"lempel_ziv", TestKind::lempel_ziv},
                                            {"fourier3", TestKind::fourier3}};

BatteryTest test_of(const YAML::Node& node) {
  const auto number = [&](const char* key) { return node[key].as<int>(); };
  const auto wide = [&](const char* key) { return node[key].as<std::uint64_t>(); };
  return {.set = {},
          .id = 0,
          .kind = kinds.at(node["kind"].as<std::string>()),
          .N = wide("N"),
          .n = wide("n"),
          .r = number("r"),
          .d = wide("d"),
          .t = number("t"),
          .s = number("s"),
          .L = number("L")};
}

Words words_of(const YAML::Node& node, std::uint64_t tile) {
  return {node["generator"].as<std::string>(),
          node["seeding"].as<std::string>() == "published",
          node["streams"].as<std::uint64_t>(),
          {},
          tile};
}

/// Compares the counters of a replication, or of some of its classes, with groups of TestU01's:
/// [last class, count] each, the last of which has all classes behind it.
void expect_groups(const YAML::Node& groups, std::span<const std::uint64_t> counters) {
  std::size_t at = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool is_last = g + 1 == groups.size();
    const std::size_t end = is_last ? counters.size() : groups[g][0].as<std::size_t>() + 1;
    std::uint64_t sum = 0;
    for (; at < end; ++at) sum += counters[at];
    EXPECT_EQ(sum, groups[g][1].as<std::uint64_t>()) << "up to class " << end - 1;
  }
}

/// Runs a test at a position; returns where it ends.
std::uint64_t expect_as_testu01(Words& words, std::uint64_t position, const BatteryTest& test,
                                const YAML::Node& expected) {
  const TestClass& kind = class_of(test.kind);
  std::vector<std::uint64_t> counters, last, each;
  std::vector<double> reals;
  std::uint64_t used = 0;
  for (std::uint64_t k = 0; k < test.N; ++k) {
    const Replication found = kind.count(words.tiles(), position + used, test);
    EXPECT_EQ(found.counts.size(), kind.counters(test));
    EXPECT_LE(found.words, kind.most_words(test));
    used += found.words;
    counters.insert(counters.end(), found.counts.begin(), found.counts.end());
    reals.insert(reals.end(), found.reals.begin(), found.reals.end());
    each.push_back(found.counts.front());
    last = found.counts;
  }
  EXPECT_EQ(used, expected["words"].as<std::uint64_t>());
  const std::vector<PValue> judged = kind.judge(test, counters, reals);
  const YAML::Node& results = expected["results"];
  EXPECT_EQ(judged.size(), results.size());
  for (std::size_t i = 0; i < std::min(judged.size(), results.size()); ++i) {
    const YAML::Node& one = results[i];
    const std::string statistic = one["statistic"].as<std::string>();
    SCOPED_TRACE(statistic);
    EXPECT_EQ(judged[i].statistic, statistic);
    if (one["counts"]) {
      EXPECT_EQ(each, one["counts"].as<std::vector<std::uint64_t>>());
    }
    if (one["distances"]) {  // after how many there are
      const auto distances = one["distances"].as<std::vector<std::uint64_t>>();
      EXPECT_TRUE(std::equal(distances.begin(), distances.end(), last.begin() + 1));
    }
    if (one["hash"]) {
      std::uint64_t hash = 0;
      for (const std::uint64_t count : last) hash = hash * 1000003 + count;
      EXPECT_EQ(hash, one["hash"].as<std::uint64_t>());
    }
    if (one["groups"]) {
      // The last counter of LongestHeadRun is the longest run of all.
      const bool is_longest = test.kind == TestKind::longest_head_run;
      const std::size_t cells = is_longest ? last.size() - 1 : last.size() / results.size();
      expect_groups(one["groups"], std::span(last).subspan(i * cells, cells));
    }
    // TestU01 interpolates tables for Anderson and Darling's statistic, and has the exact law of
    // few collisions, not Poisson's.
    const bool is_table = statistic == "AD" || statistic.find("NP") != std::string::npos;
    const double error = is_table ? 1e-2 : test.kind == TestKind::collision ? 1e-4 : 1e-9;
    if (judged[i].testu01) {
      EXPECT_NEAR(*judged[i].testu01, one["p"].as<double>(), is_table ? 1e-2 : 1e-9);
      continue;
    }
    if (!is_table) {
      const double value = one["value"].as<double>();
      EXPECT_NEAR(judged[i].value, value, 1e-9 * std::abs(value));
    }
    EXPECT_NEAR(judged[i].p, one["p"].as<double>(), error);
  }
  return position + used;
}

TEST(Battery, CountsWhatTestU01Counts) {
  const YAML::Node& tests = reference()["tests"];
  for (const YAML::Node& sequence : reference()["sequences"]) {
    for (const std::uint64_t tile : {std::uint64_t{30000}, std::uint64_t{1} << 20}) {
      Words words = words_of(sequence, tile);
      std::uint64_t position = 0;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        SCOPED_TRACE(sequence["generator"].as<std::string>() + " " +
                     tests[i]["name"].as<std::string>());
        position = expect_as_testu01(words, position, test_of(tests[i]), sequence["results"][i]);
      }
    }
  }
}

/// The words of a sequence of the library.
std::vector<std::uint32_t> sequence_of(const std::string& generator, Order order,
                                       std::uint64_t block, std::uint64_t count) {
  SequenceOptions options;
  options.generator = generator;
  options.type = NumberType::uint32;
  options.order = order;
  options.instances = 7;
  options.block_length = block;
  std::vector<std::uint32_t> words(count);
  Sequence(options).get(count, words.data());
  return words;
}

TEST(Battery, ReadsTheWordsOfASequenceAnywhere) {
  constexpr std::uint64_t count = 20000;
  for (const char* generator : {"dcmt521", "ranmar24", "philox4x32"}) {
    for (const Order order : {Order::interleaved, Order::blocked}) {
      SCOPED_TRACE(generator);
      const std::vector<std::uint32_t> all = sequence_of(generator, order, 7 * 13, count);
      Words words(generator, false, 7, {.run = order == Order::blocked ? 13U : 0U}, 3000);
      for (const std::uint64_t at : {0, 100, 3000, 4001, 4000, 16999, 5, 5, 9000, 11000}) {
        for (const std::uint64_t length : {1, 500, 3000}) {
          const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
          EXPECT_THAT(words.read(at, length),
                      testing::ElementsAreArray(first, first + static_cast<std::ptrdiff_t>(length)))
              << length << " at " << at;
        }
      }
    }
  }
}

TEST(Battery, ReadsLongRunsOfStreams) {
  // Of all streams together, of four, and of one, which are cut.
  for (const auto& [streams, run] : {std::pair{8U, 5003U}, {8U, 1U << 22}, {3U, (1U << 23) + 5}}) {
    Words in_runs("philox4x32", false, streams, {.run = run}, 2000);
    Words interleaved("philox4x32", false, streams, {}, 2000);
    for (const std::uint64_t turn : {0U, 1U, streams - 1, streams, 2 * streams + 1, 1U}) {
      const std::uint64_t end = (turn + 1) * run;
      for (const std::uint64_t at : {end - run, end - 1300, end - 3}) {
        const std::vector<std::uint32_t> found = in_runs.read(at, 1500);
        for (std::uint64_t i = 0; i < 1500; i += 249) {
          const std::uint64_t t = (at + i) / run;
          const std::uint64_t number = t / streams * run + (at + i) % run;
          EXPECT_EQ(found[i], interleaved.read(number * streams + t % streams, 1).front())
              << i << " behind " << at;
        }
      }
    }
  }
}

TEST(Battery, MakesWordsOfLowBits) {
  Words all("dcmt521", false, 7, {}, 40000);
  for (const auto& [bits, width] : {std::pair{WordBits::low8, 8U}, {WordBits::low1, 1U}}) {
    Words low("dcmt521", false, 7, {.bits = bits}, 1000);
    const std::uint64_t each = 32 / width;
    for (const std::uint64_t at : {0, 900, 20001, 100}) {
      const std::vector<std::uint32_t> words = all.read(at * each, 1000 * each);
      const std::vector<std::uint32_t> found = low.read(at, 1000);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::uint32_t expected = 0;
        for (std::size_t j = 0; j < each; ++j) {
          expected |= words[i * each + j] % (1U << width) << (j * width);
        }
        EXPECT_EQ(found[i], expected) << at + i;
      }
    }
  }
}

/// A generator's words, each of which can be had once.
class OnceOnly final : public WordSupply {
 public:
  explicit OnceOnly(Words& words) : words_(words) {}
  std::uint64_t unit() const override { return 1; }
  bool goes_only_forward() const override { return true; }
  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    EXPECT_GE(first, next_);
    next_ = first + units;
    for (std::uint64_t done = 0; done < units; done += words_.tiles().most()) {
      const std::uint64_t some = std::min(words_.tiles().most(), units - done);
      const Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
          words_.tiles().read(first + done, some), some);
      Kokkos::deep_copy(
          Kokkos::View<std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(to + done,
                                                                                       some),
          from);
    }
  }

 private:
  Words& words_;
  std::uint64_t next_ = 0;
};

TEST(Battery, NeedsEachWordOnce) {
  const YAML::Node& sequence = reference()["sequences"][0];
  for (const std::uint64_t tile : {std::uint64_t{30000}, std::uint64_t{1} << 20}) {
    Words words = words_of(sequence, tile);
    Words once(std::make_unique<OnceOnly>(words), tile);
    std::uint64_t position = 0;
    for (std::size_t i = 0; i < reference()["tests"].size(); ++i) {
      const YAML::Node& test = reference()["tests"][i];
      SCOPED_TRACE(test["name"].as<std::string>());
      position = expect_as_testu01(once, position, test_of(test), sequence["results"][i]);
    }
  }
}

TEST(Battery, ReversesTheBitsOfWords) {
  Words as_they_are("philox4x32", false, 7, {}, 1000);
  Words reversed("philox4x32", false, 7, {.bits = WordBits::reversed}, 1000);
  for (const std::uint64_t at : {0, 900, 1500, 100}) {
    const std::vector<std::uint32_t> words = as_they_are.read(at, 1000);
    const std::vector<std::uint32_t> found = reversed.read(at, 1000);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint32_t expected = 0;
      for (int b = 0; b < 32; ++b) expected |= (words[i] >> b & 1) << (31 - b);
      EXPECT_EQ(found[i], expected) << at + i;
    }
  }
}

TEST(Battery, EndsGapsThatAreTooLong) {
  Words words("philox4x32", false, 7, {}, 1000);
  // No word is below 1 in this many: the first gap is too long, after n + 1 words.
  const TestCounts none = count_gaps({words.tiles(), 0, 5000, 0}, 1, 10);
  EXPECT_TRUE(none.ended);
  EXPECT_EQ(none.words, 5001U);
  EXPECT_THAT(none.counts, testing::Each(0));
  // One word in 64 is below: a gap of 150 comes soon, within a lane or across lanes and tiles.
  const std::vector<std::uint32_t> all = sequence_of("philox4x32", Order::interleaved, 0, 100000);
  const std::uint64_t limit = std::uint64_t{1} << 26;
  for (const std::uint64_t n : {100, 150, 200, 300}) {
    std::uint64_t gaps = 0, begin = 0, length = 0;
    for (std::size_t i = 0; gaps < n && length < n; ++i) {
      if (all[i] >= limit) {
        ++length;
        continue;
      }
      ++gaps;
      begin = i + 1;
      length = 0;
    }
    const TestCounts found = count_gaps({words.tiles(), 0, n, 0}, limit, 10);
    std::uint64_t sum = 0;
    for (const std::uint64_t one : found.counts) sum += one;
    EXPECT_EQ(sum, gaps) << n;
    EXPECT_EQ(found.ended, gaps < n) << n;
    EXPECT_EQ(found.words, gaps < n ? begin + n + 1 : begin) << n;
  }
}

/// Gaps of n - 1 and more words that begin anywhere, in tiles that none of them fits into.
TEST(Battery, EndsGapsExactly) {
  constexpr std::uint64_t n = 50;
  for (const std::uint64_t length : {n - 1, n, n + 1}) {
    for (std::uint64_t begin = 0; begin < n - 1; ++begin) {
      std::vector<std::uint32_t> all(begin, 0);
      all.resize(begin + length, ~std::uint32_t{0});
      all.push_back(0);
      Words words(std::make_unique<GivenWords>(all), 40);
      const TestCounts found = count_gaps({words.tiles(), 0, n, 0}, 1, 60);
      SCOPED_TRACE(testing::Message() << length << " words from " << begin << " on");
      EXPECT_EQ(found.ended, length >= n);
      EXPECT_EQ(found.words, length >= n ? begin + n + 1 : n + length);
      EXPECT_EQ(found.counts[0], length >= n ? begin : n - 1);
      EXPECT_EQ(found.counts[length], length >= n ? 0U : 1U);
    }
  }
}

/// A run of ones that lies in all parts of blocks, and in two blocks.
TEST(Battery, JoinsRunsOfOnes) {
  constexpr std::uint64_t block = 4096;
  std::vector<std::uint32_t> all(2 * block, ~std::uint32_t{0});
  all[5] = 0;
  Words words(std::make_unique<GivenWords>(all), 2 * block);
  const TestCounts found = count_longest_runs({words.tiles(), 0, 2, 0}, 32, block, 100);
  EXPECT_EQ(found.counts[100], 2U);
  EXPECT_EQ(found.counts.back(), (2 * block - 6) * 32);
}

/// The last spacing goes on to the first point: 0, 5 and 11 of 16 have spacings 5, 6 and 5.
TEST(Battery, SpacingsAreACircle) {
  Words words(std::make_unique<GivenWords>(std::vector<std::uint32_t>{11U << 28, 0, 5U << 28}), 10);
  EXPECT_EQ(count_equal_spacings({words.tiles(), 0, 3, 0}, 16, 1).counts[0], 1U);
}

/// Words in which no set of coupons is ever complete, so that chains of segments never meet.
TEST(Battery, CountsSegmentsOfWhichNoneIsComplete) {
  const YAML::Node& sequence = reference()["sequences"][0];
  Words words = words_of(sequence, 60000);
  // Of 64 numbers some are missing in any 61.
  const TestCounts found = count_coupon_segments({words.tiles(), 0, 20000, 0}, 64);
  EXPECT_EQ(found.words, 20000U * 61);
  EXPECT_EQ(found.counts.back(), 20000U);
}

/// Of a matrix of rows of bits, one row after the other.
int plain_rank(std::vector<std::vector<bool>> rows) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && !rows[pivot][column]) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[rank]);
    for (std::size_t i = rank + 1; i < rows.size(); ++i) {
      if (!rows[i][column]) continue;
      for (std::size_t k = column; k < rows[i].size(); ++k)
        rows[i][k] = rows[i][k] != rows[rank][k];
    }
    ++rank;
  }
  return static_cast<int>(rank);
}

/// Those of a stream of a short recurrence have low ranks, and columns without pivots.
TEST(Battery, RanksOfLargeMatricesAreThoseOfPlainElimination) {
  Words linear("lfsr113", false, 1, {}, 5000);
  Words random("philox4x32", false, 1, {}, 5000);
  for (const auto& [height, columns, s] :
       {std::tuple{70, 66, 32}, {300, 300, 30}, {150, 131, 7}, {90, 200, 1}, {540, 521, 13}}) {
    for (Words* const words : {&linear, &random}) {
      SCOPED_TRACE(columns);
      const int each = (columns + s - 1) / s;
      const auto count = static_cast<std::uint64_t>(height * each);
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(std::min(height, columns)) + 1);
      for (std::uint64_t k = 0; k < 3; ++k) {
        std::vector<std::uint32_t> all;
        for (std::uint64_t at = 0; at < count; at += 1000) {
          const auto some = words->read(k * count + at, std::min<std::uint64_t>(1000, count - at));
          all.insert(all.end(), some.begin(), some.end());
        }
        std::vector<std::vector<bool>> rows(static_cast<std::size_t>(height));
        for (std::size_t i = 0; i < all.size(); ++i) {
          std::vector<bool>& row = rows[i / static_cast<std::size_t>(each)];
          for (int b = 0; b < s && row.size() < static_cast<std::size_t>(columns); ++b) {
            row.push_back((all[i] >> (31 - b) & 1) != 0);
          }
        }
        ++expected[static_cast<std::size_t>(plain_rank(std::move(rows)))];
      }
      EXPECT_EQ(count_ranks({words->tiles(), 0, 3, 0}, s, height, columns).counts, expected);
    }
  }
}

/// Of numbers of two bits too few pairs are equal, and too many one step apart: those are the rest.
TEST(Battery, FindsPairsOfNumbersOfFewBits) {
  Words words("philox4x32", false, 7, {}, 100000);
  const TestCounts found = count_close_pairs({words.tiles(), 0, 5000, 30}, 16, 30, 0.1);
  EXPECT_EQ(found.counts.size(), most_close_pairs);
  EXPECT_EQ(found.counts.back(), 1U << 30);
  EXPECT_LT(std::ranges::count(found.counts, 0U), 30);
}

/// Numbers whose sum never exceeds g: TestU01 would draw on.
TEST(Battery, CountsSegmentsThatAreTooLong) {
  Words words("philox4x32", false, 7, {}, 5000);
  const TestCounts found = count_sum_segments({words.tiles(), 0, 500, 0}, sum_draws);
  EXPECT_EQ(found.words, 500U * sum_draws);
  EXPECT_EQ(found.counts.back(), 500U);
}

/// Tiles that hold no more than a test must have in memory together.
TEST(Battery, CountsTheSameInTheSmallestTiles) {
  const BatteryTest all[] = {{"", 0, TestKind::serial_over, 1, 300, 0, 4, 5},
                             {"", 0, TestKind::collision_over, 1, 300, 0, 4, 5},
                             {"", 0, TestKind::number_run, 1, 300, 28, 0, 1},
                             {"", 0, TestKind::number_run, 1, 300, 28},
                             {"", 0, TestKind::appearance_spacings, 1, 90, 0, 60, 0, 30, 10},
                             {"", 0, TestKind::appearance_spacings, 1, 90, 0, 60, 0, 3, 7},
                             {"", 0, TestKind::sum_collector, 1, 300, 0, 10},
                             {"", 0, TestKind::longest_head_run, 1, 30, 0, 0, 0, 3, 1000},
                             {"", 0, TestKind::bit_run, 1, 300, 0, 0, 0, 3},
                             {"", 0, TestKind::bit_run, 1, 1000, 0, 0, 0, 30}};
  for (const BatteryTest& test : all) {
    const TestClass& kind = class_of(test.kind);
    SCOPED_TRACE(std::string(kind.name) + ", " + kind.parameters(test));
    Words small("lfsr113", false, 5, {}, kind.item_words(test));
    Words large("lfsr113", false, 5, {}, 100000);
    for (const std::uint64_t position : {0, 1237}) {
      const Replication found = kind.count(small.tiles(), position, test);
      const Replication expected = kind.count(large.tiles(), position, test);
      EXPECT_EQ(found.counts, expected.counts);
      EXPECT_EQ(found.reals, expected.reals);
      EXPECT_EQ(found.words, expected.words);
    }
  }
}

/// A replication without enough runs of ones has no result but that.
TEST(Battery, FailsBitsWithoutRuns) {
  const BatteryTest test{"", 0, TestKind::bit_run, 1, 1000, 0, 0, 0, 30};
  const TestClass& kind = class_of(test.kind);
  const std::vector<std::uint64_t> none(kind.counters(test));
  for (const PValue& one : kind.judge(test, none, {})) {
    EXPECT_EQ(one.p, 0);
    EXPECT_FALSE(one.testu01);
  }
}

/// Where TestU01's law is off its own p-value is kept beside the one that judges.
TEST(Battery, KeepsThePValuesOfLawsThatAreOff) {
  const BatteryTest runs{"", 0, TestKind::bit_run, 1, 1000000, 0, 0, 0, 30};
  const TestClass& kind = class_of(runs.kind);
  std::vector<std::uint64_t> counters(kind.counters(runs));
  for (std::size_t i = 0; i + 1 < counters.size(); ++i) {
    counters[i] = runs.n >> (std::min(i / 2 + 1, counters.size() / 2 - 1));
  }
  // 6020 bits more than usual are 3.01 deviations, not TestU01's 2.13.
  counters.back() = (4 * runs.n + 6020) / 30;
  const std::vector<PValue> judged = kind.judge(runs, counters, {});
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_NEAR(judged[1].p, 0.5 * std::erfc(3.01 / std::sqrt(2.)), 1e-12);
  EXPECT_NEAR(judged[1].testu01.value(), 0.5 * std::erfc(3.01 / 2), 1e-12);
}

std::string refusal(const std::string& names) {
  try {
    static_cast<void>(tests_named(names));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Battery, NamesItsTests) {
  EXPECT_EQ(tests_named("small").size(), 10U);
  EXPECT_EQ(tests_named("crush").size(), 96U);
  EXPECT_EQ(tests_named("big").size(), 106U);
  const std::vector<BatteryTest> some = tests_named(" big.20   small.3 ");
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].name(), "big.20");
  EXPECT_EQ(some[1].kind, TestKind::gap);
  EXPECT_THAT(refusal(""), testing::HasSubstr("battery.tests is empty"));
  EXPECT_THAT(refusal("small.3 small"), testing::HasSubstr("small.3 twice"));
  EXPECT_THAT(refusal("big.107"), testing::HasSubstr("no test 'big.107'"));
  EXPECT_THAT(refusal("small.11"), testing::HasSubstr("no test 'small.11'"));
  EXPECT_THAT(refusal("gap"), testing::HasSubstr("no test 'gap'"));
}

TEST(Battery, KnowsItsTests) {
  for (const BatteryTest& test : battery_tests()) {
    const TestClass& kind = class_of(test.kind);
    SCOPED_TRACE(test.name());
    EXPECT_GT(kind.counters(test), 0U);
    EXPECT_LE(kind.words(test), kind.most_words(test));
    EXPECT_LE(kind.item_words(test), kind.words(test));
    EXPECT_FALSE(kind.parameters(test).empty());
    EXPECT_LE(test.r + test.s, 32);
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "battery_words.hpp"
#include "sequences/sequence.hpp"

// The words that tests of the battery read.

namespace rivulet {
namespace {

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

}  // namespace
}  // namespace rivulet

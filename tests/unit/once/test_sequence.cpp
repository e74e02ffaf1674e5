// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_events.hpp"
#include "message_of.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "sequences/sequence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ready_generators.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t seed = 31;

SequenceOptions ranmar48(std::uint64_t instances, Order order = Order::interleaved,
                         std::uint64_t block_length = 0) {
  return {.generator = "ranmar48",
          .order = order,
          .seed = seed,
          .instances = instances,
          .block_length = block_length};
}

/// Returns the sequence's first numbers by definition, drawn with one scalar engine per stream.
std::vector<double> reference(const SequenceOptions& options, std::uint64_t count) {
  std::vector<std::vector<double>> streams(options.instances);
  for (std::uint64_t s = 0; s < options.instances; ++s) {
    Ranmar<Ranmar48> engine(native_start<Ranmar48>(seed, options.first_stream + s));
    for (std::uint64_t i = 0; i < count; ++i)
      streams[s].push_back(std::ldexp(static_cast<double>(engine()), -48));
  }
  std::vector<double> numbers(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (options.order == Order::interleaved) {
      numbers[i] = streams[i % options.instances][i / options.instances];
    } else {
      const std::uint64_t share = options.block_length / options.instances;
      const std::uint64_t block = i / options.block_length;
      const std::uint64_t place = i % options.block_length;
      numbers[i] = streams[place / share][block * share + place % share];
    }
  }
  return numbers;
}

/// Draws numbers in batches, whose sizes cycle through `pattern`.
std::vector<double> drawn(Sequence& sequence, std::uint64_t count,
                          const std::vector<std::uint64_t>& pattern) {
  std::vector<double> numbers(count);
  std::uint64_t done = 0;
  for (std::size_t k = 0; done < count; ++k) {
    const std::uint64_t some = std::min(pattern[k % pattern.size()], count - done);
    sequence.get(some, numbers.data() + done);
    done += some;
  }
  return numbers;
}

const std::vector<std::vector<std::uint64_t>> patterns{
    {1}, {10}, {97}, {1, 96, 5000, 33}, {1000000}, {291, 1, 2, 3}};

std::vector<SequenceOptions> arrangements() {
  return {ranmar48(1),
          ranmar48(3),
          ranmar48(16),
          ranmar48(50),
          ranmar48(1, Order::blocked, 100),
          ranmar48(5, Order::blocked, 1000),
          ranmar48(20, Order::blocked, 20),
          ranmar48(7, Order::blocked, 7 * 970)};
}

class SequenceBuffers : public testing::TestWithParam<std::pair<std::uint64_t, bool>> {
 protected:
  SequenceOptions buffered(SequenceOptions options) const {
    options.buffer_numbers = GetParam().first;
    options.asynchronous = GetParam().second;
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Sequence, SequenceBuffers,
                         testing::Values(std::pair{0ULL, false}, std::pair{100ULL, false},
                                         std::pair{7000ULL, false}, std::pair{100ULL, true},
                                         std::pair{7000ULL, true}));

TEST_P(SequenceBuffers, EveryBatchPatternGivesTheSameSequence) {
  constexpr std::uint64_t count = 12345;
  for (const SequenceOptions& options : arrangements()) {
    const std::vector<double> expected = reference(options, count);
    for (const auto& pattern : patterns) {
      Sequence sequence(buffered(options));
      EXPECT_EQ(drawn(sequence, count, pattern), expected) << options.instances;
      EXPECT_EQ(sequence.position(), Uint128{count});
    }
  }
}

TEST_P(SequenceBuffers, StreamsThatShareATeamGiveTheSameSequence) {
  constexpr std::uint64_t count = 12345;
  for (const int streams_per_team : {1, 4}) {
    for (SequenceOptions options : arrangements()) {
      const std::vector<double> expected = reference(options, count);
      options.streams_per_team = streams_per_team;
      Sequence sequence(buffered(options));
      EXPECT_EQ(drawn(sequence, count, {10}), expected) << options.instances;
    }
  }
}

TEST_P(SequenceBuffers, SkipIsStepping) {
  constexpr std::uint64_t count = 9000;
  for (const SequenceOptions& options : arrangements()) {
    const std::vector<double> expected = reference(options, count);
    Sequence sequence(buffered(options));
    std::uint64_t at = 0;
    for (const std::uint64_t skipped : {0, 1, 5, 300, 97, 2000, 3, 4000}) {
      sequence.skip(skipped);
      at += skipped;
      for (const std::uint64_t some : {1, 40}) {
        const std::vector<double> numbers = drawn(sequence, some, {some});
        for (std::uint64_t i = 0; i < some; ++i) ASSERT_EQ(numbers[i], expected[at + i]) << at;
        at += some;
      }
    }
    EXPECT_EQ(sequence.position(), Uint128{at});
  }
}

TEST_P(SequenceBuffers, SkipInOneGoIsSkipInTwo) {
  const Uint128 far = (Uint128{1} << 100) + 12345;
  for (const SequenceOptions& options : arrangements()) {
    Sequence one(buffered(options));
    Sequence two(options);
    one.skip(far);
    two.skip(Uint128{1} << 99);
    drawn(two, 345, {345});
    two.skip((Uint128{1} << 99) + 12000);
    EXPECT_EQ(drawn(one, 500, {7}), drawn(two, 500, {500}));
    SequenceOptions later = buffered(options);
    later.start = far;
    Sequence three(later);
    two.skip(0);
    Sequence again(options);
    again.skip(far);
    EXPECT_EQ(drawn(three, 300, {300}), drawn(again, 300, {10}));
  }
}

TEST_P(SequenceBuffers, GoesOnFromBytes) {
  for (const SequenceOptions& options : arrangements()) {
    for (const std::uint64_t used : {0, 1, 96, 97, 98, 1000, 7001}) {
      Sequence sequence(buffered(options));
      drawn(sequence, used, {13});
      const std::vector<std::byte> bytes = to_bytes(sequence.save());
      const std::vector<double> expected = drawn(sequence, 700, {700});
      SavedSequence saved = from_bytes(bytes);
      saved.options.buffer_numbers = used;  // numbers do not depend on this size
      Sequence restored(saved);
      EXPECT_EQ(to_bytes(restored.save()).size(), bytes.size());
      EXPECT_EQ(drawn(restored, 700, {10}), expected) << options.instances << " " << used;
    }
  }
}

TEST(Sequence, FirstStreamChoosesTheStreams) {
  SequenceOptions options = ranmar48(3);
  options.first_stream = 1000;
  Sequence sequence(options);
  EXPECT_EQ(drawn(sequence, 600, {10}), reference(options, 600));
}

TEST(Sequence, OfAStreamWakesNoThreadsForFewNumbers) {
  if (device_build) GTEST_SKIP() << "a device's kernels are launched";
  for (const Generator* one : generators()) {
    if (one->name == "dcmt1279" || one->name == "dcmt2203") continue;  // their sets are in files
    SequenceOptions options{.generator = std::string(one->name)};
    if (one->name == "hybrid_tausworthe_listing") options.seeding = Seeding::published;
    const KokkosEvents events;
    Sequence sequence(options);
    sequence.skip(5000);
    double number = 0;
    sequence.get(1, &number);
    for (const KokkosEvent& event : KokkosEvents::heard()) {
      EXPECT_FALSE(event.is_kernel) << one->name << ": " << event.label;
    }
  }
}

/// A stream that is cut into segments yields the same numbers as an uncut stream, for calls of any
/// length.
TEST(Sequence, OfAStreamHasTheSameNumbersInPiecesThatAreCut) {
  for (const std::string& name : ready_names()) {
    SequenceOptions options{.generator = name};
    Sequence sequence(options);
    options.segments = 1;
    Sequence whole(options);
    for (const std::uint64_t count : {1U, 100U, 70001U, 10000U, 10000U, 3U, 200000U}) {
      std::vector<double> numbers(count);
      std::vector<double> expected(count);
      sequence.get(count, numbers.data());
      whole.get(count, expected.data());
      ASSERT_EQ(numbers, expected) << name << ", " << count;
    }
    EXPECT_EQ(sequence.save().states.bytes, whole.save().states.bytes) << name;
  }
}

TEST(Sequence, WhoseParameterFileIsGoneIsNotDamaged) {
  SavedSequence saved = Sequence({.generator = "dcmt521"}).save();
  saved.options.parameters = "gone.h5";
  try {
    const Sequence again(saved);
    FAIL();
  } catch (const SequenceError& error) {
    EXPECT_EQ(error.fault(), Fault::option);
  }
}

TEST(Sequence, TellsWhatHasNoEffect) {
  SequenceOptions options{.generator = "ranmar24", .seed = seed};
  options.option_values.at(ij_option) = 5;
  EXPECT_THAT(Sequence(options).warnings(),
              testing::ElementsAre(
                  "ij=5 has no effect (ranmar24 with native seeding does not use it). Omit it."));
  options.seeding = Seeding::published;
  EXPECT_THAT(Sequence(options).warnings(),
              testing::ElementsAre(
                  "seed=31 has no effect (ranmar24 with published seeding does not use it). Omit "
                  "it."));
  options.generator = "mt19937";
  options.parameters = "published";
  EXPECT_THAT(
      Sequence(options).warnings(),
      testing::ElementsAre("parameters=published has no effect (mt19937 does not use it). Omit it.",
                           "ij=5 has no effect (mt19937 does not use it). Omit it."));
}

TEST(Sequence, EndsAtItsRange) {
  SequenceOptions options = ranmar48(1);
  options.start = position_limit - 5;
  Sequence sequence(options);
  std::vector<double> numbers(10);
  EXPECT_THROW(sequence.get(10, numbers.data()), SequenceError);
  sequence.get(4, numbers.data());
  EXPECT_THROW(sequence.get(1, numbers.data()), SequenceError);
  EXPECT_THROW(sequence.skip(1), SequenceError);
}

/// Beyond this position, a stream would repeat another stream's numbers.
TEST(Sequence, EndsBeforeAStreamReachesTheNextOne) {
  SequenceOptions options{.generator = "hybrid_tausworthe", .instances = 3};
  EXPECT_EQ(options.end(), Uint128{3} << 63);
  options.start = options.end() - 5;
  Sequence sequence(options);
  std::vector<double> numbers(10);
  sequence.get(4, numbers.data());
  EXPECT_THROW(sequence.get(1, numbers.data()), SequenceError);
  options.start = options.end();
  EXPECT_THROW(Sequence{options}, SequenceError);

  options = {};
  options.generator = "dcmt521";
  EXPECT_EQ(options.end(), position_limit);  // starts are 2^128 apart
  options.option_values.at(log2_jump_option) = 64;
  EXPECT_EQ(options.end(), Uint128{1} << 63);
  options.seeding = Seeding::published;  // each stream has its own set
  EXPECT_EQ(options.end(), position_limit);
}

/// The skip is refused at once, because its steps would take hours.
TEST(Sequence, EndsWhereStepsTakeTooLong) {
  Sequence sequence({.generator = "sfc64"});
  EXPECT_THAT(message_of([&] { sequence.skip((Uint128{1} << 45) + 1); }),
              testing::HasSubstr("sfc64 skips number by number, so positions end at 2^45"));
  sequence.skip(1000);
  EXPECT_TRUE(sequence.position() == 1000);
}

}  // namespace
}  // namespace rivulet

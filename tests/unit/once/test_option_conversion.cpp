// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks that every option of a C program reaches the sequence, and survives saving and restoring.
// No other test notices a dropped option if its default gives equally good numbers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "capi/calls.hpp"
#include "generators/generators.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "sequences/saved_sequence.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

/// Returns options that all differ from their defaults.
SequenceOptions unusual_options() {
  SequenceOptions options;
  options.generator = "dcmt607";
  options.parameters = "sets.h5";
  options.type = NumberType::uint64;
  options.interval = Interval::open_closed;
  options.seeding = Seeding::published;
  options.order = Order::blocked;
  options.seed = (std::uint64_t{1} << 40) + 3;
  options.first_stream = (std::uint64_t{1} << 33) + 5;
  options.option_values.at(ij_option) = 7;
  options.option_values.at(kl_option) = 11;
  options.instances = 13;
  options.block_length = 26;
  options.option_values.at(log2_jump_option) = 301;
  options.buffer_numbers = 1700;
  options.asynchronous = true;
  options.start = (Uint128{19} << 64) + 23;
  return options;
}

/// Compares all options except those that affect only speed (streams_per_team, profiled), which
/// programs cannot set.
void expect_same(const SequenceOptions& found, const SequenceOptions& expected) {
  EXPECT_EQ(found.generator, expected.generator);
  EXPECT_EQ(found.parameters, expected.parameters);
  EXPECT_EQ(found.type, expected.type);
  EXPECT_EQ(found.interval, expected.interval);
  EXPECT_EQ(found.seeding, expected.seeding);
  EXPECT_EQ(found.order, expected.order);
  EXPECT_EQ(found.seed, expected.seed);
  EXPECT_EQ(found.first_stream, expected.first_stream);
  for (const GeneratorOption* option : generator_options()) {
    EXPECT_EQ(found.option_values.of(*option), expected.option_values.of(*option)) << option->name;
  }
  EXPECT_EQ(found.instances, expected.instances);
  EXPECT_EQ(found.block_length, expected.block_length);
  EXPECT_EQ(found.buffer_numbers, expected.buffer_numbers);
  EXPECT_EQ(found.asynchronous, expected.asynchronous);
  EXPECT_TRUE(found.start == expected.start);
}

TEST(OptionConversion, FromCPrograms) {
  const SequenceOptions expected = unusual_options();
  rivulet_options options = capi::default_options();
  options.generator = expected.generator.c_str();
  options.parameters = expected.parameters.c_str();
  options.type = RIVULET_UINT64;
  options.interval = RIVULET_OPEN_CLOSED;
  options.seeding = RIVULET_SEEDING_PUBLISHED;
  options.order = RIVULET_ORDER_BLOCKED;
  options.seed = expected.seed;
  options.first_stream = static_cast<std::int64_t>(expected.first_stream);
  options.ij = static_cast<std::int64_t>(expected.option_values.of(ij_option));
  options.kl = static_cast<std::int64_t>(expected.option_values.of(kl_option));
  options.instances = static_cast<std::int64_t>(expected.instances);
  options.block_length = static_cast<std::int64_t>(expected.block_length);
  options.log2_jump = static_cast<std::int32_t>(expected.option_values.of(log2_jump_option));
  options.buffer_numbers = static_cast<std::int64_t>(expected.buffer_numbers);
  options.asynchronous = 1;
  options.start_high = 19;
  options.start_low = 23;
  expect_same(capi::sequence_options(&options), expected);
}

/// Option text takes precedence over the members. Invalid text is refused.
TEST(OptionConversion, FromCProgramsByName) {
  rivulet_options options = capi::default_options();
  options.ij = 5;
  options.generator_options = " ij=7  log2_jump=301 ";
  const OptionValues found = capi::sequence_options(&options).option_values;
  EXPECT_EQ(found.of(ij_option), 7U);
  EXPECT_EQ(found.of(kl_option), kl_option.fallback);
  EXPECT_EQ(found.of(log2_jump_option), 301U);
  const auto refusal = [&options](const char* text) -> std::string {
    options.generator_options = text;
    try {
      static_cast<void>(capi::sequence_options(&options));
    } catch (const SequenceError& error) {
      EXPECT_EQ(error.fault(), Fault::option);
      return error.what();
    }
    return "accepted";
  };
  using testing::HasSubstr;
  EXPECT_THAT(refusal("log2_jmp=100"), HasSubstr("Did you mean 'log2_jump'?"));
  EXPECT_THAT(refusal("log2_jump=63"), HasSubstr("it must be 64 .. 2201"));
  EXPECT_THAT(refusal("log2_jump=100x"), HasSubstr("log2_jump=100x"));
  EXPECT_THAT(refusal("ij"), HasSubstr("it must be 0 .. 31328"));
  EXPECT_EQ(refusal(""), "accepted");
}

TEST(OptionConversion, CDefaultsAreTheLibrarys) {
  const rivulet_options options = capi::default_options();
  expect_same(capi::sequence_options(&options), {});
  expect_same(capi::sequence_options(nullptr), {});
}

TEST(OptionConversion, ThroughTheBytesOfASavedSequence) {
  SavedSequence saved;
  saved.options = unusual_options();
  saved.parameters_digest = "a digest";
  saved.position = (Uint128{29} << 64) + 31;
  saved.states = {37, {std::byte{41}, std::byte{43}}};
  const SavedSequence found = from_bytes(to_bytes(saved));
  expect_same(found.options, saved.options);
  EXPECT_EQ(found.parameters_digest, saved.parameters_digest);
  EXPECT_TRUE(found.position == saved.position);
  EXPECT_EQ(found.states.numbers, saved.states.numbers);
  EXPECT_EQ(found.states.bytes, saved.states.bytes);
}

}  // namespace
}  // namespace rivulet

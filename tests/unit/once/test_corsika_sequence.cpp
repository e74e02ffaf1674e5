// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the sequence of the CORSIKA drop-in. tests/fortran tests the drop-in's routines.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "capi/corsika_sequence.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

std::vector<double> one_by_one(std::int64_t ijkl, std::size_t count) {
  Ranmar<Ranmar48> engine(published_start<Ranmar48>(ranmar_seed(ijkl)));
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    number = std::ldexp(std::max(static_cast<double>(engine()), 1.0), -48);
  }
  return numbers;
}

TEST(CorsikaSequence, EveryBatchSizeGivesTheEnginesNumbers) {
  const std::vector<double> expected = one_by_one(54217137, 3000);
  const auto sequence = std::make_unique<CorsikaSequence>();
  for (const std::size_t batch : {1, 7, 10, 97, 511, 512, 513, 1025, 3000}) {
    sequence->seed(54217137, 0);
    std::vector<double> numbers(expected.size());
    for (std::size_t begin = 0; begin < numbers.size(); begin += batch) {
      sequence->draw(&numbers[begin], std::min(batch, numbers.size() - begin));
    }
    EXPECT_EQ(numbers, expected) << "batches of " << batch;
    EXPECT_EQ(sequence->drawn(), 3000U);
  }
}

TEST(CorsikaSequence, EverySkipIsStepping) {
  const std::vector<double> expected = one_by_one(1, 2000);
  const auto sequence = std::make_unique<CorsikaSequence>();
  for (std::size_t skipped = 0; skipped < 1000; skipped += 37) {
    sequence->seed(1, skipped);
    EXPECT_EQ(sequence->drawn(), skipped);
    std::vector<double> numbers(1000);
    sequence->draw(numbers.data(), numbers.size());
    EXPECT_EQ(numbers, std::vector<double>(&expected[skipped], &expected[skipped] + 1000));
  }
}

TEST(CorsikaSequence, ASeedOutOfRangeLeavesItAsItWas) {
  const auto sequence = std::make_unique<CorsikaSequence>();
  EXPECT_FALSE(sequence->seeded());
  EXPECT_THROW(sequence->seed(-1, 0), Error);
  EXPECT_FALSE(sequence->seeded());
  sequence->seed(5, 100);
  EXPECT_THROW(sequence->seed(RanmarSeed::count, 0), Error);
  EXPECT_EQ(sequence->ijkl(), 5);
  EXPECT_EQ(sequence->drawn(), 100U);
  double number = 0;
  sequence->draw(&number, 1);
  EXPECT_EQ(number, one_by_one(5, 101).back());
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the toy job on all ranks. JobOf splits the streams among the ranks and combines the results.
#include "../toy_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../io_test_support.hpp"
#include "../job_test_support.hpp"

namespace rivulet {
namespace {

using io::Communicator;
using test::lines_of;
using test::message_of;
using test::report_of;
using test::ToyDeck;
using test::ToyJob;
using test::ToyWork;

const std::string deck = "job: toy\nstreams: {count: 37}\noutput: {file: \"\"}\n";

TEST(ToyJob, GivesOnAllRanksWhatItGivesOnOne) {
  const Communicator world = Communicator::world();
  ToyJob alone;
  const std::string expected = report_of(alone, deck, Communicator::self());
  ToyJob together;
  const std::string found = report_of(together, deck, world);
  if (!world.is_root()) return;
  EXPECT_EQ(lines_of(found).back(), lines_of(expected).back());
  EXPECT_EQ(lines_of(found)[2], lines_of(expected)[2]);
}

void fail_on_last(const RunContext& run) {
  const bool is_last = run.ranks.rank() + 1 == run.ranks.size();
  if (is_last) throw Error("this rank failed", "it is a test", "");
}

struct FailsAsItIsMade : ToyWork {
  FailsAsItIsMade(const ToyDeck& deck, RunContext& run) : ToyWork{deck, run} { fail_on_last(run); }
};
struct FailsAtRestart : ToyWork {
  void restart() { fail_on_last(run); }
};

template <class Work>
class ToyJobWorld : public testing::Test {};
using Failing = testing::Types<FailsAsItIsMade, FailsAtRestart>;
TYPED_TEST_SUITE(ToyJobWorld, Failing);

TYPED_TEST(ToyJobWorld, FailsOnAllRanksIfItFailsOnOne) {
  JobOf<ToyDeck, TypeParam> job;
  const std::string message = message_of([&] { report_of(job, deck, Communicator::world()); });
  EXPECT_THAT(message, testing::HasSubstr("this rank failed (it is a test)"));
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The toy job on all ranks: the skeleton splits its streams, and joins what they give.
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
using test::ToyJob;

const std::string deck = "job: toy\nstreams: {count: 37}\noutput: {file: \"\"}\n";

TEST(ToyJobWorld, GivesOnAllRanksWhatItGivesOnOne) {
  const Communicator world = Communicator::world();
  ToyJob alone;
  const std::string expected = report_of(alone, deck, Communicator::self());
  ToyJob together;
  const std::string found = report_of(together, deck, world);
  if (!world.is_root()) return;
  EXPECT_EQ(lines_of(found).back(), lines_of(expected).back());
  EXPECT_EQ(lines_of(found)[2], lines_of(expected)[2]);
}

enum class Where { set_up, restart };

/// Fails there on the last rank.
class FailingJob final : public ToyJob {
 public:
  explicit FailingJob(Where where) : where_(where) {}

 private:
  void set_up(JobContext& context) override {
    ToyJob::set_up(context);
    is_last_ = context.communicator.rank() + 1 == context.communicator.size();
    fail_at(Where::set_up);
  }
  void restart() override {
    ToyJob::restart();
    fail_at(Where::restart);
  }
  void fail_at(Where where) const {
    if (is_last_ && where_ == where) throw Error("this rank failed", "it is a test", "");
  }

  Where where_;
  bool is_last_ = false;
};

TEST(ToyJobWorld, FailsOnAllRanksIfItFailsOnOne) {
  for (const Where where : {Where::set_up, Where::restart}) {
    FailingJob job(where);
    const std::string message = message_of([&] { report_of(job, deck, Communicator::world()); });
    EXPECT_THAT(message, testing::HasSubstr("this rank failed (it is a test)"));
  }
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When a run writes a checkpoint, and when it is left; pieces are said to take what a case needs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>

#include "../io_test_support.hpp"
#include "io/report.hpp"
#include "io/stop_signals.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/saved_run.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

constexpr double never = 1e9;  // seconds between checkpoints

class CheckpointMoments : public testing::Test {
 protected:
  Checkpoints checkpoints() { return {options, context}; }
  /// Whether the run is left after a piece of so many seconds; why, if it is.
  std::string left_after(Checkpoints& run, double seconds) {
    try {
      run.after_piece(seconds, 0.5, [this](io::ResultsFile& file) {
        ++written;
        std::this_thread::sleep_for(takes);
        file.attribute(state_group, "seconds", 1.5);
      });
    } catch (const LeftRun& left) {
      return left.what();
    }
    return "";
  }
  void end_batch_job_in(int seconds) {
    ::setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + seconds).c_str(), 1);
  }
  void TearDown() override { ::unsetenv("SLURM_JOB_END_TIME"); }

  test::TemporaryFolder folder;
  CheckpointOptions options{folder / "run.ckpt", never, "SIGUSR2", false};
  std::ostringstream said;
  io::Report report{io::Communicator::self(), said};
  io::PhaseTimer timer;
  RunContext context{io::Communicator::self(), report, timer, "", "job: pi"};
  int written = 0;
  std::chrono::milliseconds takes{0};
};

TEST_F(CheckpointMoments, LeaveTimeForAnotherPieceWithinTheLimit) {
  context.time_limit = 100;
  auto run = checkpoints();
  EXPECT_EQ(left_after(run, 45), "");  // twice that, and a second
  EXPECT_EQ(written, 0);
  EXPECT_THAT(left_after(run, 50), HasSubstr("left on time is up with 50 % of the work done."));
  EXPECT_EQ(written, 1);
  EXPECT_TRUE(std::filesystem::exists(options.file));
}

TEST_F(CheckpointMoments, LeaveABatchSystemAMinute) {
  end_batch_job_in(160);
  auto run = checkpoints();
  EXPECT_EQ(left_after(run, 45), "");
  EXPECT_THAT(left_after(run, 50), HasSubstr("time is up"));
}

TEST_F(CheckpointMoments, KnowTheLongestPiece) {
  context.time_limit = 100;
  auto run = checkpoints();
  EXPECT_EQ(left_after(run, 45), "");
  EXPECT_EQ(left_after(run, 1), "");
  context.time_limit = 80;
  EXPECT_NE(left_after(run, 1), "");
}

TEST_F(CheckpointMoments, AreFewerWhereDisksAreSlow) {
  options.every = 0.001;
  takes = std::chrono::milliseconds(30);
  auto run = checkpoints();
  const auto wait_for = [&](int number) {
    for (int i = 0; i < 10000 && written < number; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(left_after(run, 1), "");
    }
  };
  wait_for(1);
  const io::Stopwatch watch;
  wait_for(2);
  EXPECT_EQ(written, 2);
  EXPECT_GT(watch.seconds(), 4 * 0.03);
}

/// Exits by themselves, as what a signal does to a program stays.
TEST_F(CheckpointMoments, SignalsOfTheDeckLeaveTheRun) {
  EXPECT_EXIT(
      {
        auto run = checkpoints();
        run.begin();
        std::raise(SIGUSR2);
        std::exit(left_after(run, 1).find("left on SIGUSR2") == 0 ? 3 : 4);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(CheckpointMoments, SignalsBeforeTheFirstPieceOfAResumedRunDoTheSame) {
  context.time_limit = 1;
  auto first = checkpoints();
  EXPECT_NE(left_after(first, 1), "");
  EXPECT_EXIT(
      {
        const SavedRun saved(io::Communicator::self(), options.file);
        context.saved = &saved;
        auto run = checkpoints();
        std::raise(SIGUSR2);
        std::exit(0);
      },
      testing::ExitedWithCode(left_status), "");
}

}  // namespace
}  // namespace rivulet

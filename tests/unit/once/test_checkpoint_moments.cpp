// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the moments at which a run writes a checkpoint or stops. The tests state the duration of
// each piece instead of measuring it.

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

#include "io/mpi/report.hpp"
#include "io/mpi/stop_signals.hpp"
#include "io_test_support.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"

namespace rivulet {
namespace {

using testing::HasSubstr;

constexpr double never = 1e9;  // seconds between checkpoints

class CheckpointMoments : public testing::Test {
 protected:
  Checkpoints checkpoints() { return {options, context}; }
  /// Returns why the run stops after a piece of `seconds` seconds, or "" if it continues.
  std::string stop_reason_after(Checkpoints& run, double seconds) {
    try {
      run.after_piece(seconds, 0.5, [this](io::ResultsFile& file) {
        ++written;
        std::this_thread::sleep_for(write_time);
        file.attribute(state_group, "seconds", 1.5);
      });
    } catch (const Interrupted& interruption) {
      return interruption.what();
    }
    return "";
  }
  void end_batch_job_in(int seconds) {
    ::setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + seconds).c_str(), 1);
  }
  void TearDown() override { ::unsetenv("SLURM_JOB_END_TIME"); }

  test::TemporaryFolder folder;
  CheckpointOptions options{folder / "run.ckpt", never, "SIGUSR2", false};
  std::ostringstream report_text;
  io::Report report{io::Communicator::self(), report_text};
  io::PhaseTimer timer;
  JobContext context{io::Communicator::self(), report, timer, "", "job: pi"};
  int written = 0;
  std::chrono::milliseconds write_time{0};
};

TEST_F(CheckpointMoments, LeaveTimeForAnotherPieceWithinTheLimit) {
  context.time_limit = 100;
  auto run = checkpoints();
  EXPECT_EQ(stop_reason_after(run, 45), "");  // two pieces of 45 s, plus 1 s, fit into 100 s
  EXPECT_EQ(written, 0);
  EXPECT_THAT(stop_reason_after(run, 50),
              HasSubstr("stopped at the time limit (--time-limit) with 50 % of the work done."));
  EXPECT_EQ(written, 1);
  EXPECT_TRUE(std::filesystem::exists(options.file));
}

TEST_F(CheckpointMoments, LeaveABatchSystemAMinute) {
  end_batch_job_in(160);
  auto run = checkpoints();
  EXPECT_EQ(stop_reason_after(run, 45), "");
  EXPECT_THAT(stop_reason_after(run, 50),
              HasSubstr("at the time limit (a minute before SLURM_JOB_END_TIME) with"));
}

TEST_F(CheckpointMoments, IgnoreTheEndOfAnOlderBatchJob) {
  end_batch_job_in(-5);
  testing::internal::CaptureStderr();
  auto run = checkpoints();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("SLURM_JOB_END_TIME is past ("));
  EXPECT_EQ(stop_reason_after(run, 45), "");
}

TEST_F(CheckpointMoments, KnowTheLongestPiece) {
  context.time_limit = 100;
  auto run = checkpoints();
  EXPECT_EQ(stop_reason_after(run, 45), "");
  EXPECT_EQ(stop_reason_after(run, 1), "");
  context.time_limit = 80;
  EXPECT_NE(stop_reason_after(run, 1), "");
}

/// Models a machine on which a piece takes `overhead` seconds plus 1 / `rate` seconds per step.
/// converged_seconds() returns the duration of a piece after 100 pieces.
struct SlowPieces {
  double overhead;
  double rate;
  double seconds(std::uint64_t steps) const { return overhead + static_cast<double>(steps) / rate; }
  double converged_seconds(PieceLength& length) const {
    for (int i = 0; i < 100; ++i) length.learn(length.steps(), seconds(length.steps()));
    return seconds(length.steps());
  }
};

TEST(PieceLength, IsMostlyWork) {
  constexpr std::uint64_t first = 1 << 22;
  for (const double overhead : {0.0, 0.001, 0.02, 0.1}) {
    PieceLength length(first, 0.02);
    const double last = SlowPieces{overhead, 1e8}.converged_seconds(length);
    EXPECT_LE(overhead / last, 0.25) << overhead;
    EXPECT_LE(last, 1.6) << overhead;
  }
  PieceLength rare(first, 1.5);
  EXPECT_NEAR((SlowPieces{0.01, 1e8}.converged_seconds(rare)), 1.5, 0.1);
  for (const double wanted : {0.02, 1.5}) {
    PieceLength hopeless(first, wanted);
    EXPECT_GT((SlowPieces{100, 1e8}.converged_seconds(hopeless)), 100);
    EXPECT_EQ(hopeless.steps(), first / 16);
  }
  PieceLength one(1, 1.5);
  EXPECT_GT((SlowPieces{0, 0.1}.converged_seconds(one)), 9);
  EXPECT_EQ(one.steps(), 1U);
}

TEST_F(CheckpointMoments, AreFewerWhereDisksAreSlow) {
  options.every = 0.001;
  write_time = std::chrono::milliseconds(30);
  auto run = checkpoints();
  const auto wait_for = [&](int number) {
    for (int i = 0; i < 10000 && written < number; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(stop_reason_after(run, 1), "");
    }
  };
  wait_for(1);
  const io::Stopwatch watch;
  wait_for(2);
  EXPECT_EQ(written, 2);
  EXPECT_GT(watch.seconds(), 4 * 0.03);
}

/// The case runs in a process of its own, because a signal's effect on a process persists.
TEST_F(CheckpointMoments, SignalsOfTheDeckLeaveTheRun) {
  EXPECT_EXIT(
      {
        auto run = checkpoints();
        run.begin();
        std::raise(SIGUSR2);
        std::exit(stop_reason_after(run, 1).find("stopped by SIGUSR2") == 0 ? 3 : 4);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(CheckpointMoments, SignalsBeforeTheFirstPieceOfAResumedRunDoTheSame) {
  context.time_limit = 1;
  auto first = checkpoints();
  EXPECT_NE(stop_reason_after(first, 1), "");
  EXPECT_EXIT(
      {
        const CheckpointReader saved(io::Communicator::self(), options.file);
        context.saved = &saved;
        auto run = checkpoints();
        std::raise(SIGUSR2);
        std::exit(0);
      },
      testing::ExitedWithCode(interrupted_status), "");
}

}  // namespace
}  // namespace rivulet

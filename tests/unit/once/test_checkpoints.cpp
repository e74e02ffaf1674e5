// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/checkpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "io/files/open_outputs.hpp"
#include "io/mpi/stop_signals.hpp"
#include "io/words/scalar_text.hpp"
#include "io_test_support.hpp"

namespace rivulet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Checkpoints, LearnHowLongAPieceIs) {
  PieceLength length(10, 1.5);
  length.learn(10, 0.15);  // grows by at most a factor of 4
  EXPECT_EQ(length.steps(), 40U);
  length.learn(40, 3);
  EXPECT_EQ(length.steps(), 20U);
  length.learn(3, 0.001);  // ignored: a short last piece
  EXPECT_EQ(length.steps(), 20U);
  length.learn(20, 1000);
  EXPECT_EQ(length.steps(), 5U);
  length.learn(1, 1000);
  EXPECT_EQ(length.steps(), 1U);
}

TEST(Checkpoints, KnowTimesByTheirUnits) {
  for (const auto& [text, seconds] : {std::pair{"10 min", 600.0},
                                      {"0.5 s", 0.5},
                                      {"90", 90.0},
                                      {"1.5 h", 5400.0},
                                      {"2d", 172800.0}}) {
    EXPECT_EQ(io::duration_from(text), seconds) << text;
    EXPECT_EQ(io::duration_from(io::duration_text(seconds)), seconds) << text;
  }
  EXPECT_EQ(io::duration_text(600), "10 min");
  EXPECT_EQ(io::duration_text(0.05), "0.05 s");
  for (const char* text : {"", "min", "-1 s", "10 hours", "inf", "1e999 s"}) {
    EXPECT_THROW(io::duration_from(text), io::NotANumber) << text;
  }
}

TEST(Checkpoints, KnowSignalsByName) {
  EXPECT_THAT(io::signals_from("SIGTERM INT,USR1"), ElementsAre(SIGTERM, SIGINT, SIGUSR1));
  EXPECT_THAT(io::signals_from(" "), ElementsAre());
  EXPECT_EQ(io::name_of_signal(SIGUSR1), "SIGUSR1");
  EXPECT_THAT(test::message_of([] { io::signals_from("SIGTERM KILL"); }),
              HasSubstr("unknown signal 'KILL'"));
}

TEST(Checkpoints, NoteSignals) {
  const auto noted = [] {
    io::record_signals({SIGUSR2});
    const int before = io::received_signal();
    std::raise(SIGUSR2);
    std::exit(before == 0 && io::received_signal() == SIGUSR2 ? 3 : 4);
  };
  EXPECT_EXIT(noted(), testing::ExitedWithCode(3), "");  // in a child, because the record stays set
}

TEST(Checkpoints, HoldSignalsUntilTheyHaveAnEffect) {
  const auto held = [] {
    io::block_signals({SIGUSR2});
    std::raise(SIGUSR2);
    io::exit_on_signals({SIGUSR2}, 3);
    std::exit(4);
  };
  EXPECT_EXIT(held(), testing::ExitedWithCode(3), "");
}

TEST(Checkpoints, EndProgramsWithoutTheirPartialFiles) {
  const test::TemporaryFolder folder;
  const auto end = [&](int status) {
    std::ofstream(folder / "kept.part") << "whole";
    std::ofstream(folder / "a.part") << "half";
    std::ofstream(folder / "needed.part") << "half";
    for (const char* const lock : {"complete.lock", "a.lock", "needed.lock", "roots.lock"}) {
      std::ofstream(folder / lock) << "this run";
    }
    using enum io::OpenOutput::Owner;
    {
      const io::OpenOutput complete(folder / "kept.part", folder / "complete.lock", this_rank,
                                    false);
    }
    const io::OpenOutput partial(folder / "a.part", folder / "a.lock", this_rank, false);
    io::OpenOutput needed(folder / "needed.part", folder / "needed.lock", this_rank, false);
    needed.keep(true);
    const io::OpenOutput roots(folder / "roots.part", folder / "roots.lock", another_rank, false);
    io::exit_on_signals({SIGUSR2}, status);
    std::raise(SIGUSR2);
  };
  EXPECT_EXIT(end(0), testing::ExitedWithCode(128 + SIGUSR2), "");
  for (const char* const gone : {"a.part", "a.lock", "needed.lock"}) {
    EXPECT_FALSE(std::filesystem::exists(folder / gone)) << gone;
  }
  for (const char* const left : {"kept.part", "needed.part", "complete.lock", "roots.lock"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / left)) << left;
  }
  EXPECT_EXIT(end(75), testing::ExitedWithCode(75), "");
}

}  // namespace
}  // namespace rivulet

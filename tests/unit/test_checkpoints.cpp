// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/checkpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "../io_test_support.hpp"
#include "io/deck/scalar_text.hpp"
#include "io/mpi/stop_signals.hpp"
#include "jobs/pi/pi_pieces.hpp"

namespace rivulet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Marks = std::vector<std::uint64_t>;

TEST(Checkpoints, LearnHowLongAPieceIs) {
  PieceLength length(10, 1.5);
  length.learn(10, 0.15);  // no more than 4 times as long at once
  EXPECT_EQ(length.steps(), 40U);
  length.learn(40, 3);
  EXPECT_EQ(length.steps(), 20U);
  length.learn(3, 0.001);  // the last piece, which says little
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
              HasSubstr("no signal 'KILL'"));
}

TEST(Checkpoints, NoteSignals) {
  const auto noted = [] {
    io::note({SIGUSR2});
    const int before = io::noted_signal();
    std::raise(SIGUSR2);
    std::exit(before == 0 && io::noted_signal() == SIGUSR2 ? 3 : 4);
  };
  EXPECT_EXIT(noted(), testing::ExitedWithCode(3), "");  // what is noted stays
}

TEST(Checkpoints, EndProgramsWithoutTheirPartialFiles) {
  const test::TemporaryFolder folder;
  const auto end = [&](int status) {
    std::ofstream(folder / "kept.part") << "whole";
    std::ofstream(folder / "a.part") << "half";
    { const io::PartialFile complete(folder / "kept.part"); }
    const io::PartialFile partial(folder / "a.part");
    io::end_on({SIGUSR2}, status);
    std::raise(SIGUSR2);
  };
  EXPECT_EXIT(end(0), testing::ExitedWithCode(128 + SIGUSR2), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
  EXPECT_TRUE(std::filesystem::exists(folder / "kept.part"));
  EXPECT_EXIT(end(75), testing::ExitedWithCode(75), "");
}

TEST(PiPieces, EndWithinBatches) {
  PiPieces pieces({10, 20, 30, 37});
  EXPECT_THAT(pieces.marks_to(25), ElementsAre(Marks{10, 20}, Marks{25}));
  pieces.add({10, 20}, {1, 2});
  pieces.add({25}, {3});
  EXPECT_THAT(pieces.ends_so_far(), ElementsAre(10, 20));
  EXPECT_THAT(pieces.hits_so_far(), ElementsAre(1, 3));
  EXPECT_THAT(pieces.marks_to(27), ElementsAre(Marks{27}));
  EXPECT_THAT(pieces.marks_to(37), ElementsAre(Marks{30}, Marks{37}));
  pieces.add({30}, {4});
  pieces.add({37}, {5});
  EXPECT_THAT(pieces.hits_so_far(), ElementsAre(1, 3, 10, 15));
  EXPECT_EQ(pieces.all_hits(), 15U);
}

TEST(PiPieces, GoOnWithBatchesThatWereCounted) {
  PiPieces pieces({10, 20, 30}, 8, 11, {{10}, {1}}, 1);
  EXPECT_THAT(pieces.marks_to(30), ElementsAre(Marks{20}, Marks{30}));
  pieces.add({20}, {7});
  EXPECT_THAT(pieces.ends_so_far(), ElementsAre(20));
  EXPECT_THAT(pieces.hits_so_far(), ElementsAre(7));
  EXPECT_THAT(pieces.ended().hits, ElementsAre(1));
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the skeleton of jobs that draw from streams (src/jobs/common/drawing_job.hpp) with a job
// that is not part of the library.
#include "toy_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "io_test_support.hpp"
#include "job_test_support.hpp"

namespace rivulet {
namespace {

using test::message_of;
using test::report_of;
using test::TemporaryFolder;
using test::ToyDeck;
using test::ToyJob;
using test::ToyWork;
using testing::HasSubstr;

const std::string no_file = "output: {file: \"\"}\n";

/// Returns the message with which the job refuses the deck.
std::string refusal_of(const std::string& deck) {
  ToyJob job;
  return message_of([&] {
    io::Deck::parse("job: toy\n" + no_file + deck, "deck").read_into(job.schema());
    job.check(io::Communicator::self());
  });
}

TEST(ToyJob, FigureOfMeritIsOfAllIterations) {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.h5";
  ToyJob job;
  report_of(job, "job: toy\ntoy: {iterations: 20}\noutput: {file: " + path + "}");
  const io::ReadFile file(path, "results");
  const double seconds = file.dataset<double>("/timing/total").at(0);
  // The time is that of the whole run, so it exceeds the time of the iterations.
  EXPECT_GT(file.attribute<double>("/timing", "figure_of_merit") * seconds, 20 * 4096.0 * 1000);
}

TEST(ToyJob, IsCheckedBeforeItRuns) {
  EXPECT_THAT(refusal_of("toy: {limit: 0}"), HasSubstr("toy.limit=0 (no word is below 0)"));
  EXPECT_THAT(refusal_of("streams: {generator: lfsr113, mapping: team}"),
              HasSubstr("streams.mapping=team with streams.generator=lfsr113"));
  EXPECT_THAT(refusal_of("streams: {seeding: published, count: 5000}"),
              HasSubstr("5000 streams are more than 512 parameter sets can make disjoint"));
}

TEST(ToyJob, IsWrittenInAtMost120Lines) {
  std::ifstream source(RIVULET_SOURCE_DIR "/tests/toy_job.hpp");
  const auto lines = std::count(std::istreambuf_iterator<char>(source), {}, '\n');
  EXPECT_GT(lines, 0);
  EXPECT_LE(lines, 120);
}

/// Restarts only once, so that later iterations draw other words, as on faulty hardware.
struct RestlessWork : ToyWork {
  bool started = false;

  void restart() {
    if (!std::exchange(started, true)) ToyWork::restart();
  }
};

TEST(ToyJob, MayNotDifferFromItsFirstIteration) {
  JobOf<ToyDeck, RestlessWork> job;
  const std::string deck = "job: toy\n" + no_file + "toy: {iterations: 2}";
  EXPECT_THAT(message_of([&] { report_of(job, deck); }),
              HasSubstr("an iteration counted other words than the first"));
}

}  // namespace
}  // namespace rivulet

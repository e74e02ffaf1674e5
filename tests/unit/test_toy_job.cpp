// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The skeleton of jobs that draw from streams (src/jobs/common/drawing_job.hpp), by a job that is
// not the library's.
#include "toy_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io_test_support.hpp"
#include "job_test_support.hpp"

namespace rivulet {
namespace {

using test::lines_of;
using test::message_of;
using test::report_of;
using test::TemporaryFolder;
using test::ToyJob;
using testing::HasSubstr;
using testing::MatchesRegex;

const std::string no_file = "output: {file: \"\"}\n";

std::string digest_of(const std::string& deck) {
  ToyJob job;
  return lines_of(report_of(job, "job: toy\n" + no_file + deck)).back();
}

/// The message of the deck's check.
std::string refusal_of(const std::string& deck) {
  ToyJob job;
  return message_of([&] {
    io::Deck::parse("job: toy\n" + no_file + deck, "deck").read_into(job.schema());
    job.check(io::Communicator::self());
  });
}

TEST(ToyJob, ReportsAsEveryJobDoes) {
  ToyJob job;
  const std::vector<std::string> lines =
      lines_of(report_of(job, "job: toy\n" + no_file + "streams: {count: 100}"));
  ASSERT_GE(lines.size(), 8u);
  EXPECT_EQ(lines[0], "");
  EXPECT_EQ(lines[1], "Result");
  EXPECT_THAT(lines[2], MatchesRegex("below: [0-9]+ words"));
  EXPECT_EQ(lines[4], "Streams");
  EXPECT_THAT(lines, testing::Contains("Seconds on 1 rank"));
  EXPECT_EQ(lines[lines.size() - 3], "");
  EXPECT_THAT(lines[lines.size() - 2], MatchesRegex("Figure of Merit \\(FOM\\): [^ ]+ words/s"));
  EXPECT_THAT(lines.back(), MatchesRegex("Digest: [0-9a-f]{64}"));
}

TEST(ToyJob, CountsWhatIsBelow) {
  ToyJob job;
  const std::string report = report_of(job, "job: toy\n" + no_file);
  const std::string line = lines_of(report)[2];
  const double below = std::stod(line.substr(line.find(' ')));
  const double words = 4096.0 * 1000;
  const double chance = 1e9 / 4294967296.0;
  EXPECT_NEAR(below, words * chance, 5 * std::sqrt(words * chance * (1 - chance)));
}

TEST(ToyJob, GivesTheSameInBothMappings) {
  for (const std::string generator : {"dcmt521", "ranmar48"}) {
    const std::string streams = "streams: {count: 37, generator: " + generator;
    const std::string lane = digest_of(streams + ", mapping: lane}");
    EXPECT_EQ(lane, digest_of(streams + ", mapping: team}")) << generator;
    EXPECT_NE(lane, digest_of(streams + ", seed: 5}")) << generator;
  }
}

TEST(ToyJob, RepeatsItselfFromTheSameStreams) {
  EXPECT_EQ(digest_of("toy: {iterations: 3}"), digest_of("toy: {iterations: 1}"));
}

TEST(ToyJob, WritesItsFileWithWhatEveryFileHas) {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.h5";
  ToyJob job;
  const std::string report =
      report_of(job, "job: toy\nstreams: {count: 11}\noutput: {file: " + path + "}");
  EXPECT_THAT(report, HasSubstr("results file: " + path + "\n"));
  const io::ReadFile file(path, "results");
  EXPECT_EQ("Digest: " + file.attribute<std::string>("/", "digest"), lines_of(report).back());
  EXPECT_EQ(file.dataset<std::uint64_t>("/results/toy/below").size(), 11u);
  EXPECT_EQ(file.dataset<std::uint64_t>("/streams/id").size(), 11u);
  EXPECT_THAT(file.attribute<double>("/timing", "figure_of_merit"), testing::Gt(0));
}

TEST(ToyJob, FigureOfMeritIsOfAllIterations) {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.h5";
  ToyJob job;
  report_of(job, "job: toy\ntoy: {iterations: 20}\noutput: {file: " + path + "}");
  const io::ReadFile file(path, "results");
  const double seconds = file.dataset<double>("/timing/total").at(0);
  // Of the whole run, and so more than the iterations took.
  EXPECT_GT(file.attribute<double>("/timing", "figure_of_merit") * seconds, 20 * 4096.0 * 1000);
}

TEST(ToyJob, IsCheckedBeforeItRuns) {
  EXPECT_THAT(refusal_of("toy: {limit: 0}"), HasSubstr("toy.limit=0 (no word is below 0)"));
  EXPECT_THAT(refusal_of("streams: {generator: lfsr113, mapping: team}"),
              HasSubstr("streams.mapping=team with streams.generator=lfsr113"));
  EXPECT_THAT(refusal_of("streams: {seeding: published, count: 5000}"),
              HasSubstr("5000 streams are more than 512 parameter sets can make disjoint"));
}

TEST(ToyJob, MissesAParameterFileBeforeItRuns) {
  EXPECT_THAT(refusal_of("streams: {parameters: no_such_file.h5}"),
              HasSubstr("no_such_file.h5' (there is no such file)"));
}

/// Goes on where the last iteration ended, as a machine that computes wrongly might.
class RestlessJob final : public ToyJob {
  void restart() override {
    if (!started_) ToyJob::restart();
    started_ = true;
  }
  bool started_ = false;
};

TEST(ToyJob, MayNotDifferFromItsFirstIteration) {
  RestlessJob job;
  const std::string deck = "job: toy\n" + no_file + "toy: {iterations: 2}";
  EXPECT_THAT(message_of([&] { report_of(job, deck); }),
              HasSubstr("an iteration counted other words than the first"));
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <sstream>

#include "io/mpi/progress.hpp"
#include "io/mpi/timing.hpp"

namespace rivulet::io {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Report, PrintsValuesWithUnits) {
  std::ostringstream out;
  Report report(Communicator::self(), out);
  report.section("Result");
  report.result("hits", std::numeric_limits<std::uint64_t>::max());
  report.result("ranks", 2);
  report.result("pi", 3.1415926535897931);
  report.result("standard error", 1.0 / 3e6, "", 3);
  report.result("time", 1.5, "s");
  report.result("kernel", "fused");
  report.result("passed", true);
  EXPECT_EQ(out.str(),
            "\nResult\nhits: 18446744073709551615\nranks: 2\npi: 3.141592653589793\n"
            "standard error: 3.33e-07\ntime: 1.5 s\nkernel: fused\npassed: true\n");
}

TEST(Report, PrintsTextAsItIs) {
  std::ostringstream out;
  Report report(Communicator::self(), out);
  report.text("job: pi\npi: {}");
  report.text("");
  report.text("last\n");
  EXPECT_EQ(out.str(), "job: pi\npi: {}\nlast\n");
}

TEST(Report, EndsWithFigureOfMeritAndDigest) {
  std::ostringstream out;
  Report report(Communicator::self(), out);
  report.finish(3.8125e9, "numbers/s", std::string(64, 'a'));
  EXPECT_EQ(out.str(), "\nFigure of Merit (FOM): 3.8125e+09 numbers/s\nDigest: " +
                           std::string(64, 'a') + "\n");
}

TEST(Report, TabulatesEveryPhase) {
  std::ostringstream out;
  Report report(Communicator::self(), out);
  PhaseTimer timer;
  timer.add(Phase::rng, 1.25);
  report.timings(timer);
  EXPECT_THAT(out.str(), HasSubstr("\nSeconds on 1 rank\nphase "));
  EXPECT_THAT(out.str(), ContainsRegex("\nrng +1.250000 +1.250000 +1.250000\n"));
  for (const auto name : phase_names) EXPECT_THAT(out.str(), HasSubstr(std::string(name)));
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void wait_for_the_next_tick() {
  const auto start = Clock::now();
  while (Clock::now() <= start) continue;
}

// A timer shows more than the time measured inside its scopes, and less than the time around them.
TEST(PhaseTimer, AccumulatesScopes) {
  PhaseTimer timer;
  timer.add(Phase::io, 1);
  double inside = 1;
  const auto start = Clock::now();
  for (int i = 0; i < 2; ++i) {
    const auto scope = timer.scope(Phase::io);
    const auto begun = Clock::now();
    wait_for_the_next_tick();
    inside += seconds_since(begun);
    wait_for_the_next_tick();
  }
  wait_for_the_next_tick();
  EXPECT_GT(timer.seconds(Phase::io), inside);
  EXPECT_LT(timer.seconds(Phase::io), 1 + seconds_since(start));
  EXPECT_EQ(timer.seconds(Phase::compute), 0);
  const auto spread = timer.spreads(Communicator::self())[static_cast<std::size_t>(Phase::io)];
  EXPECT_EQ(spread.min, timer.seconds(Phase::io));
  EXPECT_EQ(spread.avg, spread.min);
  EXPECT_EQ(spread.max, spread.min);
}

/// A temporary file whose contents can be read back.
class Captured {
 public:
  Captured() : file_(std::tmpfile()) {}
  ~Captured() { std::fclose(file_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  int descriptor() const { return ::fileno(file_); }
  std::string text() const {
    std::array<char, 4096> all{};
    const ssize_t size = ::pread(descriptor(), all.data(), all.size(), 0);
    return {all.data(), static_cast<std::size_t>(size)};
  }

 private:
  std::FILE* file_;
};

TEST(Progress, WritesLinesToABatchLog) {
  const Captured log;
  {
    Progress progress(Communicator::self(), 400, "points", {log.descriptor(), std::nullopt, 0.0});
    progress.advance(100);
    progress.advance(200);
  }
  EXPECT_THAT(log.text(), StartsWith(" 25.0 %: 100 of 400 points, "));
  EXPECT_THAT(log.text(),
              ContainsRegex("\n 75.0 %: 300 of 400 points, [^ ]+ points/s, 0:01 left\n"));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("\r")));
}

TEST(Progress, WaitsAMinuteBetweenLines) {
  const Captured log;
  Progress progress(Communicator::self(), 1000, "points",
                    {log.descriptor(), std::nullopt, std::nullopt});
  for (int i = 0; i < 1000; ++i) progress.advance(1);
  EXPECT_EQ(log.text(), "");
}

TEST(Progress, DrawsABarAndClearsIt) {
  const Captured screen;
  {
    Progress progress(Communicator::self(), 4, "sets", {screen.descriptor(), true, 0.0});
    progress.advance(1);
    EXPECT_THAT(screen.text(),
                StartsWith("\r[#######.......................]  25.0 % 1 of 4 sets"));
  }
  EXPECT_THAT(screen.text(), EndsWith(" \r"));
  EXPECT_THAT(screen.text(), testing::Not(HasSubstr("\n")));
}

TEST(Progress, DrawsFewTimesASecond) {
  const Captured screen;
  {
    Progress progress(Communicator::self(), 1000, "sets",
                      {screen.descriptor(), true, std::nullopt});
    for (int i = 0; i < 1000; ++i) progress.advance(1);
  }
  EXPECT_EQ(screen.text(), "");
}

TEST(Progress, SurvivesNothingToDoAndTooMuchDone) {
  const Captured log;
  Progress none(Communicator::self(), 0, "sets", {log.descriptor(), false, 0.0});
  none.advance(1);
  EXPECT_EQ(log.text(), "");
  Progress few(Communicator::self(), 1, "sets", {log.descriptor(), false, 0.0});
  few.advance(5);
  EXPECT_THAT(log.text(), StartsWith("100.0 %"));
}

}  // namespace
}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/terminal/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <sstream>

#include "io/terminal/timing.hpp"

namespace rivulet::io {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

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

// A stopwatch shows more than what passes within its time and less than what passes around that.
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

}  // namespace
}  // namespace rivulet::io

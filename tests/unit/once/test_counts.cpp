// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests the addition of jobs' counts, their round trip through files, and declared results.
#include "jobs/common/counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <vector>

#include "io_test_support.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/merge_input.hpp"
#include "jobs/common/results.hpp"
#include "jobs/correlate/correlate_result.hpp"
#include "jobs/pi/pi_result.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

using io::Communicator;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::uint64_t>;

TEST(Counts, RowsAreAddedIdByIdAndAppended) {
  NumbersById<std::uint64_t> rows(10, {1, 2, 3});
  rows += {11, {10, 20}};
  EXPECT_THAT(rows.values, ElementsAre(1, 12, 23));
  rows += {13, {7}};
  EXPECT_THAT(rows.values, ElementsAre(1, 12, 23, 7));
  rows += NumbersById<std::uint64_t>();  // an empty range
  EXPECT_EQ(rows.first, 10U);
  EXPECT_THAT(rows.values, ElementsAre(1, 12, 23, 7));
}

TEST(Counts, SumsOf128BitsAreJoinedOfTwoWords) {
  const Int128 large = (static_cast<Int128>(5) << 70) + 3;
  for (const Int128 value : {Int128{0}, Int128{-1}, large, -large}) {
    EXPECT_TRUE(joined(upper_of(value), lower_of(value)) == value);
  }
  EXPECT_EQ(upper_of(-1), -1);  // rounded down
}

HitCounts pi_part(StreamRange ids, const Words& hits) {
  HitCounts part{{100, 8}, NumbersById<std::uint64_t>(ids)};
  part.hits.values = hits;
  return part;
}

TEST(HitCounts, OfPartsAreOfAllTheirStreams) {
  HitCounts all = pi_part({2, 2}, {7, 8});
  all += pi_part({4, 1}, {9});
  EXPECT_THAT(all.words(), ElementsAre(13, 7, 13, 8, 12, 9));  // 100 points over 8 streams
  EXPECT_EQ(all.hits.total(), 24U);
}

TEST(PiRunning, IsOfBatchesOfTheRunsStreams) {
  const PiRunning two = running_sums(pi_part({2, 3}, {7, 8, 9}), {2, 3}, 2);
  EXPECT_THAT(two.points,
              ElementsAre(26, 38));  // 13 points each in streams 2 and 3, and 12 in stream 4
  EXPECT_THAT(two.hits, ElementsAre(15, 24));
  const PiRunning each = running_sums(pi_part({2, 3}, {7, 8, 9}), {2, 3}, 3);
  EXPECT_THAT(each.hits, ElementsAre(7, 15, 24));
}

TEST(PiRunning, OfRanksIsASum) {
  PiRunning first = running_sums(pi_part({2, 2}, {7, 8}), {2, 3}, 2);
  const PiRunning second = running_sums(pi_part({4, 1}, {9}), {2, 3}, 2);
  add_each(first.hits, second.hits);
  EXPECT_EQ(first.hits, running_sums(pi_part({2, 3}, {7, 8, 9}), {2, 3}, 2).hits);
}

CorrelationSums some_sums() {
  CorrelationSums sums;
  sums.streams = 2;
  sums.numbers = 5;
  sums.sum = -(static_cast<Int128>(3) << 65);
  sums.squares = 12;
  sums.ends = {-4, 9};
  sums.products = {12, -5, static_cast<Int128>(1) << 90};
  return sums;
}

TEST(CorrelationSums, AreAddedOneByOne) {
  CorrelationSums sums = some_sums();
  sums += some_sums();
  EXPECT_EQ(sums.streams, 4U);
  EXPECT_TRUE(sums.sum == -(static_cast<Int128>(3) << 66));
  EXPECT_THAT(sums.ends, ElementsAre(-8, 18));
  EXPECT_TRUE(sums.products[2] == static_cast<Int128>(1) << 91);
}

class CountsInFiles : public testing::Test {
 protected:
  template <class Counts>
  void write(const Counts& counts) {
    io::ResultsFile file(Communicator::self(), path, "results", version);
    Results out(Communicator::self(), "/results/some");
    out.group("some");
    declare_counts(out, counts);
    out.write(file);
    names = out.attributes();
    file.commit();
  }
  template <class Counts>
  void read(Counts& counts) {
    const io::ReadFile file(path, "results");
    CountsOfFile reader(file, "/results/some");
    counts.fields(reader);
  }

  test::TemporaryFolder folder;
  std::string path = folder / "some.h5";
  std::set<std::string> names;  ///< names of the attributes written
};

TEST_F(CountsInFiles, AreReadAsTheyWereWritten) {
  write(some_sums());
  CorrelationSums sums;
  sums.streams = 2;
  read(sums);
  EXPECT_TRUE(sums.sum == some_sums().sum);
  EXPECT_TRUE(sums.squares == 12);
  EXPECT_EQ(sums.ends, some_sums().ends);
  EXPECT_TRUE(names.contains("squares_lower"));
  EXPECT_EQ(sums.words(), some_sums().words());
}

TEST_F(CountsInFiles, ThatDoNotFitTheDeckAreSaidToBe) {
  write(pi_part({2, 2}, {7, 8}));
  HitCounts fitting = pi_part({2, 2}, {0, 0});
  read(fitting);
  EXPECT_EQ(fitting.words(), pi_part({2, 2}, {7, 8}).words());
  HitCounts longer = pi_part({2, 3}, {0, 0, 0});
  EXPECT_THROW(read(longer), Mismatch);
}

class DeclaredResults : public testing::Test {
 protected:
  static Results some(Results::Purpose what) {
    Results out(Communicator::self(), "/results/some", what);
    out.group("some");
    out.value("standard_error", 0.25, "1", "of the estimate");
    out.value("hits", 3U, "points", "points inside", {.unit = ""});
    out.value("outside", 2U, "lags", "lags outside");
    out.value("largest_change", 0.123456, "", "of a cell", {.name = "change", .digits = 2});
    out.stored("type", std::string("double"), "", "as in the deck");
    out.report_line("checksum", 7U);
    out.setup_line("table", 1.5, "s");
    out.status(3);
    out.dataset("picture", Words{1, 2, 3, 4, 5, 6}, "height,width", "rays", "open rays", 3);
    out.when(false, "with some.keep=true", [&] {
      out.filled_by_run("kept", {io::ElementType::f32, 5}, "sample", "", "those kept");
    });
    return out;
  }
};

TEST_F(DeclaredResults, AreOfFileReportAndDescription) {
  const test::TemporaryFolder folder;
  const Results out = some(Results::Purpose::run);
  {
    io::ResultsFile file(Communicator::self(), folder / "a.h5", "results", version);
    out.create(file);
    out.write(file);
    file.commit();
  }
  const io::ReadFile file(folder / "a.h5", "results");
  EXPECT_EQ(file.attribute<double>("/results/some", "standard_error"), 0.25);
  EXPECT_EQ(file.attribute<std::string>("/results/some", "hits_unit"), "points");
  EXPECT_EQ(file.attribute<std::string>("/results/some", "type"), "double");
  EXPECT_EQ(file.attribute<std::uint64_t>("/results/some", io::status_attribute), 3U);
  EXPECT_FALSE(file.has_attribute("/results/some", "checksum"));
  EXPECT_EQ(file.shape("/results/some/picture"), (Words{2, 3}));
  EXPECT_EQ(file.attribute<std::string>("/results/some/picture", "dimensions"), "height,width");
  EXPECT_FALSE(file.has("/results/some/kept"));
  std::ostringstream said;
  io::Report report(Communicator::self(), said);
  out.write_lines(report);
  EXPECT_EQ(said.str(),
            "standard error: 0.25\nhits: 3\noutside: 2 lags\nchange: 0.12\nchecksum: 7\n");
  out.write_setup_lines(report);
  EXPECT_THAT(said.str(), HasSubstr("\ntable: 1.5 s\n"));
}

TEST_F(DeclaredResults, OfADescriptionAreThoseOfAllDecks) {
  EXPECT_EQ(some(Results::Purpose::description).lines(),
            "/results/some@standard_error  f64   -             1       of the estimate\n"
            "/results/some@hits            u64   -             points  points inside\n"
            "/results/some@outside         u64   -             lags    lags outside\n"
            "/results/some@largest_change  f64   -             -       of a cell\n"
            "/results/some@type            text  -             -       as in the deck\n"
            "/results/some@exit_status     u64   -             -       exit status of the run\n"
            "/results/some/picture         u64   height,width  rays    open rays\n"
            "/results/some/kept            f32   sample        -       those kept; with "
            "some.keep=true\n");
}

}  // namespace
}  // namespace rivulet

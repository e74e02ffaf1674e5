// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "deck_tables.hpp"
#include "jobs/common/job.hpp"

// The tables of docs/deck.md and docs/results_file.md are the code's own. The test fails where they
// differ; with RIVULET_UPDATE_DOCS=1 in the environment it writes them anew.

namespace rivulet {
namespace {

const std::string marker =
    "<!-- from here on written by tests/unit/once/test_deck_reference.cpp -->\n";

std::string read_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  return text.str();
}

/// Compares the end of a page of docs with tables of all jobs.
void expect_on_page(const std::string& name, const std::string& tables) {
  if (std::ranges::count(jobs(), "battery", &JobEntry::name) == 0) {
    GTEST_SKIP() << "the page is of all jobs (RIVULET_BATTERY=ON)";
  }
  const std::string page = std::string(RIVULET_SOURCE_DIR) + "/docs/" + name;
  const std::string text = read_file(page);
  const auto at = text.find(marker);
  ASSERT_NE(at, std::string::npos) << page << " has no line\n" << marker;
  const std::string by_hand = text.substr(0, at + marker.size());
  if (std::getenv("RIVULET_UPDATE_DOCS") != nullptr) {
    std::ofstream(page) << by_hand << tables;
    GTEST_SKIP() << "wrote " << page << " instead (RIVULET_UPDATE_DOCS)";
  }
  EXPECT_EQ(text.substr(by_hand.size()), tables)
      << page << " is not up to date. Write it anew with\n"
      << "  RIVULET_UPDATE_DOCS=1 build/tests/rivulet_unit_tests --gtest_filter='DeckReference.*'";
}

TEST(DeckReference, TablesAreThoseOfTheCode) {
  std::vector<std::unique_ptr<Job>> made;  // whose values the schemas show
  for (const JobEntry& entry : jobs()) made.push_back(entry.make());
  std::vector<io::Schema> schemas;
  for (const auto& job : made) schemas.push_back(job->schema());
  expect_on_page("deck.md", io::markdown(schemas));
}

/// The second and third cell of a result's row.
std::string cells_of(const io::Result& one) {
  return fmt::format(" | {}{}{} | {} |\n", one.type, one.axes.empty() ? "" : "[" + one.axes + "]",
                     one.unit.empty() || one.unit == "1" ? "" : ", " + one.unit,
                     io::table_cell(one.doc));
}

TEST(DeckReference, ResultsAreThoseOfTheCode) {
  std::string text;
  for (const JobEntry& entry : jobs()) {
    const Results out = entry.make()->description();
    text += fmt::format("\n`{}`, of the [{} job](deck.md#job-{})\n\n", out.path(), entry.name,
                        entry.name);
    text += "| name | type | meaning |\n|---|---|---|\n";
    std::string cells;
    for (const io::Result& one : out.all()) {  // neighbours that differ in their names alone: a row
      const std::string before = std::exchange(cells, (one.is_dataset ? "d" : "") + cells_of(one));
      if (cells == before) text.resize(text.size() - cells_of(one).size());
      text += cells == before ? ", " : one.is_dataset ? "| dataset " : "| ";
      text += fmt::format("`{}`", one.name) + cells_of(one);
    }
  }
  expect_on_page("results_file.md", text);
}

}  // namespace
}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "deck_tables.hpp"
#include "jobs/common/job.hpp"

// docs/deck.md must contain the tables that the code generates. With RIVULET_UPDATE_DOCS=1 in the
// environment, the test rewrites the tables instead of comparing them.

namespace rivulet {
namespace {

const std::string page = std::string(RIVULET_SOURCE_DIR) + "/docs/deck.md";
const std::string anew =
    " is not up to date. Write it anew with\n"
    "  RIVULET_UPDATE_DOCS=1 build/tests/rivulet_unit_tests --gtest_filter='DeckReference.*'";
const std::string marker =
    "<!-- from here on written by tests/unit/once/test_deck_reference.cpp -->\n";

std::string read_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  return text.str();
}

std::string tables() {
  std::vector<std::unique_ptr<Job>> made;  // schemas refer to the jobs' values
  for (const JobEntry& entry : jobs()) made.push_back(entry.make());
  std::vector<io::Schema> schemas;
  for (const auto& job : made) schemas.push_back(job->schema());
  return io::markdown(schemas);
}

TEST(DeckReference, TablesAreThoseOfTheCode) {
  if (std::ranges::count(jobs(), "battery", &JobEntry::name) == 0) {
    GTEST_SKIP() << "the page has the keys of all jobs (RIVULET_BATTERY=ON)";
  }
  const std::string text = read_file(page);
  const auto at = text.find(marker);
  ASSERT_NE(at, std::string::npos) << page << " has no line\n" << marker;
  const std::string by_hand = text.substr(0, at + marker.size());
  if (std::getenv("RIVULET_UPDATE_DOCS") != nullptr) {
    std::ofstream(page) << by_hand << tables();
    GTEST_SKIP() << "wrote " << page << " instead (RIVULET_UPDATE_DOCS)";
  }
  EXPECT_EQ(text.substr(by_hand.size()), tables()) << page << anew;
}

}  // namespace
}  // namespace rivulet

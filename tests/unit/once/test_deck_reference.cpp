// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/deck/command_line.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"

// The tables of docs/deck.md and the manual page are the code's own. Where they differ, the test
// fails; run it with RIVULET_UPDATE_DOCS=1 in the environment, and it writes them anew.

namespace rivulet {
namespace {

const std::string page = std::string(RIVULET_SOURCE_DIR) + "/docs/deck.md";
const std::string manual = std::string(RIVULET_SOURCE_DIR) + "/docs/rivulet.1";
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

std::vector<std::unique_ptr<Job>> all_jobs() {
  std::vector<std::unique_ptr<Job>> made;
  for (const JobEntry& entry : jobs()) made.push_back(entry.make());
  return made;
}

std::string tables() {
  const auto made = all_jobs();  // whose values the schemas show
  std::vector<io::Schema> schemas;
  for (const auto& job : made) schemas.push_back(job->schema());
  return io::markdown(schemas);
}

/// A text as roff shows it: of `-` and `\`, `.` and `'` at the start of a line it makes others.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool starts = out.empty() || out.back() == '\n';
    if (starts && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string item(const std::string& name, const std::string& text) {
  return ".TP\n.B " + roff(name) + "\n" + roff(text) + "\n";
}

/// Every key once: jobs that share a section mean the same by its keys.
std::string manual_of_keys() {
  std::string text;
  std::set<std::string> seen;
  for (const auto& job : all_jobs()) {
    for (const io::SectionSchema& section : job->schema().sections()) {
      for (const io::BoundKey& key : io::keys_of(section)) {
        const std::string name = section.name + "." + key.entry.key;
        if (!seen.insert(name).second) continue;
        text += item(name + "=" + key.value, key.entry.doc);
        if (!key.limits.empty()) text += "Range: " + roff(key.limits) + ".\n";
        for (const io::Option& one : key.options)
          text += ".br\n" + roff(one.name + ": " + one.doc) + "\n";
      }
    }
  }
  return text;
}

std::string manual_page() {
  const char* const words[] = {"rivulet", "--help"};
  const std::string help = io::parse_command_line(2, words, "").answer;
  // REUSE-IgnoreStart
  std::string text =
      ".\\\" SPDX-FileCopyrightText: 2026 The Rivulet Authors\n"
      ".\\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      ".\\\" Written by tests/unit/once/test_deck_reference.cpp\n"
      ".TH RIVULET 1\n.SH NAME\nrivulet \\- parallel random streams and Monte Carlo jobs\n"
      ".SH SYNOPSIS AND OPTIONS\n.nf\n" +
      roff(help) + ".fi\n.SH JOBS\n";
  // REUSE-IgnoreEnd
  for (const JobEntry& job : jobs()) text += item(job.name, job.doc);
  text +=
      ".SH KEYS\nA deck sets them under their section, the command line as section.key=value. "
      "The values shown are defaults, of the first job that has the key.\n";
  text += manual_of_keys() + ".SH EXIT STATUS\n";
  text += item("0", "The run is done.");
  text += item("1", "A refusal or a failure, with one message on standard error.");
  text += item(std::to_string(left_status), "The run stopped with a checkpoint, and can go on.");
  return text;
}

TEST(DeckReference, TablesAreThoseOfTheCode) {
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

TEST(DeckReference, ManualPageIsOfTheCode) {
  if (std::getenv("RIVULET_UPDATE_DOCS") != nullptr) {
    std::ofstream(manual) << manual_page();
    GTEST_SKIP() << "wrote " << manual << " instead (RIVULET_UPDATE_DOCS)";
  }
  EXPECT_EQ(read_file(manual), manual_page()) << manual << anew;
}

}  // namespace
}  // namespace rivulet

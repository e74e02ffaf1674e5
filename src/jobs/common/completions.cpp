// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/completions.hpp"

#include <algorithm>
#include <memory>

#include "io/deck/command_line.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"
#include "jobs/common/job.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using Words = std::vector<std::string>;

Words names_of_jobs() {
  Words names;
  for (const JobEntry& job : jobs()) names.push_back(job.name);
  return names;
}

/// Of a job, or of a deck's.
Words keys_of_deck(const std::string& deck, bool with_choices) {
  const Words names = names_of_jobs();
  const bool is_job = std::ranges::count(names, deck) > 0;
  const std::string name = is_job ? deck : io::Deck::load(deck, io::Communicator::self()).job();
  const std::unique_ptr<Job> job = make_job(name, deck);
  Words keys;
  for (const io::SectionSchema& section : job->schema().sections()) {
    for (const io::BoundKey& key : keys_of(section)) {
      const std::string start = section.name + "." + key.entry.key + "=";
      if (!with_choices || key.options.empty()) keys.push_back(start);
      if (!with_choices) continue;
      for (const io::Option& option : key.options) keys.push_back(start + option.name);
    }
  }
  return keys;
}

Words candidates(const Words& before, const std::string& word) {
  if (word.starts_with('-')) return io::names_of_options();
  Words named;  // jobs, decks and words with a meaning, without options
  for (const std::string& one : before) {
    if (!one.starts_with('-')) named.push_back(one);
  }
  const bool asks_for_job = !before.empty() && before.back() == "--dump-default";
  if (asks_for_job || (!named.empty() && named.back() == "help")) return names_of_jobs();
  if (!named.empty() && named.front() == "stream") named.erase(named.begin());
  if (!named.empty()) return keys_of_deck(named.front(), word.find('=') != std::string::npos);
  Words all = names_of_jobs();
  if (before.empty()) all.insert(all.end(), {"stream", "merge", "help"});
  return all;
}

}  // namespace

std::string completions(const Words& words) {
  if (words.empty()) return "";
  const std::string& word = words.back();
  std::string lines;
  try {
    for (const std::string& one : candidates({words.begin(), words.end() - 1}, word)) {
      if (one.starts_with(word) && one != word) lines += one + "\n";
    }
  } catch (const Error&) {  // no deck, or no such job: nothing to offer
    return "";
  }
  return lines;
}

}  // namespace rivulet

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "io/deck/schema.hpp"

// Makes the lists of keys in docs/deck.md from the jobs' schemas.

namespace rivulet::io {

/// Maximum number of options up to which docs/deck.md explains a key's options one by one. Keys
/// with more options (the generators) have a table in docs/choosing.md.
inline constexpr std::size_t most_explained = 10;

inline bool explains_options(const BoundKey& row) {
  return !row.options.empty() && !row.options.front().doc.empty();
}

/// Wraps the text to lines of 120 columns, and indents all lines but the first by 2. No
/// line begins with +, - or *, because Markdown would start a list.
inline std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = 2;
  for (std::string word; words >> word;) {
    const bool fits = column + word.size() < 120 || word == "+" || word == "-" || word == "*";
    if (!lines.empty()) lines += fits ? " " : "\n  ";
    column = word.size() + (fits ? column + (lines.empty() ? 0 : 1) : 2);
    lines += word;
  }
  return lines;
}

/// Returns "`points: 10000000000` (amount)". Omits the effect if it is `result`, as for most keys.
inline std::string key_of(const BoundKey& row, bool defaults_differ) {
  constexpr std::array names{"", " (amount)", " (id)", " (speed)", " (place)"};
  return fmt::format("`{}{}`{}", row.entry.key, defaults_differ ? "" : ": " + row.value,
                     names.at(static_cast<std::size_t>(row.entry.effect)));
}

inline std::string meaning_of(const BoundKey& row) {
  std::string meaning = row.entry.doc;
  if (!row.limits.empty()) meaning += (meaning.ends_with('.') ? " " : "; ") + row.limits;
  if (row.options.size() > most_explained) {
    meaning += fmt::format(", [one of {}](choosing.md#{})", row.options.size(), row.entry.key);
  } else if (explains_options(row)) {
    for (const auto& option : row.options) {
      meaning += fmt::format("<br>\n`{}`: {}", option.name, option.doc);
    }
  }
  return meaning;
}

/// A section of docs/deck.md: the keys of one job, or of several jobs whose defaults may differ.
struct Table {
  std::string name;
  std::string doc;
  std::vector<BoundKey> rows;
  std::size_t jobs = 1;
  std::vector<bool> defaults_differ = std::vector<bool>(rows.size(), false);

  bool explains(const Table& other) const {
    return name == other.name && doc == other.doc &&
           std::ranges::equal(rows, other.rows, [](const BoundKey& a, const BoundKey& b) {
             return a.entry.key == b.entry.key && meaning_of(a) == meaning_of(b);
           });
  }
  void add(const Table& other) {
    ++jobs;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].value != other.rows[i].value) defaults_differ[i] = true;
    }
  }
  std::string text() const {
    std::string lines = fmt::format("\n### `{}`\n\n", name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::istringstream parts(key_of(rows[i], defaults_differ[i]) + ": " + meaning_of(rows[i]));
      const char* before = "- ";
      for (std::string part; std::getline(parts, part); before = "  ") {
        lines += before + wrapped(part) + "\n";
      }
    }
    return lines;
  }
};

inline std::vector<Table> tables_of(const std::vector<Schema>& jobs) {
  std::vector<Table> tables;
  for (const Schema& job : jobs) {
    for (const SectionSchema& section : job.sections()) {
      const Table table{section.name, section.doc, keys_of(section)};
      const auto known =
          std::ranges::find_if(tables, [&](const Table& one) { return one.explains(table); });
      if (known == tables.end()) {
        tables.push_back(table);
      } else {
        known->add(table);
      }
    }
  }
  return tables;
}

/// Returns "`streams`, `output` (`file: pi.h5`)". Lists only defaults that differ between jobs.
inline std::string reference_to(const Table& shared, const std::vector<BoundKey>& rows) {
  std::vector<std::string> defaults;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (shared.defaults_differ[i]) {
      defaults.push_back(fmt::format("`{}: {}`", rows[i].entry.key, rows[i].value));
    }
  }
  return fmt::format("`{}`", shared.name) +
         (defaults.empty() ? "" : fmt::format(" ({})", fmt::join(defaults, ", ")));
}

inline std::string text_of(const Schema& job, const std::vector<Table>& tables) {
  std::vector<std::string> shared;
  std::string own;
  for (const SectionSchema& section : job.sections()) {
    const Table table{section.name, section.doc, keys_of(section)};
    const auto known =
        std::ranges::find_if(tables, [&](const Table& one) { return one.explains(table); });
    if (known->jobs > 1) {
      shared.push_back(reference_to(*known, table.rows));
    } else {
      own += known->text();
    }
  }
  std::string text = fmt::format("\n## `job: {}`\n\n{}\n", job.job(), job.doc());
  if (!shared.empty()) text += fmt::format("\nShared: {}.\n", fmt::join(shared, ", "));
  return text + own;
}

/// Returns the decks of all jobs in Markdown, with a list (key, default, effect, meaning) for each
/// section. Sections that several jobs share come first, and only once. If their defaults differ,
/// each job names its defaults.
inline std::string markdown(const std::vector<Schema>& jobs) {
  const std::vector<Table> tables = tables_of(jobs);
  std::string text;
  for (const Table& table : tables) {
    if (table.jobs > 1) text += table.text();
  }
  if (!text.empty()) text = "\n## Sections that jobs share\n" + text;
  for (const Schema& job : jobs) text += text_of(job, tables);
  return text;
}

}  // namespace rivulet::io

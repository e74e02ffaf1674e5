// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/merge_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "io/deck/deck.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/job.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

constexpr const char* streams = "/streams";

std::string ids_text(std::uint64_t first, std::uint64_t end) {
  return end - first == 1 ? fmt::format("stream {}", first)
                          : fmt::format("streams {} to {}", first, end - 1);
}

/// Checks the version before any other content is used.
void require_version(const io::ReadFile& file, const MergeInput& part) {
  if (part.version == version && file.has_attribute(streams, "of")) return;
  if (part.version != version) {
    throw Error(fmt::format("'{}' was written by Rivulet {}", part.path, part.version),
                fmt::format("this is {}, whose numbers or results may be others", version),
                "Merge with the version that made the parts.");
  }
  throw Error(fmt::format("'{}' does not say which streams it has", part.path),
              file.has(streams) ? "an older Rivulet wrote it"
                                : "its job draws from none that a "
                                  "deck has",
              "Merge results of jobs that draw streams of a deck, written by this version.");
}

/// Checks an open file: its name has been resolved before.
void require_unchanged(const MergeInput& part) {
  if (io::identity_of(part.path) == part.identity) return;
  throw Error(fmt::format("'{}' has changed", part.path), "a run has replaced it during the merge",
              "Merge again when the runs are done.");
}

void require_ids(const io::ReadFile& file, const MergeInput& part) {
  const auto ids = file.dataset<std::uint64_t>(std::string(streams) + "/id");
  bool right = ids.size() == part.count;
  for (std::uint64_t i = 0; right && i < part.count; ++i) right = ids[i] == part.first + i;
  if (!right) part.fail_damaged(fmt::format("/streams/id are not {}", part.streams_text()));
}

/// "section.key: value" of every key; all decks of a job have the same order of keys.
std::vector<std::string> lines_of(const std::string& resolved) {
  std::vector<std::string> lines;
  std::istringstream text(resolved);
  std::string section;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("  ")) {
      lines.push_back(section + "." + line.substr(2));
    } else {
      section = line.substr(0, line.find(':'));
    }
  }
  return lines;
}

std::string with(const MergeInput& part, const std::vector<std::string>& assignments) {
  io::Deck deck = io::Deck::parse(part.deck, part.path + ": /config/deck");
  for (const std::string& one : assignments) deck.override_with(one);
  const auto job = make_job(part.job, part.path);
  deck.read_into(job->schema());
  return io::resolved(job->schema());
}

std::string key_of(const std::string& line) { return line.substr(0, line.find(':')); }

/// The keys and values that must be equal in all parts.
std::vector<std::string> common_lines(const MergeInput& part,
                                      const std::vector<std::string>& free_keys) {
  std::vector<std::string> lines = lines_of(with(part, {fmt::format("streams.of={}", part.of)}));
  std::vector<std::string> apart{"streams.first", "streams.count", "streams.mapping",
                                 "streams.segments"};
  apart.insert(apart.end(), free_keys.begin(), free_keys.end());
  std::erase_if(lines, [&](const std::string& line) {
    const std::string key = key_of(line);  // jobs have checkpoints of their own
    return key.starts_with("checkpoint.") || key.starts_with("output.") ||
           std::ranges::count(apart, key) > 0;
  });
  return lines;
}

[[noreturn]] void fail(const MergeInput& one, const MergeInput& other, const std::string& why) {
  throw Error(fmt::format("'{}' and '{}' are not of the same deck", one.path, other.path), why,
              "Merge results whose decks differ in streams.first, streams.count, output and "
              "checkpoint only.");
}

/// Compares the attributes of /streams: seed, parameters and their digest, and the certificate of
/// the family.
void require_same_streams(const MergeInput& one, const MergeInput& other) {
  auto left = one.open().attributes("/streams");
  auto right = other.open().attributes("/streams");
  const auto drop_own = [](auto& all) {
    std::erase_if(all,
                  [](const auto& each) { return each.first == "first" || each.first == "count"; });
  };
  drop_own(left);
  drop_own(right);
  if (left == right) return;
  const auto [at, there] = std::ranges::mismatch(left, right);
  const std::string name = at != left.end() ? at->first : there != right.end() ? there->first : "";
  fail(one, other, fmt::format("their streams differ in '{}'", name));
}

}  // namespace

std::string MergeInput::streams_text() const {
  return fmt::format("{} of {}", ids_text(first, end()), of);
}

void MergeInput::fail_damaged(const std::string& why) const {
  throw Error(fmt::format("'{}' is damaged", path), why, "Repeat the run that made it.");
}

io::ReadFile MergeInput::open() const {
  io::ReadFile file(path, "results", io::Seal::seen);
  require_unchanged(*this);
  return file;
}

MergeInput read_part(const std::string& path) {
  MergeInput part;
  part.path = path;
  part.identity = io::identity_of(path);
  const io::ReadFile file(path, "results", io::Seal::required);
  require_unchanged(part);
  part.version = file.attribute<std::string>("/", "version");
  require_version(file, part);
  part.deck = file.text("/config/deck");
  part.job = io::Deck::parse(part.deck, path + ": /config/deck").job();
  part.digest = file.attribute<std::string>("/", "digest");
  part.first = file.attribute<std::uint64_t>(streams, "first");
  part.count = file.attribute<std::uint64_t>(streams, "count");
  part.of = file.attribute<std::uint64_t>(streams, "of");
  part.ranks = file.attribute<std::uint64_t>("/config", "ranks");
  if (part.count == 0 || part.of < part.count || part.first > part.of - part.count) {
    part.fail_damaged(
        fmt::format("{} streams from {} on are not among {}", part.count, part.first, part.of));
  }
  require_ids(file, part);
  return part;
}

std::vector<MergeInput> in_order(std::vector<MergeInput> parts) {
  std::ranges::stable_sort(parts, {}, &MergeInput::first);
  std::string missing;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const MergeInput& before = parts[i - 1];
    const MergeInput& here = parts[i];
    if (here.first < before.end()) {
      throw Error(fmt::format("'{}' and '{}' both have {}", before.path, here.path,
                              ids_text(here.first, std::min(before.end(), here.end()))),
                  "they would be counted twice", "Merge parts with different streams.");
    }
    if (here.first == before.end()) continue;
    missing += (missing.empty() ? "" : ", ") + ids_text(before.end(), here.first);
  }
  if (missing.empty()) return parts;
  throw Error(missing + " in none of the files", "a result is of a range of streams without holes",
              "Name the files that have them too, or run them.");
}

void require_same_deck(const MergeInput& one, const MergeInput& other,
                       const std::vector<std::string>& free_keys) {
  if (one.job != other.job) {
    fail(one, other, fmt::format("job: {} in the one, {} in the other", one.job, other.job));
  }
  const std::vector<std::string> left = common_lines(one, free_keys);
  const std::vector<std::string> right = common_lines(other, free_keys);
  const auto [at, there] = std::ranges::mismatch(left, right);
  if (at != left.end() && there != right.end()) {
    const std::string key = key_of(*at);
    const auto value = [&](const std::string& line) {
      return line.substr(std::min(key.size() + 2, line.size()));
    };
    fail(one, other,
         fmt::format("{}: {} in the one, {} in the other", key, value(*at), value(*there)));
  }
  require_same_streams(one, other);
}

std::string merged_deck(const std::vector<MergeInput>& parts, const std::string& output) {
  const MergeInput& first = parts.front();
  const std::uint64_t end = parts.back().end();
  const std::string of = end == first.of ? "auto" : std::to_string(first.of);
  return with(first, {fmt::format("streams.first={}", first.first),
                      fmt::format("streams.count={}", end - first.first), "streams.of=" + of,
                      "checkpoint.file=", "output.file=" + output});
}

}  // namespace rivulet

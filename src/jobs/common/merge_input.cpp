// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/merge_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "io/deck/deck.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/job.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

constexpr const char* streams_group = "/streams";

std::string ids_text(const std::string& unit, std::uint64_t first, std::uint64_t end) {
  return end - first == 1 ? fmt::format("{} {}", unit, first)
                          : fmt::format("{}s {} to {}", unit, first, end - 1);
}

/// Throws Error if another version wrote the file, or if the file has no streams. Must be called
/// before any other content is used.
void require_version(const io::ReadFile& file, const MergeInput& part) {
  if (part.version == version && file.has_attribute(streams_group, "of")) return;
  if (part.version != version) {
    throw Error(fmt::format("'{}' was written by Rivulet {}", part.path, part.version),
                fmt::format("this is {}, whose numbers or results may differ", version),
                fmt::format("Merge with Rivulet {}.", part.version));
  }
  throw Error(fmt::format("'{}' does not say which streams it has", part.path),
              file.has(streams_group) ? "an older Rivulet wrote it" : "its run drew no streams",
              "Merge results files of this version whose runs drew streams.");
}

/// Throws Error if a run has replaced the file. Must be called after the file is opened.
void require_unchanged(const MergeInput& part) {
  if (io::identity_of(part.path) == part.identity) return;
  throw Error(fmt::format("'{}' has changed", part.path), "a run has replaced it during the merge",
              "Merge again when the runs are done.");
}

void require_ids(const io::ReadFile& file, const MergeInput& part) {
  const auto ids = file.dataset<std::uint64_t>(std::string(streams_group) + "/id");
  bool matches = ids.size() == part.count;
  for (std::uint64_t i = 0; matches && i < part.count; ++i) matches = ids[i] == part.first + i;
  if (!matches) part.fail_damaged(fmt::format("/streams/id are not {}", part.text()));
}

/// Creates the part's job with the part's deck. The assignments ("key=value") replace values of the
/// deck.
std::unique_ptr<Job> job_with(const MergeInput& part, const std::vector<std::string>& assignments) {
  io::Deck deck = io::Deck::parse(part.deck, part.path + ": /config/deck");
  for (const std::string& assignment : assignments) deck.override_with(assignment);
  auto job = make_job(part.job, part.path);
  deck.read_into(job->schema());
  return job;
}

struct Piece : StreamRange {
  std::string name;  ///< empty for ids without names
  const MergeInput* part;

  std::uint64_t end() const { return first + count; }
};

std::vector<Piece> pieces_of(const std::vector<MergeInput>& parts) {
  std::vector<Piece> pieces;
  for (const MergeInput& part : parts) {
    const Portion& portion = part.portion;
    for (std::size_t i = 0; i < portion.ids.size(); ++i) {
      pieces.push_back({portion.ids[i], portion.names.empty() ? "" : portion.names[i], &part});
    }
  }
  std::ranges::stable_sort(pieces, {}, &Piece::first);
  return pieces;
}

std::uint64_t min_id(const MergeInput& part) {
  return std::ranges::min(part.portion.ids, {}, &StreamRange::first).first;
}

struct DeckKey : io::BoundKey {
  std::string section;

  std::string name() const { return section + "." + entry.key; }
  bool may_differ() const {
    return entry.effect != io::Effect::result && entry.effect != io::Effect::amount;
  }
};

/// Returns the keys of the part's deck, in the same order for all decks of a job.
std::vector<DeckKey> keys_of(const MergeInput& part) {
  std::vector<DeckKey> keys;
  const auto job = job_with(part, {fmt::format("streams.of={}", part.family_streams)});
  for (const io::SectionSchema& section : job->schema().sections()) {
    for (const io::BoundKey& one : io::keys_of(section)) keys.push_back({one, section.name});
  }
  return keys;
}

[[noreturn]] void fail(const MergeInput& one, const MergeInput& other, const std::string& why) {
  std::vector<std::string> names;
  for (const bool are_ids : {true, false}) {
    for (const DeckKey& key : keys_of(one)) {
      if (!key.may_differ() || key.section == "output" || key.section == "checkpoint") continue;
      if ((key.entry.effect == io::Effect::id) == are_ids) names.push_back(key.name());
    }
  }
  throw Error(fmt::format("'{}' and '{}' are results of different decks", one.path, other.path),
              why,
              fmt::format("Merge results whose decks differ in {}, output and checkpoint only.",
                          fmt::join(names, ", ")));
}

/// Throws Error unless all attributes of /streams except "first" and "count" are equal. The
/// compared attributes include the seed, the parameters with their digest, and the family's
/// certificate ("disjoint: ..."). The certificate depends on the numbers per stream, so it is
/// compared only if these numbers are equal.
void require_same_streams(const MergeInput& one, const MergeInput& other) {
  auto left = one.open().attributes("/streams");
  auto right = other.open().attributes("/streams");
  const auto drop_own = [&](auto& all) {
    std::erase_if(all, [&](const auto& each) {
      const std::string& name = each.first;
      return name == "first" || name == "count" ||
             (one.numbers != other.numbers && name.starts_with("disjoint: "));
    });
  };
  drop_own(left);
  drop_own(right);
  if (left == right) return;
  const auto [left_entry, right_entry] = std::ranges::mismatch(left, right);
  const std::string name = left_entry != left.end()     ? left_entry->first
                           : right_entry != right.end() ? right_entry->first
                                                        : "";
  fail(one, other, fmt::format("their streams differ in '{}'", name));
}

}  // namespace

std::string Portion::text() const {
  if (!names.empty()) return fmt::format("{}", fmt::join(names, ", "));
  return ids_text(unit, ids.front().first, ids.front().first + ids.front().count);
}

std::vector<std::string> Portion::settings() const {
  if (!names.empty()) return {fmt::format("{}={}", keys.front(), fmt::join(names, " "))};
  const StreamRange all = ids.front();
  return {fmt::format("{}={}", keys.front(), all.first),
          fmt::format("{}={}", keys.back(), all.count * bytes_per_id)};
}

std::string MergeInput::text() const {
  if (!portion.is_of_streams()) return portion.text();
  return fmt::format("{} of {}", ids_text(portion.unit, first, end()), family_streams);
}

void MergeInput::fail_damaged(const std::string& why) const {
  throw Error(fmt::format("'{}' is damaged", path), why, "Repeat the run that made it.");
}

io::ReadFile MergeInput::open() const {
  io::ReadFile file(path, "results", io::Seal::already_checked);
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
  part.first = file.attribute<std::uint64_t>(streams_group, "first");
  part.count = file.attribute<std::uint64_t>(streams_group, "count");
  part.family_streams = file.attribute<std::uint64_t>(streams_group, "of");
  part.ranks = file.attribute<std::uint64_t>("/config", "ranks");
  if (part.count == 0 || part.family_streams < part.count ||
      part.first > part.family_streams - part.count) {
    part.fail_damaged(fmt::format("{} streams from {} on exceed the family of {}", part.count,
                                  part.first, part.family_streams));
  }
  part.portion.ids = {{part.first, part.count}};
  require_ids(file, part);
  return part;
}

std::vector<MergeInput> in_order(std::vector<MergeInput> parts) {
  const std::vector<Piece> pieces = pieces_of(parts);
  std::string missing;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const Piece& previous = pieces[i - 1];
    const Piece& current = pieces[i];
    const std::string& unit = current.part->portion.unit;
    if (current.first < previous.end()) {
      throw Error(
          fmt::format("'{}' and '{}' both have {}", previous.part->path, current.part->path,
                      current.name.empty()
                          ? ids_text(unit, current.first, std::min(previous.end(), current.end()))
                          : current.name),
          "they would be counted twice", fmt::format("Merge parts with different {}s.", unit));
    }
    if (current.first == previous.end() || !current.name.empty()) continue;
    missing += (missing.empty() ? "" : ", ") + ids_text(unit, previous.end(), current.first);
  }
  if (!missing.empty()) {
    throw Error(
        missing + " missing from the files",
        fmt::format("merged results cover a range of {}s without gaps", parts.front().portion.unit),
        "Add the files that have them, or run them first.");
  }
  std::ranges::stable_sort(parts, {}, min_id);
  return parts;
}

Portion merged_portion(const std::vector<MergeInput>& parts) {
  Portion all = parts.front().portion;
  all.ids.clear();
  all.names.clear();
  for (const Piece& piece : pieces_of(parts)) {
    if (!piece.name.empty()) all.names.push_back(piece.name);
    if (piece.name.empty() && !all.ids.empty()) {
      all.ids.back().count += piece.count;
    } else {
      all.ids.push_back(piece);
    }
  }
  return all;
}

void require_same_deck(const MergeInput& one, const MergeInput& other) {
  if (one.job != other.job) {
    fail(one, other, fmt::format("job: {} in the first, {} in the second", one.job, other.job));
  }
  const std::vector<DeckKey> left = keys_of(one);
  const std::vector<DeckKey> right = keys_of(other);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].may_differ() || left[i].value == right[i].value) continue;
    fail(one, other,
         fmt::format("{}: {} in the first, {} in the second", left[i].name(), left[i].value,
                     right[i].value));
  }
  require_same_streams(one, other);
}

std::string merged_deck(const std::vector<MergeInput>& parts, std::vector<std::string> settings,
                        const std::string& output) {
  const MergeInput& first = parts.front();
  const std::string family_setting =
      parts.back().end() == first.family_streams ? "auto" : std::to_string(first.family_streams);
  settings.insert(settings.end(),
                  {"streams.of=" + family_setting, "output.file=" + output, "output.expect="});
  const bool has_checkpoints = first.deck.find("\ncheckpoint:") != std::string::npos;
  if (has_checkpoints) settings.emplace_back("checkpoint.file=");
  return io::resolved(job_with(first, settings)->schema());
}

}  // namespace rivulet

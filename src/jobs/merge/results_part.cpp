// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/merge/results_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/deck/deck.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

constexpr const char* streams = "/streams";

std::string ids_text(std::uint64_t first, std::uint64_t end) {
  return end - first == 1 ? fmt::format("stream {}", first)
                          : fmt::format("streams {} to {}", first, end - 1);
}

/// Before anything else of it is trusted.
void require_version(const io::ReadFile& file, const ResultsPart& part) {
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

void require_ids(const io::ReadFile& file, const ResultsPart& part) {
  const auto ids = file.dataset<std::uint64_t>(std::string(streams) + "/id");
  bool right = ids.size() == part.count;
  for (std::uint64_t i = 0; right && i < part.count; ++i) right = ids[i] == part.first + i;
  if (!right) part.fail_damaged(fmt::format("/streams/id are not {}", part.streams_text()));
}

}  // namespace

std::string ResultsPart::streams_text() const {
  return fmt::format("{} of {}", ids_text(first, end()), of);
}

void ResultsPart::fail_damaged(const std::string& why) const {
  throw Error(fmt::format("'{}' is damaged", path), why, "Repeat the run that made it.");
}

ResultsPart read_part(const std::string& path) {
  ResultsPart part;
  part.path = path;
  const io::ReadFile file(path, "results", io::Seal::required);
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

std::vector<ResultsPart> in_order(std::vector<ResultsPart> parts) {
  std::ranges::stable_sort(parts, {}, &ResultsPart::first);
  std::string missing;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const ResultsPart& before = parts[i - 1];
    const ResultsPart& here = parts[i];
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

}  // namespace rivulet

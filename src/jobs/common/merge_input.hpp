// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/files/file_space.hpp"
#include "io/results/results_file.hpp"
#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

/// The ids that a part covers: of streams, of words of a sequence, or of tests.
struct Portion {
  std::string unit = "stream";  ///< the kind of thing with an id
  /// The deck's keys for the ids: of first and count, or of names.
  std::vector<std::string> keys = {"streams.first", "streams.count"};
  std::vector<StreamRange> ids = {};  ///< in the deck's order
  /// Names of the elements of `ids`, which need not be consecutive. Without names, `ids` is one
  /// range.
  std::vector<std::string> names = {};
  std::uint64_t bytes_of_id = 1;  ///< units of the second key per id

  bool is_of_streams() const { return unit == Portion().unit; }
  /// Returns a text such as "streams 0 to 99" or "small.3, small.8".
  std::string text() const;
  /// Returns the settings ("key=value") of a deck that has exactly these ids.
  std::vector<std::string> settings() const;
};

/// The deck, digest and streams of a part, from its results file. The file is open only during
/// reads, because a merge may have more parts than a process may have open files.
struct MergeInput {
  std::string path;
  std::string version;
  std::string job;
  std::string deck;  ///< resolved deck, as stored in the file
  std::string digest;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t of = 0;
  std::uint64_t ranks = 0;
  Portion portion = {};       ///< set by the job
  std::uint64_t numbers = 0;  ///< most numbers per stream, set by the job; 0: unknown
  std::optional<io::FileIdentity> identity;  ///< identity of the sealed file that was read

  std::uint64_t end() const { return first + count; }
  /// Returns a text such as "streams 0 to 99 of 400"; for other ids, Portion::text().
  std::string text() const;
  /// Reopens the file after read_part(). Throws Error if another file has replaced it.
  io::ReadFile open() const;
  /// Throws Error: the file's contents differ from those that its run wrote.
  [[noreturn]] void fail_damaged(const std::string& why) const;
};

/// Reads a part, except for the members that the job sets. Throws Error unless the file is a
/// complete results file of this version with streams.
MergeInput read_part(const std::string& path);

/// Sorts the parts by their first ids. Throws Error if two parts share ids. Also throws if ids
/// without names are missing between the first and the last.
std::vector<MergeInput> in_order(std::vector<MergeInput> parts);

/// Returns the union of all parts' portions: a range, or ids with names in ascending order.
Portion together(const std::vector<MergeInput>& parts);

/// Throws Error, with the first differing key, unless the two decks differ only in keys of
/// Effect::id, speed and place. Also throws if the origins of the streams differ, such as the
/// contents of a parameter file.
void require_same_deck(const MergeInput& one, const MergeInput& other);

/// Returns the resolved deck of a single run that covers all parts. `settings`: Portion::settings()
/// of the union.
std::string merged_deck(const std::vector<MergeInput>& parts, std::vector<std::string> settings,
                        const std::string& output);

}  // namespace rivulet

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

/// What a part has, and other parts have more of: streams, words of a sequence, or tests.
struct Portion {
  std::string unit = "stream";  ///< what ids count
  /// The deck's keys of these ids: first and count, or names.
  std::vector<std::string> keys = {"streams.first", "streams.count"};
  std::vector<StreamRange> ids = {};  ///< in the deck's order
  /// Of each of `ids` its name; they need not be neighbours then. Else there is one range.
  std::vector<std::string> names = {};
  std::uint64_t bytes_of_id = 1;  ///< the second key's units in an id

  bool is_of_streams() const { return unit == Portion().unit; }
  /// "streams 0 to 99", or "small.3, small.8".
  std::string text() const;
  /// "key=value" of a deck that has these ids, and no others.
  std::vector<std::string> settings() const;
};

/// A results file's description of itself: its deck and streams. The file is opened only while it
/// is read, as there may be more parts than a process may have open files.
struct MergeInput {
  std::string path;
  std::string version;
  std::string job;
  std::string deck;  ///< resolved, as the file keeps it
  std::string digest;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t of = 0;
  std::uint64_t ranks = 0;
  Portion portion = {};       ///< as the job says
  std::uint64_t numbers = 0;  ///< that each stream draws at most, as far as the job knows
  std::optional<io::FileIdentity> identity;  ///< of the file that was read, which is sealed

  std::uint64_t end() const { return first + count; }
  /// "streams 0 to 99 of 400", or the portion if it is of something else.
  std::string text() const;
  /// To be called after read_part(). Throws Error if the name refers to another file since.
  io::ReadFile open() const;
  /// Throws Error: the file's contents differ from what its run wrote.
  [[noreturn]] void fail_damaged(const std::string& why) const;
};

/// Reads all but what the job says. Throws Error unless the file is a complete results file of this
/// version with streams.
MergeInput read_part(const std::string& path);

/// Sorts the parts by their first ids. Throws Error if two have the same ids, or if ids between the
/// first and the last are missing that have no names.
std::vector<MergeInput> in_order(std::vector<MergeInput> parts);

/// Of all parts, in ascending order: a range, or ids with names.
Portion together(const std::vector<MergeInput>& parts);

/// Throws Error, with the first key that differs, unless the two decks differ only in keys of
/// Effect::id, speed and place. Also compares the data that the streams were made from, such as the
/// contents of a parameter file.
void require_same_deck(const MergeInput& one, const MergeInput& other);

/// The resolved deck of a single run that has all parts, by the settings ("key=value") of their
/// portion's keys.
std::string merged_deck(const std::vector<MergeInput>& parts, std::vector<std::string> settings,
                        const std::string& output);

}  // namespace rivulet

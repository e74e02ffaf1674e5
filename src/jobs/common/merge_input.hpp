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

/// The ids that a part covers. An id belongs to a stream, to a word of a sequence, or to a test.
struct Portion {
  std::string unit = "stream";  ///< kind of object that an id identifies
  /// The deck's keys that select the ids. Ids without names have two keys, for the first id and for
  /// the count. Ids with names have one key, for the list of names.
  std::vector<std::string> keys = {"streams.first", "streams.count"};
  std::vector<StreamRange> ids = {};  ///< in the deck's order
  /// Names of the elements of `ids`. Named elements need not be consecutive. Without names, `ids`
  /// is one range.
  std::vector<std::string> names = {};
  std::uint64_t bytes_per_id = 1;  ///< bytes per id if the second key counts bytes, else 1

  bool is_of_streams() const { return unit == Portion().unit; }
  /// Returns a text such as "streams 0 to 99" or "small.3, small.8".
  std::string text() const;
  /// Returns the settings ("key=value") that make a deck select exactly these ids.
  std::vector<std::string> settings() const;
};

/// The deck, digest and streams of a part, from its results file. The file is open only during
/// reads, because the number of parts may exceed a process's limit on open files.
struct MergeInput {
  std::string path;
  std::string version;
  std::string job;
  std::string deck;  ///< resolved deck, as stored in the file
  std::string digest;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t family_streams = 0;
  std::uint64_t ranks = 0;
  Portion portion = {};       ///< set by the job
  std::uint64_t numbers = 0;  ///< upper limit per stream, set by the job; 0 if unknown
  std::optional<io::FileIdentity> identity;  ///< of the sealed file that was read

  std::uint64_t end() const { return first + count; }
  /// Returns a text such as "streams 0 to 99 of 400". If the ids do not belong to streams, returns
  /// Portion::text().
  std::string text() const;
  /// Reopens the file after read_part(). Throws Error if another file has replaced it.
  io::ReadFile open() const;
  /// Throws the Error for a damaged file, with the reason `why`.
  [[noreturn]] void fail_damaged(const std::string& why) const;
};

/// Reads a part from its results file. Leaves `portion` and `numbers` for the job to set. Throws
/// Error unless the file is complete, was written by this version, and has streams.
MergeInput read_part(const std::string& path);

/// Sorts the parts by their first ids. Throws Error if two parts share ids. Also throws if ids
/// without names are missing between the first and the last.
std::vector<MergeInput> in_order(std::vector<MergeInput> parts);

/// Returns the union of all parts' portions: one range, or named ids in ascending order.
Portion merged_portion(const std::vector<MergeInput>& parts);

/// Throws Error unless the two decks differ only in keys with Effect::id, Effect::speed or
/// Effect::place. The message names the first other key that differs. Also throws if the streams
/// have different origins, such as parameter files with different contents.
void require_same_deck(const MergeInput& one, const MergeInput& other);

/// Returns the resolved deck of a single run that covers all parts. `settings`: Portion::settings()
/// of the union.
std::string merged_deck(const std::vector<MergeInput>& parts, std::vector<std::string> settings,
                        const std::string& output);

}  // namespace rivulet

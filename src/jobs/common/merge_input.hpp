// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/outputs/file_space.hpp"
#include "io/results/results_file.hpp"

namespace rivulet {

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
  std::optional<io::FileIdentity> identity;  ///< of the file that was read, which is sealed

  std::uint64_t end() const { return first + count; }
  /// "streams 0 to 99 of 400".
  std::string streams_text() const;
  /// To be called after read_part(). Throws Error if the name refers to another file since.
  io::ReadFile open() const;
  /// Throws Error: the file's contents differ from what its run wrote.
  [[noreturn]] void fail_damaged(const std::string& why) const;
};

/// Throws Error unless the file is a complete results file of this version with streams.
MergeInput read_part(const std::string& path);

/// Sorts the parts by their streams. Throws Error if two have the same streams, or if streams
/// between the first and the last are missing.
std::vector<MergeInput> in_order(std::vector<MergeInput> parts);

/// Throws Error, with the first key that differs, unless the two decks differ only in the streams
/// of the family that they draw, in their output, in free_keys, and in the mapping of streams to
/// hardware. Also compares the data that the streams were made from, such as the contents of a
/// parameter file.
void require_same_deck(const MergeInput& one, const MergeInput& other,
                       const std::vector<std::string>& free_keys);

/// The resolved deck of a single run with all parts' streams.
std::string merged_deck(const std::vector<MergeInput>& parts, const std::string& output);

}  // namespace rivulet

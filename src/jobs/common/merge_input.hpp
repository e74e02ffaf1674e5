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

/// What a results file says of itself: which streams of which deck it has. The file is opened when
/// something is read of it, as there may be more parts than a process may have files open.
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
  std::optional<io::FileIdentity> identity;  ///< what was read, which is sealed

  std::uint64_t end() const { return first + count; }
  /// "streams 0 to 99 of 400".
  std::string streams_text() const;
  /// After read_part(). Throws Error if the name has another file since.
  io::ReadFile open() const;
  /// Throws Error: the file's contents are not what its run wrote.
  [[noreturn]] void fail_damaged(const std::string& why) const;
};

/// Throws Error for a file that is not a complete results file of this version with streams.
MergeInput read_part(const std::string& path);

/// The parts in the order of their streams. Throws Error if two have the same streams, or if
/// streams between the first and the last are in none.
std::vector<MergeInput> in_order(std::vector<MergeInput> parts);

/// Throws Error, with the first key that differs, unless the two decks differ only in which of the
/// family's streams they draw, in where they write, and in keys that do not change results: those
/// given, and how streams meet hardware. Compares also what the streams were made of, such as the
/// contents of a parameter file.
void require_same_deck(const MergeInput& one, const MergeInput& other,
                       const std::vector<std::string>& free_keys);

/// The resolved deck of a single run with all parts' streams.
std::string merged_deck(const std::vector<MergeInput>& parts, const std::string& output);

}  // namespace rivulet

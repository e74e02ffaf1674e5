// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// A results file that a run left unfinished (FileForm::resumable), as its checkpoint records it.
/// After ResultsFile::lay_out(), HDF5 rewrites only the file's head and appends at the end of the
/// file. If a run is killed while it adds objects, HDF5 may be unable to read the file. Restoring
/// the head and truncating the file to `bytes` repairs it.
struct UnfinishedFile {
  std::string path;
  std::uint64_t bytes = 0;          ///< length of the file
  std::uint64_t mark_offset = 0;    ///< offset of the text unfinished_mark()
  Extent head_extent;               ///< HDF5's part before the datasets' elements
  std::vector<std::uint64_t> head;  ///< the head's bytes in 64-bit words, padded with zeros
};

/// Returns the content of mark_dataset, which identifies an unfinished file. The text contains
/// FILE.DIGITS, a prefix that no other file's name has.
std::string unfinished_mark(const std::string& path);
inline constexpr const char* mark_dataset = "/unfinished";

/// Throws Error if `path` and the unfinished file are on different file systems, because a rename
/// between them is impossible. `display_name` is the name of `path` in messages.
void require_one_file_system(const std::string& path, const std::string& display_name,
                             const std::string& unfinished);

/// Returns the current state of the file on the disk. `head_extent` is the extent of the file's
/// head.
UnfinishedFile unfinished_file(const std::string& path, const Extent& head_extent);

/// Restores the file to its recorded state, except for the elements of its datasets. Throws Error
/// if the file is missing, too short or not the recorded one.
void restore_unfinished(const UnfinishedFile& file);

}  // namespace rivulet::io

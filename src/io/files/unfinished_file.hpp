// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// A results file that a run left unfinished (FileForm::resumable), as its checkpoint remembers it.
/// Its head is all that HDF5 changes once the datasets that runs write piece by piece have their
/// places: who is killed while the rest is added leaves a file that HDF5 may not be able to read,
/// and that is as it was before with its head put back, and cut to its size.
struct UnfinishedFile {
  std::string path;
  std::uint64_t bytes = 0;          ///< of all of it
  std::uint64_t mark_at = 0;        ///< where mark_of_unfinished() stands in it
  Extent place;                     ///< of the head: HDF5's part before the datasets' elements
  std::vector<std::uint64_t> head;  ///< its bytes, padded with zeros
};

/// Elements of the dataset that says what the file is as long as it is unfinished. They contain
/// FILE.DIGITS, which no other file's name begins with.
std::string mark_of_unfinished(const std::string& path);
inline constexpr const char* mark_dataset = "/unfinished";

/// Throws Error where the unfinished file cannot be renamed to `path`, which messages call `shown`.
void require_one_file_system(const std::string& path, const std::string& shown,
                             const std::string& unfinished);

/// The state of a file on disk with such a head.
UnfinishedFile unfinished_file(const std::string& path, const Extent& head);

/// Puts the file back to where it was, but for the elements of its datasets. Throws Error if it is
/// gone, cut short, or another.
void restore_unfinished(const UnfinishedFile& file);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::io {

/// A results file that a run left unfinished (FileForm::resumable), as its checkpoint remembers it.
/// Its head is all that HDF5 changes once the datasets that runs write piece by piece have their
/// places: who is killed while the rest is added leaves a file that HDF5 may not be able to read,
/// and that is as it was before with its head put back, and cut to its size.
struct UnfinishedFile {
  std::string path;
  std::uint64_t bytes = 0;    ///< of all of it
  std::uint64_t mark_at = 0;  ///< where mark_of_unfinished() stands in it
  std::uint64_t head_bytes = 0;
  std::vector<std::uint64_t> head;  ///< the first bytes of the file, padded with zeros
};

/// Elements of the dataset that says what the file is as long as it is unfinished. The temporary
/// name that it began with is in it, which no other file has.
std::string mark_of_unfinished(const std::string& path);
inline constexpr const char* mark_dataset = "/unfinished";

/// The state of a file on disk whose head has head_bytes bytes.
UnfinishedFile unfinished_file(const std::string& path, std::uint64_t head_bytes);

/// Puts the file back to where it was, but for the elements of its datasets. Throws Error if it is
/// gone, cut short, or another.
void restore_unfinished(const UnfinishedFile& file);

}  // namespace rivulet::io

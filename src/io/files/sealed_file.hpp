// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// Length of a seal in bytes. A seal is text at the beginning of the file, in HDF5's user block.
/// The text describes the file (SealDescription) and contains the SHA-256 of this description and
/// of the rest of the file.
constexpr std::uint64_t seal_bytes = 512;

/// For a file of at most this many bytes, the SHA-256 covers the whole file.
constexpr std::uint64_t max_fully_hashed_bytes = std::uint64_t{64} << 20;

/// The description of a file in its seal.
struct SealDescription {
  std::string kind;  ///< "results"; empty for older files, whose seals lack it
  std::string run;   ///< the run that created the file, if the run has checkpoints; else empty
};

/// Writes the seal over the first seal_bytes bytes of an otherwise complete file. If the file is
/// longer than max_fully_hashed_bytes, the SHA-256 omits the extent `omitted`. Reopens the file by
/// its path, because other hosts may have written to it since `file` was opened. Throws Error on
/// failure.
void seal(const FileDescriptor& file, const std::string& path, const SealDescription& description,
          const Extent& omitted = {});

/// Returns the description in the file's seal, or nullopt if there is no complete seal. Does not
/// check the rest of the file.
std::optional<SealDescription> seal_description(const std::string& path);

enum class SealMatch { none, broken, good };

/// Compares a file with its seal, if it has one. Throws Error if reading fails.
SealMatch match_seal(const FileDescriptor& file, const std::string& path);

/// Returns true if the file has a matching seal, and false if it has none (another program's file).
/// Throws Error if the seal does not match the file. HDF5 thus never opens a damaged file, which
/// might crash HDF5.
bool check_seal(const FileDescriptor& file, const std::string& path);
/// Checks the file at `path` in the same way; returns false if the file cannot be opened.
bool check_seal(const std::string& path);

/// True if the file has HDF5's signature where HDF5 looks for it. Does not call HDF5.
bool looks_like_hdf5(const std::string& path);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// Bytes of a seal: a text with the SHA-256 of the rest of the file, and of what the file is. It
/// begins the file, in HDF5's user block.
constexpr std::uint64_t seal_bytes = 512;

/// Greatest length of a file whose SHA-256 leaves nothing out.
constexpr std::uint64_t sealed_whole = std::uint64_t{64} << 20;

/// The description of a sealed file in its seal.
struct SealedAs {
  std::string kind;  ///< "results"; empty of files of versions whose seals did not say it
  std::string run;   ///< of what a run with checkpoints has made: which run; empty otherwise
};

/// Writes the seal of a file that is complete otherwise, and has room for it; the bytes there may
/// have any value. Of a large file the SHA-256 leaves out one extent, if that has bytes. Reads the
/// file by its path, as other hosts may have written to it since `file` was opened. Throws Error.
void seal(const FileDescriptor& file, const std::string& path, const SealedAs& as,
          const Extent& left_out = {});

/// The content of the file's seal; nullopt if there is no complete seal. Does not check the rest of
/// the file.
std::optional<SealedAs> sealed_as(const std::string& path);

enum class SealMatch { none, broken, good };

/// Compares a file with its seal, if it has one. Throws Error if reading fails.
SealMatch match_seal(const FileDescriptor& file, const std::string& path);

/// Returns true if the file has a seal that matches. Throws Error if its seal matches neither its
/// length nor its sealed bytes: HDF5, which damaged files may crash, must not open it then. Returns
/// false for files of other programs.
bool check_seal(const FileDescriptor& file, const std::string& path);
/// The same for a path, where there may be no file.
bool check_seal(const std::string& path);

/// True if HDF5's signature stands where HDF5 looks for it. This function does not call HDF5.
bool looks_like_hdf5(const std::string& path);

}  // namespace rivulet::io

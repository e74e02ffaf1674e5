// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::io {

/// Bytes of a seal: a text with the SHA-256 of the rest of the file, and of what the file is. It
/// stands before the HDF5 file proper, in its user block (H5Pset_userblock; no user block is
/// smaller), or behind it, where HDF5 does not look.
constexpr std::uint64_t seal_bytes = 512;

/// The description of a sealed file in its seal.
struct SealedAs {
  std::string kind;  ///< "results"; empty of files of versions whose seals did not say it
  std::string run;   ///< of what a run with checkpoints has made: which run; empty otherwise
};

/// Bytes of a file one after the other.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;

  std::uint64_t end() const { return begin + bytes; }
};

/// Writes the seal to the begin of a file that is complete otherwise; the bytes there may have any
/// value. Throws Error.
void seal_before(const std::string& path, const SealedAs& as);

/// Adds a seal behind a complete file, over all of it but these extents, ascending and without
/// overlaps: a list of them stands before the seal. Throws Error.
void seal_behind(const std::string& path, const SealedAs& as, const std::vector<Extent>& left_out);

/// The attribute of a dataset whose elements are not under the file's seal (TableExtents::sealed).
inline constexpr const char* not_sealed = "not_sealed";

/// Where the elements of all datasets with that attribute lie in a complete HDF5 file without a
/// user block, ascending. What HDF5 cannot tell, or only in time that grows with the square of the
/// chunks (before 1.14), is read in the chunks' index itself; datasets stored in other ways than
/// Rivulet's are left out of the answer.
std::vector<Extent> places_of_unsealed_elements(const std::string& path);

/// The content of the file's seal; nullopt if there is no complete seal. Does not check the rest of
/// the file.
std::optional<SealedAs> sealed_as(const std::string& path);

/// Whether the file has a seal. Throws Error if it has one that does not fit the rest: a file cut
/// short, or with any byte changed that is not left out, is told so before HDF5 opens it, which
/// damaged files may crash. False for files of others, older ones, those whose seal behind them was
/// cut off or changed, and those that cannot be read, as opening them will show.
bool check_seal(const std::string& path);

/// Whether a file has HDF5's signature at its begin or behind room for a seal. HDF5 is not asked.
bool looks_like_hdf5(const std::string& path);

}  // namespace rivulet::io

// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace rivulet::io {

/// Bytes before the HDF5 file proper, its user block (H5Pset_userblock), which hold the seal: a
/// line of text with the length and the SHA-256 of all that follows. The least that HDF5 allows.
constexpr std::uint64_t seal_bytes = 512;

/// Writes the seal of a file that is complete but for it, and begins with so many bytes of any
/// value. Throws Error.
void seal_file(const std::string& path);

/// Whether the file has a seal. Throws Error if it has one that does not fit what follows it: a
/// file cut short, or with any byte changed, is told so before HDF5 opens it, which damaged files
/// may crash. False for files of others, older ones and those that cannot be read, as whoever opens
/// them will find.
bool check_seal(const std::string& path);

}  // namespace rivulet::io
